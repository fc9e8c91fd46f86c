import type { PublicPounds } from '#contract/schemas/grants.ts';
import { type AvailableFunds, calculateAvailableFunds } from '#domain/books.ts';
import {
  buildCarbonSummary,
  buildPublicMoney,
  type CarbonSummary,
  type PaidGrant,
  type revealsSingleHome,
} from '#domain/carbon-summary.ts';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import type { GrantField } from '#domain/grant.ts';
import type { OrgId } from '#domain/ids.ts';
import { type Cents, type TenThousandthsOfPound, toDollars, toPounds } from '#domain/money.ts';
import { meanLifetimeYears } from '#domain/saving-years.ts';
import { VersionedCache } from '#server/db/caches.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { MAX_CACHED_ORGS, type OrgAllocation, readAllocation } from '#server/features/allocation/read-allocation.ts';
import { sumByAccount } from '#server/features/ledger/org-stats.ts';
import { findPublishedHomeIds, type GrantRow, listPromisedHomes } from './grants.store.ts';

/** Caches the sums, because summing a large allocation is slow. */
const createPoundsCache = () => new VersionedCache<PublicPounds>(MAX_CACHED_ORGS);

/** Reads an organization's sold and saved pounds for the public. */
export async function readPounds(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { id: orgId, timeZone }: OrgWithTimeZone,
): Promise<PublicPounds> {
  const today = dayOf(now(), timeZone);
  const allocation = await readAllocation(db, orgId);
  const compute = () => computePounds(db, orgId, allocation, { zone: timeZone, today });
  return db.caches.getOrCreate(createPoundsCache).read(orgId, `${allocation.version} ${today}`, compute);
}

type DayContext = { readonly zone: TimeZone; readonly today: Day };

async function computePounds(
  db: Database,
  orgId: OrgId,
  allocation: OrgAllocation,
  days: DayContext,
): Promise<PublicPounds> {
  const publishedIds = await findPublishedHomeIds(db.kysely, orgId);
  const summary = buildDatedSummary(allocation, publishedIds, days);
  const funds = calculateAvailableFunds(await sumByAccount(db.kysely, orgId));
  const promisedHomes = (await listPromisedHomes(db.kysely, orgId)).map((row) => ({
    homeId: row.awardee_id,
    isPublic: isPublic(row, publishedIds),
  }));
  return presentPounds(summary, funds, promisedHomes);
}

type DatedCarbonSummary = CarbonSummary & { readonly asOf: Day; readonly savingYears: number };

function buildDatedSummary(
  allocation: OrgAllocation,
  publishedIds: ReadonlySet<string>,
  { zone, today }: DayContext,
): DatedCarbonSummary {
  const grants = [...allocation.grants.values()].map(
    ({ paidAt, share, grant }): PaidGrant => ({
      paidAt,
      share,
      homeId: grant.awardee_id,
      measures: grant.measures,
      doneOn: grant.done_on,
      lifetimeYears: grant.years,
      isPublic: isPublic(grant, publishedIds),
    }),
  );
  const savingPeriods = grants.map(({ share, lifetimeYears }) => ({ pounds: share.pounds, years: lifetimeYears }));
  const sums = buildCarbonSummary([...allocation.gifts.values()], grants, { zone, today });
  return { ...sums, asOf: today, savingYears: meanLifetimeYears(savingPeriods) };
}

/** The grant fields that the summary's rows are computed from. */
const SUMMARY_FIELDS: readonly GrantField[] = ['amount', 'measures', 'savings'];

/** True if the home's published page already shows every field of the summary. */
function isPublic(
  { awardee_id, published_fields }: Pick<GrantRow, 'awardee_id' | 'published_fields'>,
  homes: ReadonlySet<string>,
): boolean {
  return homes.has(awardee_id) && SUMMARY_FIELDS.every((field) => published_fields.includes(field));
}

function presentPounds(
  summary: DatedCarbonSummary,
  funds: AvailableFunds,
  promisedHomes: Parameters<typeof revealsSingleHome>[0],
): PublicPounds {
  const { totals, deliveredPounds, remainingPounds, unfinishedPounds, years, paidGrants } = summary;
  const money = buildPublicMoney(funds, summary, promisedHomes);
  return {
    asOf: summary.asOf,
    grants: summary.grants,
    homes: summary.homes,
    savingYears: summary.savingYears,
    totals: {
      ...convertToPounds({ ...totals, deliveredPounds, remainingPounds }),
      unfinishedPounds: toPoundsOrNull(unfinishedPounds),
    },
    years: years.map(({ year, remainingPounds: yearPounds, ...pounds }) => ({
      year,
      ...convertToPounds(pounds),
      remainingPounds: toPoundsOrNull(yearPounds),
    })),
    measures: (paidGrants?.measures ?? []).map(({ measure, grants, cents, pounds }) => ({
      measure,
      grants,
      paid: toDollars(cents),
      pounds: toPounds(pounds),
    })),
    money: {
      gifts: toDollars(money.gifts),
      fees: toDollars(money.fees),
      disputed: toDollars(money.disputed),
      paid: toDollarsOrNull(money.paid),
      remaining: toDollarsOrNull(money.remainingCents),
      promised: toDollarsOrNull(money.promised),
      available: toDollarsOrNull(money.available),
      perTon: toDollarsOrNull(paidGrants?.centsPerTon),
    },
  };
}

function convertToPounds<Name extends string>(amounts: Readonly<Record<Name, number>>): Record<Name, number> {
  const entries = Object.entries<number>(amounts).map(([name, amount]) => [name, toPounds(amount)]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

function toPoundsOrNull(amount: TenThousandthsOfPound | undefined): number | null {
  return amount === undefined ? null : toPounds(amount);
}

function toDollarsOrNull(cents: Cents | undefined): number | null {
  return cents === undefined ? null : toDollars(cents);
}
