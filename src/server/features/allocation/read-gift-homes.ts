import type { GiftHomes } from '#contract/schemas/receipts.ts';
import type { Profile, PublishedHome } from '#contract/schemas/stories.ts';
import { dayOf } from '#domain/days.ts';
import {
  type AllocatedPart,
  combineGifts,
  type DonorHomeView,
  type GiftAllocation,
  listPublicHomes,
  toDonorAllocation,
} from '#domain/gift-homes.ts';
import type { OrgId } from '#domain/ids.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { findOrg, type OrgFacts } from '#server/entities/find-org.ts';
import { presentProfile } from '#server/entities/present-profile.ts';
import type { ReceiptWithReturns } from '#server/features/receipts/read-receipt.ts';
import {
  findDisputedEntries,
  findPublishedAwardees,
  listOffsetterPayments,
  listPaymentsOfSameGift,
} from './allocation.store.ts';
import { type AllocatedGift, type OrgAllocation, readAllocation } from './read-allocation.ts';

type HomePage = Pick<Profile, 'id' | 'name' | 'photo' | 'profileURL'>;
type Deps = Pick<AppDeps, 'db' | 'now'>;

/** Reads the homes that a payment helped and those that its whole recurring gift helped, as shown to the donor. */
export async function readGiftHomes(
  { db, now }: Deps,
  org: OrgFacts,
  { ledger_entry_id: entryId, checkout_id: checkoutId }: Pick<ReceiptWithReturns, 'ledger_entry_id' | 'checkout_id'>,
): Promise<GiftHomes> {
  const { id: orgId, timeZone, row } = org;
  const allocations = await readGiftAllocations(db, orgId, await listPaymentsOfSameGift(db.kysely, orgId, entryId));
  const allocation = allocations.get(entryId);
  const today = dayOf(now(), timeZone);
  const sum = combineGifts([...allocations.values()]);
  return {
    place: row.place,
    checkoutid: checkoutId,
    gift: allocation ? toDonorAllocation(allocation, today) : null,
    allPayments: allocations.size < 2 ? null : { payments: allocations.size, gift: toDonorAllocation(sum, today) },
  };
}

type GiftRef = { readonly entryId: string; readonly orgId: OrgId };

/** Reads the homes that each of a donor's gifts helped, across organizations. */
export async function readHomesByGift(deps: Deps, gifts: readonly GiftRef[]) {
  const byOrg = await readAllocationsByOrg(deps, gifts);
  return byOrg.flatMap(({ orgId, today, allocations }) =>
    [...allocations].map(([entryId, gift]) => ({ entryId, orgId, gift: toDonorAllocation(gift, today) })),
  );
}

/** Reads the homes that received money from a donor's gifts, across organizations, largest amount first. */
export async function readDonorHomes(deps: Deps, gifts: readonly GiftRef[]): Promise<DonorHomeView<HomePage>[]> {
  const byOrg = await readAllocationsByOrg(deps, gifts);
  return byOrg
    .flatMap(({ today, allocations }) => toDonorAllocation(combineGifts([...allocations.values()]), today).homes)
    .sort((a, b) => b.amount - a.amount);
}

async function readAllocationsByOrg({ db, now }: Deps, gifts: readonly GiftRef[]) {
  const byOrg = [];
  for (const [orgId, orgGifts] of Map.groupBy(gifts, (gift) => gift.orgId)) {
    const org = await findOrg(db, orgId);
    if (!org) continue;
    const ids = orgGifts.map(({ entryId }) => entryId);
    const allocations = await readGiftAllocations(db, orgId, ids);
    byOrg.push({ orgId, today: dayOf(now(), org.timeZone), allocations });
  }
  return byOrg;
}

/** Reads the homes that an offsetter's gifts helped, as shown to the public. */
export async function readOffsetterHomes(db: Database, orgId: OrgId, offsetterId: string): Promise<PublishedHome[]> {
  const allocations = await readGiftAllocations(db, orgId, await listOffsetterPayments(db.kysely, orgId, offsetterId));
  return listPublicHomes(combineGifts([...allocations.values()])).map(
    ({ page: { name, profileURL, photo }, ...home }) => ({
      ...home,
      name,
      profileURL,
      ...(photo ? { photo } : {}),
    }),
  );
}

/** @returns a function that counts the homes that received money from the gifts with the given ledger entries */
export async function createHomeCounter(db: Database, orgId: OrgId): Promise<(entryIds: readonly string[]) => number> {
  const { gifts, grants } = await readAllocation(db, orgId);
  return (entryIds) => {
    const parts = entryIds.flatMap((id) => gifts.get(id)?.share.parts ?? []);
    return new Set(parts.flatMap(({ grantId }) => grants.get(grantId)?.grant.awardee_id ?? [])).size;
  };
}

/** Reads the allocations of gifts by ledger entry. Omits gifts that don't count toward the totals. */
export async function readGiftAllocations(
  db: Database,
  orgId: OrgId,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string, GiftAllocation<HomePage>>> {
  const orgAllocation = await readAllocation(db, orgId);
  const gifts = entryIds.flatMap((id) => orgAllocation.gifts.get(id) ?? []);
  const awardees = gifts.flatMap(({ share }) =>
    share.parts.flatMap(({ grantId }) => orgAllocation.grants.get(grantId)?.grant.awardee_id ?? []),
  );
  const stories = await findPublishedAwardees(db.kysely, orgId, [...new Set(awardees)]);
  const pages = new Map(stories.map((row) => [row.id, presentProfile(row, { kind: 'awardee', orgId })]));
  const disputedIds = await findDisputedEntries(db.kysely, entryIds);
  return new Map(
    gifts.map((gift) => {
      const isDisputed = disputedIds.has(gift.entryId);
      return [gift.entryId, toGiftAllocation(gift, orgAllocation, { pages, isDisputed })];
    }),
  );
}

type GiftContext = { readonly pages: ReadonlyMap<string, Profile>; readonly isDisputed: boolean };

function toGiftAllocation(
  { paid, returned, share }: AllocatedGift,
  { grants, isShortfallCovered }: OrgAllocation,
  { pages, isDisputed }: GiftContext,
): GiftAllocation<HomePage> {
  const { cents, unallocatedCents, soldPounds, unallocatedPounds, shortfallPounds } = share;
  const parts = share.parts.flatMap((part): AllocatedPart<HomePage>[] => {
    const allocatedGrant = grants.get(part.grantId);
    if (!allocatedGrant) return [];
    const { grant } = allocatedGrant;
    const page = pages.get(grant.awardee_id);
    const home = {
      grantId: grant.id,
      page: page && toHomePage(page),
      publicFields: grant.published_fields,
      grantCents: allocatedGrant.share.cents,
      measures: grant.measures,
      installer: makeDisplaySafe(grant.installer),
      yearlyCarbon: grant.yearly_carbon,
      lifetimeYears: grant.years,
      doneOn: grant.done_on,
      inspectedOn: grant.inspected_on,
    };
    return [{ cents: part.cents, pounds: part.pounds, home }];
  });
  const pounds = { soldPounds, unallocatedPounds, shortfallPounds, isShortfallCovered };
  return { paid, returned, cents, unallocatedCents, ...pounds, isDisputed, parts };
}

function toHomePage({ id, name, photo, profileURL }: Profile): HomePage {
  return { id, name, photo, profileURL };
}
