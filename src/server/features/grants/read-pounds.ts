import type { PublicPounds } from '#contract/schemas/grants.ts';
import { type AvailableFunds, calculateAvailableFunds } from '#domain/books.ts';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import type { GrantField } from '#domain/grant.ts';
import type { OrgId } from '#domain/ids.ts';
import { type Cents, toDollars, toPounds } from '#domain/money.ts';
import {
  type GrantedHome,
  type PoundsAccount,
  poundsAccount,
  publicMoney,
  type revealsSingleHome,
} from '#domain/pounds-account.ts';
import { savingYears } from '#domain/saving-years.ts';
import { VersionedCache } from '#server/db/caches.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithDays } from '#server/entities/find-org.ts';
import { MAX_CACHED_ORGS, type OrgAllocation, readAllocation } from '#server/features/allocation/read-allocation.ts';
import { sumByAccount } from '#server/features/ledger/org-stats.ts';
import { type GrantRow, promisedHomes, publishedHomes } from './grants.store.ts';

/** Caches the sums, because summing a large allocation is slow. */
const createPoundsCache = () => new VersionedCache<PublicPounds>(MAX_CACHED_ORGS);

/** Reads an organization's sold and saved pounds for the public. */
export async function readPounds(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { id: orgId, timeZone }: OrgWithDays,
): Promise<PublicPounds> {
  const today = dayOf(now(), timeZone);
  const allocation = await readAllocation(db, orgId);
  const addUpToday = () => addUp(db, orgId, allocation, { zone: timeZone, today });
  return db.caches.of(createPoundsCache).read(orgId, `${allocation.version} ${today}`, addUpToday);
}

type Days = { readonly zone: TimeZone; readonly today: Day };

async function addUp(db: Database, orgId: OrgId, allocation: OrgAllocation, days: Days): Promise<PublicPounds> {
  const publishedIds = await publishedHomes(db.kysely, orgId);
  const account = buildAccount(allocation, publishedIds, days);
  const funds = calculateAvailableFunds(await sumByAccount(db.kysely, orgId));
  const promised = (await promisedHomes(db.kysely, orgId)).map((row) => ({
    homeId: row.awardee_id,
    isPublic: isPublic(row, publishedIds),
  }));
  return present(account, funds, promised);
}

type Account = PoundsAccount & { readonly asOf: Day; readonly savingYears: number };

function buildAccount(allocation: OrgAllocation, publishedIds: ReadonlySet<string>, { zone, today }: Days): Account {
  const grants = [...allocation.grants.values()].map(
    ({ at, share, grant }): GrantedHome => ({
      at,
      share,
      homeId: grant.awardee_id,
      measures: grant.measures,
      doneOn: grant.done_on,
      years: grant.years,
      isPublic: isPublic(grant, publishedIds),
    }),
  );
  const lives = grants.map(({ share, years }) => ({ pounds: share.pounds, years }));
  const sums = poundsAccount([...allocation.gifts.values()], grants, { zone, today });
  return { ...sums, asOf: today, savingYears: savingYears(lives) };
}

/** The grant fields that a row of the account is computed from. */
const ACCOUNT_FIELDS: readonly GrantField[] = ['amount', 'measures', 'savings'];

/** True if the home's published page already shows every field of the account. */
function isPublic(
  { awardee_id, published_fields }: Pick<GrantRow, 'awardee_id' | 'published_fields'>,
  homes: ReadonlySet<string>,
): boolean {
  return homes.has(awardee_id) && ACCOUNT_FIELDS.every((field) => published_fields.includes(field));
}

function present(
  account: Account,
  funds: AvailableFunds,
  promised: Parameters<typeof revealsSingleHome>[0],
): PublicPounds {
  const { totals, deliveredPounds, remainingPounds, unfinishedPounds, years, paid } = account;
  const money = publicMoney(funds, account, promised);
  return {
    asOf: account.asOf,
    grants: account.grants,
    homes: account.homes,
    savingYears: account.savingYears,
    totals: inPounds({ ...totals, deliveredPounds, remainingPounds, unfinishedPounds }),
    years: years.map(({ year, ...pounds }) => ({ year, ...inPounds(pounds) })),
    measures: (paid?.measures ?? []).map(({ measure, grants, cents, pounds }) => ({
      measure,
      grants,
      paid: toDollars(cents),
      pounds: toPounds(pounds),
    })),
    money: {
      gifts: toDollars(money.gifts),
      fees: toDollars(money.fees),
      disputed: toDollars(money.disputed),
      paid: shownDollars(money.paid),
      left: shownDollars(money.remainingCents),
      promised: shownDollars(money.promised),
      available: shownDollars(money.available),
      perTon: shownDollars(paid?.centsPerTon),
    },
  };
}

function inPounds<Name extends string>(amounts: Readonly<Record<Name, number>>): Record<Name, number> {
  const entries = Object.entries<number>(amounts).map(([name, amount]) => [name, toPounds(amount)]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

function shownDollars(cents: Cents | undefined): number | null {
  return cents === undefined ? null : toDollars(cents);
}
