import type { Overview } from '#contract/schemas/treasury.ts';
import { DAY_MS, dayOf, startOf } from '#domain/days.ts';
import { dollarsOf, poundsOf } from '#domain/money.ts';
import { type Period, timelineOf } from '#domain/overview.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithDays } from '#server/entities/find-org.ts';
import { attentionCount } from '#server/features/attention/attention.ts';
import { firstEntryAt } from '#server/features/ledger/org-stats.ts';
import { undeliveredCount } from '#server/features/receipts/undelivered-receipts.ts';
import {
  countDraftStories,
  countOpenCheckouts,
  countOpenPledges,
  type KindSums,
  sumsByPeriod,
} from './overview.store.ts';

/** Older failed debits need no attention. */
const FAILED_DAYS = 30;

/** Reads the editors' overview: a period's gifts by kind, and the tasks that need attention. */
export async function readOverview(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { id: orgId, timeZone }: OrgWithDays,
  period: Period,
): Promise<Overview> {
  const { kysely } = db;
  const firstEntry = period === 'all' ? await firstEntryAt(kysely, orgId) : undefined;
  const { step, starts } = timelineOf(period, dayOf(now(), timeZone), firstEntry && dayOf(firstEntry, timeZone));
  const failedSince = new Date(now().getTime() - FAILED_DAYS * DAY_MS);
  const [sums, checkouts, pledges, stories, receipts, attention] = await Promise.all([
    sumsByPeriod(
      kysely,
      orgId,
      starts.map((start) => startOf(start, timeZone)),
    ),
    countOpenCheckouts(kysely, orgId, failedSince),
    countOpenPledges(kysely, orgId),
    countDraftStories(kysely, orgId),
    undeliveredCount({ db, now }, orgId),
    attentionCount(db, orgId),
  ]);
  return {
    step,
    columns: starts.map((start, index) => ({ start, kinds: kindsAt(index + 1, sums) })),
    waiting: {
      ...checkouts,
      pledges: pledges.pledges,
      pledged: dollarsOf(pledges.cents),
      suspiciousPledges: pledges.suspicious,
      stories,
      receipts,
      attention,
    },
  };
}

function kindsAt(periodNumber: number, sums: readonly KindSums[]): Overview['columns'][number]['kinds'] {
  const periodSums = sums.filter((sum) => sum.periodNumber === periodNumber);
  return Object.fromEntries(
    periodSums.map(({ kind, amount_cents, carbon, entries }) => [
      kind,
      { amount: dollarsOf(amount_cents), carbon: poundsOf(carbon), entries },
    ]),
  );
}
