import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

export type Window = { readonly count: number; readonly ends_at: Date };

/** Counts one try of a subject, in its window or, when that has ended, in a new one that ends at `endsAt`. */
export function countTry(db: Kysely<Tables>, subject: string, now: Date, endsAt: Date): Promise<Window> {
  const over = sql<boolean>`attempts.ends_at <= ${now}`;
  return db
    .insertInto('attempts')
    .values({ subject, count: 1, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        // A number that nothing reaches: whoever goes on for ever must not overflow it.
        count: sql`case when ${over} then 1 else least(attempts.count + 1, 1000000) end`,
        ends_at: sql`case when ${over} then excluded.ends_at else attempts.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow();
}

/** The window of a subject as one more try would make it, which is not counted; nothing where none is open. */
export function windowAfterTry(db: Kysely<Tables>, subject: string, now: Date): Promise<Window | undefined> {
  return db
    .selectFrom('attempts')
    .select([sql<number>`count + 1`.as('count'), 'ends_at'])
    .where('subject', '=', subject)
    .where('ends_at', '>', now)
    .executeTakeFirst();
}

/** Takes away what has ended. */
export async function deleteEndedWindows(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('attempts').where('ends_at', '<=', now).execute();
}
