import { type Kysely, sql } from 'kysely';

/** When backups were made, and what became of them. Of this installation: no backup has it, and no restore brings it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backups (
      id text primary key,
      -- The moment at which the schedule wanted it, which only one process takes; null: somebody asked for it.
      due_at timestamptz(3) unique,
      started_at timestamptz(3) not null,
      -- The process that makes it says so now and then.
      seen_at timestamptz(3) not null,
      tries integer not null default 1,
      finished_at timestamptz(3),
      -- Where it is; null until it is there, whole.
      file text,
      bytes int8,
      encrypted boolean,
      -- Why the last try failed, without secrets.
      problem text,
      check ((finished_at is null) = (file is null and problem is null)),
      check ((file is null) = (bytes is null))
    )`.execute(db);
  await sql`create index backups_finished on backups (finished_at)`.execute(db);
}
