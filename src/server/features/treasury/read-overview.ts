import type { Kysely } from 'kysely';
import type { Overview } from '#contract/schemas/treasury.ts';
import { DAY_MS, dayOf, endOfDay, startOfDay, type TimeZone } from '#domain/days.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars, toPounds } from '#domain/money.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import { createTimeline, getMonthsToDate, type Period } from '#domain/overview.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { countOpenAttention } from '#server/features/attention/attention.ts';
import { readMonthToClose } from '#server/features/bank/month-to-close.ts';
import { findFirstEntryTime } from '#server/features/ledger/org-stats.ts';
import { countUndeliveredReceipts } from '#server/features/receipts/undelivered-receipts.ts';
import {
  countDraftStories,
  countOpenCheckouts,
  countOpenPledges,
  type KindSums,
  type OpenDispute,
  type RecentGift,
  readOpenDisputes,
  readRecentGifts,
  sumEntriesByPeriod,
  sumGifts,
} from './overview.store.ts';

const MAX_RECENT_GIFTS = 10;
const MAX_LISTED_DISPUTES = 5;
/** Failed debits older than this don't need attention. */
const FAILED_DAYS = 30;

/** Reads the editors' overview: a period's gifts by kind, and the tasks that need attention. */
export async function readOverview(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { id: orgId, timeZone }: OrgWithTimeZone,
  period: Period,
): Promise<Overview> {
  const { kysely } = db;
  const firstEntry = period === 'all' ? await findFirstEntryTime(kysely, orgId) : undefined;
  const today = dayOf(now(), timeZone);
  const { step, periodStarts } = createTimeline(period, today, firstEntry && dayOf(firstEntry, timeZone));
  const failedSince = new Date(now().getTime() - FAILED_DAYS * DAY_MS);
  const [sums, checkouts, pledges, stories, receipts, attention, recentGifts, disputes, month, year, monthToClose] =
    await Promise.all([
      sumEntriesByPeriod(
        kysely,
        orgId,
        periodStarts.map((start) => startOfDay(start, timeZone)),
      ),
      countOpenCheckouts(kysely, orgId, failedSince),
      countOpenPledges(kysely, orgId),
      countDraftStories(kysely, orgId),
      countUndeliveredReceipts({ db, now }, orgId),
      countOpenAttention(kysely, orgId),
      readRecentGifts(kysely, orgId, MAX_RECENT_GIFTS),
      readOpenDisputes(kysely, orgId, MAX_LISTED_DISPUTES),
      compareMonths(kysely, orgId, now(), timeZone),
      sumGifts(kysely, orgId, startOfDay(`${today.slice(0, 4)}-01-01`, timeZone), endOfDay(today, timeZone)),
      readMonthToClose(kysely, { id: orgId, timeZone }, now()),
    ]);
  return {
    recentGifts: recentGifts.map(presentRecentGift),
    month,
    year: toDollars(year),
    disputes: disputes.map(presentDispute),
    step,
    columns: periodStarts.map((start, index) => ({ start, kinds: presentKinds(index + 1, sums) })),
    pendingCounts: {
      ...checkouts,
      pledges: pledges.pledges,
      pledgedDollars: toDollars(pledges.cents),
      suspiciousPledges: pledges.suspicious,
      stories,
      receipts,
      ...attention,
      monthToClose: monthToClose ?? null,
    },
  };
}

/** Compares gifts in this month so far with gifts on the same days a year ago. */
async function compareMonths(
  db: Kysely<Tables>,
  orgId: OrgId,
  now: Date,
  timeZone: TimeZone,
): Promise<Overview['month']> {
  const { thisMonth, lastYear } = getMonthsToDate(dayOf(now, timeZone));
  const [amount, earlierAmount] = await Promise.all(
    [thisMonth, lastYear].map(({ from, to }) =>
      sumGifts(db, orgId, startOfDay(from, timeZone), endOfDay(to, timeZone)),
    ),
  );
  return { amount: toDollars(amount ?? 0), lastYear: toDollars(earlierAmount ?? 0) };
}

function presentRecentGift(gift: RecentGift): Overview['recentGifts'][number] {
  return {
    entryid: gift.entry_id,
    kind: gift.kind,
    giftid: gift.gift_id,
    name: gift.name && makeDisplaySafe(gift.name),
    amount: toDollars(gift.amount_cents),
    bookedTimestamp: gift.booked_at.toISOString(),
  };
}

function presentDispute({ gift_id, name, amount_cents, due_at }: OpenDispute): Overview['disputes'][number] {
  return {
    giftid: gift_id,
    name: name && makeDisplaySafe(name),
    amount: toDollars(amount_cents),
    dueTimestamp: due_at?.toISOString() ?? null,
  };
}

function presentKinds(periodNumber: number, sums: readonly KindSums[]): Overview['columns'][number]['kinds'] {
  const periodSums = sums.filter((sum) => sum.periodNumber === periodNumber);
  return Object.fromEntries(
    periodSums.map(({ kind, amount_cents, carbon, entries }) => [
      kind,
      { amount: toDollars(amount_cents), carbon: toPounds(carbon), entries },
    ]),
  );
}
