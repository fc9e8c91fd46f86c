import type { BookMonths } from '#contract/schemas/bank.ts';
import { lastClosedMonth } from '#domain/month-closing.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { listMonthChanges, readMonths } from '#server/features/ledger/months.ts';

/** Reads the range of months in an organization's books, and the last closed one. */
export async function readBookMonths(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  org: OrgWithTimeZone,
): Promise<BookMonths> {
  const { first, last } = await readMonths(db.kysely, org, now());
  const closedMonth = lastClosedMonth(await listMonthChanges(db.kysely, org.id));
  return { firstMonth: first, lastMonth: last, closedMonth: closedMonth ?? null };
}
