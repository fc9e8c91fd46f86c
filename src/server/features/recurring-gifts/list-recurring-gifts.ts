import type { Kysely } from 'kysely';
import type { ListedRecurringGift, RecurringSums } from '#contract/schemas/recurring-gifts.ts';
import type { ParsedQuery } from '#contract/schemas.ts';
import { DAY_MS, dayOf } from '#domain/days.ts';
import type { OrgId } from '#domain/ids.ts';
import { type Cents, toDollars } from '#domain/money.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import {
  averageMonthlyCents,
  LOST_DAYS,
  type RecurringGiftGroup,
  type RecurringGiftStatus,
} from '#domain/recurring-gift.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import { getTerms, presentRecurringGift, type TermsRow } from './recurring-gifts.present.ts';
import {
  type ListedRecurringGiftRow,
  listActiveDonorGifts,
  listRecurringGiftRows,
  readRecurringSums,
} from './subscriptions.store.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;

/** Lists an organization's recurring gifts, newest first. @returns Failure unknown-cursor */
export async function listRecurringGifts(
  { db, now }: Deps,
  { id: orgId }: OrgWithTimeZone,
  { group, max, cursorRef }: ParsedQuery<'readRecurringGifts'>,
): Promise<ListPage<ListedRecurringGift[]>> {
  const page = { max: max + 1, cursorRef, order: 'desc' } as const;
  const rows = await listRecurringGiftRows(db, orgId, { group, lostSince: getLostSince(now) }, page);
  return createListPage(rows, max, presentListedRecurringGift);
}

/** Counts an organization's recurring gifts, and sums their monthly amounts. */
export async function sumRecurringGifts({ db, now }: Deps, orgId: OrgId): Promise<RecurringSums> {
  const rows = await readRecurringSums(db.kysely, orgId, getLostSince(now));
  const sumGroup = (group: RecurringGiftGroup) => {
    const groupRows = rows.filter((row) => row.group === group);
    const gifts = groupRows.reduce((count, row) => count + row.gifts, 0);
    const cents = groupRows.reduce((sum, row) => sum + row.gifts * (getMonthlyCents(row) ?? 0), 0);
    return { gifts, monthly: toDollars(cents) };
  };
  return {
    active: sumGroup('active'),
    paused: sumGroup('paused'),
    failing: sumGroup('failing'),
    ended: sumGroup('ended'),
    lost: sumGroup('lost'),
  };
}

export type DonorRecurringSum = {
  /** Distinct statuses of the donor's gifts. */
  readonly statuses: readonly RecurringGiftStatus[];
  readonly monthlyCents: Cents;
};

/** Sums the recurring gifts of donors and of the donors merged into them, by donor, except gifts that ended. */
export async function sumDonorRecurringGifts(
  db: Kysely<Tables>,
  orgId: OrgId,
  donorIds: readonly string[],
): Promise<Map<string, DonorRecurringSum>> {
  const rows = await listActiveDonorGifts(db, orgId, donorIds);
  return new Map(
    [...Map.groupBy(rows, ({ donor_id }) => donor_id)].map(([donorId, gifts]) => [
      donorId,
      {
        statuses: [...new Set(gifts.map(({ status }) => status))],
        monthlyCents: gifts.reduce((sum, gift) => sum + (getMonthlyCents(gift) ?? 0), 0),
      },
    ]),
  );
}

function getLostSince(now: () => Date): Date {
  return new Date(now().getTime() - LOST_DAYS * DAY_MS);
}

function getMonthlyCents(row: TermsRow): Cents | undefined {
  const terms = getTerms(row);
  return terms && averageMonthlyCents(terms);
}

function presentListedRecurringGift(row: ListedRecurringGiftRow): ListedRecurringGift {
  const monthlyCents = getMonthlyCents(row);
  const toDay = (time: Date | null) => time && dayOf(time, row.time_zone);
  return {
    ...presentRecurringGift(row),
    id: row.id,
    donorid: row.donor_id,
    name: row.donor_name && makeDisplaySafe(row.donor_name),
    email: row.donor_email,
    checkoutid: row.checkout_id,
    monthly: monthlyCents === undefined ? null : toDollars(monthlyCents),
    startedOn: dayOf(row.created_at, row.time_zone),
    endedOn: toDay(row.canceled_at),
    failures: row.failures,
    lastFailedOn: toDay(row.failed_at),
    createdTimestamp: row.created_at.toISOString(),
  };
}
