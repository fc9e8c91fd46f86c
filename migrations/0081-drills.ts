import { type Kysely, sql } from 'kysely';

/** When a backup was last restored to try it, and what became of it. Of this installation: no backup has it, and no restore brings it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table drills (
      id text primary key,
      ended_at timestamptz(3) not null,
      -- As it was named, or where it is.
      backup text not null,
      -- When it was begun; null where it could not be read.
      backup_at timestamptz(3),
      seconds integer not null,
      -- What differed, or why it could not be restored; null: it succeeded.
      problem text
    )`.execute(db);
  await sql`create index drills_ended on drills (ended_at)`.execute(db);
}
