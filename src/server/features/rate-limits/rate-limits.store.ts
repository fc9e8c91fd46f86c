import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

export type CountWindow = { readonly count: number; readonly ends_at: Date };

/** Far above every limit, but low enough that a count can't overflow. */
const MAX_COUNT = 1_000_000;

/** Counts requests in the subject's open window, or starts a new window that ends at `endsAt`. */
export function countRequest(
  db: Kysely<Tables>,
  subject: string,
  now: Date,
  endsAt: Date,
  amount = 1,
): Promise<CountWindow> {
  const hasEnded = sql<boolean>`rate_limits.ends_at <= ${now}`;
  return db
    .insertInto('rate_limits')
    .values({ subject, count: amount, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        count: sql`case when ${hasEnded} then ${amount} else least(rate_limits.count + ${amount}, ${sql.lit(MAX_COUNT)}) end`,
        ends_at: sql`case when ${hasEnded} then excluded.ends_at else rate_limits.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow();
}

export async function decrementCount(db: Kysely<Tables>, subject: string, now: Date): Promise<void> {
  await db
    .updateTable('rate_limits')
    .set({ count: sql`greatest(count - 1, 0)` })
    .where('subject', '=', subject)
    .where('ends_at', '>', now)
    .execute();
}

/** Returns the subject's window as if one more request were counted; undefined if none is open. */
export function previewWindow(db: Kysely<Tables>, subject: string, now: Date): Promise<CountWindow | undefined> {
  return db
    .selectFrom('rate_limits')
    .select([sql<number>`count + 1`.as('count'), 'ends_at'])
    .where('subject', '=', subject)
    .where('ends_at', '>', now)
    .executeTakeFirst();
}

export async function deleteEndedWindows(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('rate_limits').where('ends_at', '<=', now).execute();
}
