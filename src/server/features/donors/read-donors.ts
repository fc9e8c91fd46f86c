import type { Donor, DonorGift, DonorRecord, DonorSums } from '#contract/schemas/donors.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import type { ParsedQuery } from '#contract/schemas.ts';
import { dayOf, endOfDay, startOfDay, type TimeZone } from '#domain/days.ts';
import { MAX_COUNTED_ROWS } from '#domain/donor.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { type Cents, toDollars } from '#domain/money.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import type { Language } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { readDonorActivity } from '#server/features/activity/read-activity.ts';
import { createHomeCounter } from '#server/features/allocation/read-gift-homes.ts';
import { readDonorYears } from '#server/features/receipts/yearly-statement.ts';
import { readDonorRecurringGifts } from '#server/features/recurring-gifts/read-recurring-gift.ts';
import { readDonorNotes } from '#server/features/team-notes/team-notes.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import {
  type DonorGiftRow,
  type DonorRow,
  findDonor,
  findDonors,
  listDonorGifts,
  listGiftIds,
  listMergedDonors,
  type Span,
  sumDonors,
  sumGiftsInSpan,
} from './donors.store.ts';

type ReadDeps = Pick<AppDeps, 'db' | 'now' | 'sandbox'>;

/** Lists donors. @returns Failure unknown-cursor */
export async function readDonors(
  { db, now }: ReadDeps,
  org: OrgWithTimeZone,
  { query, sort, max, cursorRef }: ParsedQuery<'readDonors'>,
): Promise<ListPage<Donor[]>> {
  const { kysely } = db;
  const rows = await findDonors(kysely, org.id, { query, sort, max: max + 1, cursorRef });
  const ids = rows.slice(0, max).map(({ id }) => id);
  const thisYear = await sumGiftsInSpan(kysely, org.id, ids, getYearSpan(now(), org.timeZone));
  const recurringGifts = await readDonorRecurringGifts(kysely, org.id, ids);
  return createListPage(rows, max, (row) =>
    presentDonor(row, org.timeZone, {
      thisYear: thisYear.get(row.id) ?? 0,
      recurring: recurringGifts.get(row.id) ?? [],
    }),
  );
}

/** Counts the donors that match a query, and adds up their gifts. */
export async function readDonorSums({ db }: ReadDeps, orgId: OrgId, query: string): Promise<DonorSums> {
  const { donors, amount_cents } = await sumDonors(db.kysely, orgId, query);
  return {
    donors: Math.min(donors, MAX_COUNTED_ROWS),
    hasMore: donors > MAX_COUNTED_ROWS,
    lifetime: toDollars(amount_cents),
  };
}

/** Counts the homes that each donor helped. Separate from the list, because it takes a second for a large organization. */
export async function countDonorHomes(
  { db }: ReadDeps,
  orgId: OrgId,
  ids: readonly string[],
): Promise<{ id: string; homes: number }[]> {
  const gifts = await listGiftIds(db.kysely, orgId, ids);
  const countHomes = await createHomeCounter(db, orgId);
  return ids.map((id) => ({ id, homes: countHomes(gifts.get(id) ?? []) }));
}

/** Reads a donor or, if it was merged into another, that donor. @returns Failure donor-not-found */
export async function readDonor(
  deps: ReadDeps,
  org: OrgWithTimeZone,
  donorId: string,
  language: Language,
): Promise<DonorRecord | Failure> {
  const { db, now } = deps;
  const { kysely } = db;
  const row = await findDonor(kysely, { orgId: org.id, donorId });
  if (!row) return new Failure('donor-not-found');
  const key = { orgId: org.id, donorId: row.id };
  const sums = await sumGiftsInSpan(kysely, org.id, [row.id], getYearSpan(now(), org.timeZone));
  const recurringGifts = await readDonorRecurringGifts(kysely, org.id, [row.id]);
  const mergedDonors = await listMergedDonors(kysely, key);
  return {
    ...presentDonor(row, org.timeZone, {
      thisYear: sums.get(row.id) ?? 0,
      recurring: recurringGifts.get(row.id) ?? [],
    }),
    giftEmail: row.email,
    postalAddress: row.postal_address,
    years: await readDonorYears(deps, org.id, row.id),
    mergedDonors: mergedDonors.map(({ id, name, email, corrected_email, postal_address }) => ({
      id,
      name: name && makeDisplaySafe(name),
      email: corrected_email ?? email,
      postalAddress: postal_address,
    })),
    notes: await readDonorNotes(deps, org.id, row.id),
    corrections: await readDonorActivity(db, [row.id, ...mergedDonors.map(({ id }) => id)], {
      orgId: org.id,
      language,
    }),
  };
}

/** Reads a donor's gifts, newest first. @returns Failure donor-not-found */
export async function readDonorGifts(
  { db }: ReadDeps,
  org: OrgWithTimeZone,
  donorId: string,
  { max, cursorRef }: ParsedQuery<'readDonorGifts'>,
): Promise<ListPage<DonorGift[]> | Failure> {
  const donor = await findDonor(db.kysely, { orgId: org.id, donorId });
  if (!donor) return new Failure('donor-not-found');
  const key = { orgId: org.id, donorId: donor.id };
  const rows = await listDonorGifts(db.kysely, key, { max: max + 1, cursorRef });
  return createListPage(rows, max, (row) => presentGift(row, org.timeZone));
}

/** Returns the span of the calendar year that contains a time, or of an earlier year. */
export function getYearSpan(now: Date, zone: TimeZone, yearsAgo = 0): Span {
  const year = Number(dayOf(now, zone).slice(0, 4)) - yearsAgo;
  return { from: startOfDay(`${year}-01-01`, zone), until: endOfDay(`${year}-12-31`, zone) };
}

function presentDonor(
  row: DonorRow,
  zone: TimeZone,
  { thisYear, recurring }: { readonly thisYear: Cents; readonly recurring: readonly RecurringGift[] },
): Donor {
  return {
    id: row.id,
    name: row.name && makeDisplaySafe(row.name),
    email: row.corrected_email ?? row.email,
    hasAccount: row.user_id !== null,
    gifts: row.gifts,
    firstGiftOn: dayOf(row.first_gift_at, zone),
    lastGiftOn: dayOf(row.last_gift_at, zone),
    thisYear: toDollars(thisYear),
    lifetime: toDollars(row.amount_cents),
    recurring: [...recurring],
  };
}

function presentGift(row: DonorGiftRow, zone: TimeZone): DonorGift {
  return {
    id: row.id,
    kind: row.kind,
    givenOn: dayOf(row.occurred_at, zone),
    amount: toDollars(row.amount_cents),
    returned: toDollars(row.returned_cents),
    checkoutid: row.checkout_id,
    pledgeid: row.pledge_id,
    checkNumber: row.check_number,
    receiptNumber: row.receipt_number,
  };
}
