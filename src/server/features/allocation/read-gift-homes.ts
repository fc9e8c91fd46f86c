import type { GiftHomes } from '#contract/schemas/receipts.ts';
import type { Profile, ShownHome } from '#contract/schemas/stories.ts';
import { dayOf } from '#domain/days.ts';
import {
  type AllocatedPart,
  combineGifts,
  type DonorsGift,
  donorsGift,
  type GiftAllocation,
  namedHomes,
} from '#domain/gift-homes.ts';
import { harmlessName } from '#domain/names.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { findOrg, type OrgFacts } from '#server/entities/find-org.ts';
import { presentProfile } from '#server/entities/present-profile.ts';
import { disputedEntries, paymentsOfOffsetter, paymentsWith, shownAwardees } from './allocation.store.ts';
import { type AllocatedGift, type OrgAllocation, readAllocation } from './read-allocation.ts';

type HomePage = Pick<Profile, 'id' | 'name' | 'photo' | 'profileURL'>;
type Deps = Pick<AppDeps, 'db' | 'now'>;

/** Which homes the gift of an entry helped, and all payments of the recurring gift that it is of, as its donor is told. */
export async function readGiftHomes({ db, now }: Deps, org: OrgFacts, entryId: string): Promise<GiftHomes> {
  const { id: orgId, timeZone, row } = org;
  const placed = await placedGifts(db, orgId, await paymentsWith(db.kysely, orgId, entryId));
  const own = placed.get(entryId);
  const today = dayOf(now(), timeZone);
  return {
    place: row.place,
    gift: own ? donorsGift(own, today) : null,
    all:
      placed.size < 2 ? null : { payments: placed.size, gift: donorsGift(combineGifts([...placed.values()]), today) },
  };
}

type Given = { readonly entryId: string; readonly orgId: string };

/** Where gifts in any organizations went, as their donor is told. */
export async function homesOfGifts({ db, now }: Deps, gifts: readonly Given[]) {
  const donorsGifts: (Given & { readonly gift: DonorsGift<HomePage> })[] = [];
  for (const [orgId, theirs] of Map.groupBy(gifts, (gift) => gift.orgId)) {
    const org = await findOrg(db, orgId);
    if (!org) continue;
    const ids = theirs.map(({ entryId }) => entryId);
    for (const [entryId, gift] of await placedGifts(db, orgId, ids))
      donorsGifts.push({ entryId, orgId, gift: donorsGift(gift, dayOf(now(), org.timeZone)) });
  }
  return donorsGifts;
}

/** The homes that the gifts of an offsetter helped, as everyone may see them. */
export async function homesHelpedBy(db: Database, orgId: string, offsetterId: string): Promise<ShownHome[]> {
  const placed = await placedGifts(db, orgId, await paymentsOfOffsetter(db.kysely, orgId, offsetterId));
  return namedHomes(combineGifts([...placed.values()])).map(({ page: { name, profileURL, photo }, ...home }) => ({
    ...home,
    name,
    profileURL,
    ...(photo ? { photo } : {}),
  }));
}

/** What became of gifts, by their entries, without those that the totals do not count. */
export async function placedGifts(
  db: Database,
  orgId: string,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string, GiftAllocation<HomePage>>> {
  const allocated = await readAllocation(db, orgId);
  const gifts = entryIds.flatMap((id) => allocated.gifts.get(id) ?? []);
  const awardees = gifts.flatMap(({ share }) =>
    share.parts.flatMap(({ grantId }) => allocated.grants.get(grantId)?.grant.awardee_id ?? []),
  );
  const shown = await shownAwardees(db.kysely, orgId, [...new Set(awardees)]);
  const pages = new Map(shown.map((row) => [row.id, presentProfile(row, { kind: 'awardee', orgId })]));
  const disputed = await disputedEntries(db.kysely, entryIds);
  return new Map(
    gifts.map((gift) => [gift.entryId, placed(gift, allocated, { pages, isDisputed: disputed.has(gift.entryId) })]),
  );
}

type Seen = { readonly pages: ReadonlyMap<string, Profile>; readonly isDisputed: boolean };

function placed(
  { paid, returned, share }: AllocatedGift,
  { grants }: OrgAllocation,
  { pages, isDisputed }: Seen,
): GiftAllocation<HomePage> {
  const { cents, waiting, promised, promisedWaiting, behind } = share;
  const parts = share.parts.flatMap((part): AllocatedPart<HomePage>[] => {
    const found = grants.get(part.grantId);
    if (!found) return [];
    const { grant } = found;
    const page = pages.get(grant.awardee_id);
    const home = {
      id: grant.id,
      page: page && pageOf(page),
      shown: grant.shown,
      cents: found.share.cents,
      ...{
        measures: grant.measures,
        installer: harmlessName(grant.installer),
        yearly: grant.yearly_carbon,
        years: grant.years,
      },
      doneOn: grant.done_on,
      inspectedOn: grant.inspected_on,
    };
    return [{ cents: part.cents, pounds: part.pounds, home }];
  });
  return { paid, returned, cents, waiting, promised, promisedWaiting, behind, isDisputed, parts };
}

function pageOf({ id, name, photo, profileURL }: Profile): HomePage {
  return { id, name, photo, profileURL };
}
