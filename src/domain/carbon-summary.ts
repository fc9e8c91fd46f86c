import {
  type AllocationTotals,
  calculateDeliveredPounds,
  type GiftShare,
  type GrantShare,
  sumAllocation,
} from './allocation.ts';
import type { AvailableFunds } from './books.ts';
import { type Day, startOfDay, type TimeZone } from './days.ts';
import { POUNDS_PER_TON } from './emissions.ts';
import { MEASURES, type Measure } from './grant.ts';
import { type Cents, type TenThousandthsOfPound, toTenThousandths } from './money.ts';

type Pounds = TenThousandthsOfPound;

export type OffsetGift = { readonly postedAt: Date; readonly share: GiftShare };

/** A paid grant, with details of its home for the public summary. */
export type PaidGrant = {
  readonly paidAt: Date;
  readonly share: GrantShare;
  readonly homeId: string;
  readonly measures: readonly Measure[];
  /** When the work was done. */
  readonly doneOn: Day | null;
  readonly lifetimeYears: number;
  /** True if the household publishes both the payment and the savings. */
  readonly isPublic: boolean;
};

/** Pounds for a calendar year in the organization's time zone. */
export type PoundsYear = {
  readonly year: number;
  /** Sold in that year, minus later returns: the sum of backedPounds, shortfallPounds, and unallocatedPounds. */
  readonly soldPounds: Pounds;
  readonly backedPounds: Pounds;
  readonly shortfallPounds: Pounds;
  readonly unallocatedPounds: Pounds;
  /** Pounds that the grants paid in that year save over all years. */
  readonly grantedPounds: Pounds;
  /** Pounds saved in that year so far. */
  readonly deliveredPounds: Pounds;
  /** Pounds still to be saved in that year. Undefined if `unfinishedPounds` is, because their sum would reveal it. */
  readonly remainingPounds: Pounds | undefined;
};

/**
 * Totals of the grants for one measure. several: grants that cover more than one. few: rows merged because each would
 * reveal what one home received.
 */
export type MeasureRow = {
  readonly measure: Measure | 'several' | 'few';
  readonly grants: number;
  readonly cents: Cents;
  readonly pounds: Pounds;
};

export type CarbonSummary = {
  readonly totals: AllocationTotals;
  /** deliveredPounds + remainingPounds + unfinishedPounds = grantedPounds. Nothing is delivered before the work is done. */
  readonly deliveredPounds: Pounds;
  readonly remainingPounds: Pounds;
  /** Undefined if it would reveal a single home. It is then part of remainingPounds. */
  readonly unfinishedPounds: Pounds | undefined;
  /** Every year from the first to the last. The years add up to the totals. */
  readonly years: readonly PoundsYear[];
  readonly grants: number;
  readonly homes: number;
  /** Undefined if the sum would reveal a single home. */
  readonly paidGrants: PaidGrantSums | undefined;
};

export type PaidGrantSums = {
  readonly cents: Cents;
  /** Rows that add up to all payments and all granted pounds. */
  readonly measures: readonly MeasureRow[];
  /** Cents per 2,000 pounds, rounded to the nearest cent; undefined if nothing is saved. */
  readonly centsPerTon: Cents | undefined;
};

/**
 * Adds up the pounds sold, granted, and saved, by year and in total.
 * @param today pounds count as delivered up to the start of this day
 */
export function buildCarbonSummary(
  gifts: readonly OffsetGift[],
  grants: readonly PaidGrant[],
  { zone, today }: { readonly zone: TimeZone; readonly today: Day },
): CarbonSummary {
  const totals = sumAllocation({ gifts: gifts.map(({ share }) => share), grants: grants.map(({ share }) => share) });
  const yearSums = new YearSums();
  const getYear = createYearLookup(zone);
  const hidesUnfinished = revealsUnfinishedHome(grants);
  // The shortfall of the oldest gifts is covered first.
  let coveredPounds = sumAmounts(gifts.map(({ share }) => share.shortfallPounds)) - totals.shortfallPounds;
  for (const { postedAt, share } of gifts) {
    const { soldPounds, unallocatedPounds: unallocated } = share;
    const shortfallPounds = Math.max(0, share.shortfallPounds - coveredPounds);
    coveredPounds -= share.shortfallPounds - shortfallPounds;
    if (soldPounds > 0)
      yearSums.add(getYear(postedAt), {
        soldPounds,
        shortfallPounds,
        unallocatedPounds: unallocated,
        backedPounds: soldPounds - shortfallPounds - unallocated,
      });
  }
  for (const { paidAt, share, doneOn, lifetimeYears } of grants) {
    yearSums.add(getYear(paidAt), { grantedPounds: share.pounds });
    if (doneOn === null) continue;
    const countDeliveredPounds = (day: Day) =>
      calculateDeliveredPounds(share.pounds, { doneOn, years: lifetimeYears }, day);
    const firstYear = Number(doneOn.slice(0, 4));
    for (let year = firstYear; year <= firstYear + lifetimeYears; year += 1) {
      const [start, end] = [`${year}-01-01`, `${year + 1}-01-01`];
      const deliveredPounds =
        countDeliveredPounds(earlierDay(end, today)) - countDeliveredPounds(earlierDay(start, today));
      const remainingPounds = countDeliveredPounds(laterDay(end, today)) - countDeliveredPounds(laterDay(start, today));
      yearSums.add(year, { deliveredPounds, ...(hidesUnfinished ? {} : { remainingPounds }) });
    }
  }
  const years = yearSums.listYears();
  const deliveredPounds = sumAmounts(years.map((year) => year.deliveredPounds));
  const datedPounds = sumAmounts(years.map((year) => year.remainingPounds));
  const undeliveredPounds = totals.grantedPounds - deliveredPounds;
  return {
    totals,
    deliveredPounds,
    ...(hidesUnfinished
      ? {
          remainingPounds: undeliveredPounds,
          unfinishedPounds: undefined,
          years: years.map((year) => ({ ...year, remainingPounds: undefined })),
        }
      : { remainingPounds: datedPounds, unfinishedPounds: undeliveredPounds - datedPounds, years }),
    grants: grants.length,
    homes: new Set(grants.map(({ homeId }) => homeId)).size,
    paidGrants: revealsSingleHome(grants) ? undefined : summarizePaidGrants(grants),
  };
}

const NO_POUNDS = {
  soldPounds: 0,
  backedPounds: 0,
  shortfallPounds: 0,
  unallocatedPounds: 0,
  grantedPounds: 0,
  deliveredPounds: 0,
  remainingPounds: 0,
};

class YearSums {
  readonly #years = new Map<number, typeof NO_POUNDS>();

  add(year: number, pounds: Partial<typeof NO_POUNDS>): void {
    const previous = this.#years.get(year) ?? NO_POUNDS;
    const sums = Object.entries(pounds).map(([name, amount]) => [
      name,
      previous[name as keyof typeof NO_POUNDS] + amount,
    ]);
    this.#years.set(year, { ...previous, ...Object.fromEntries(sums) });
  }

  /** All years without gaps, including years without activity. */
  listYears() {
    const activeYears = [...this.#years].filter(([, pounds]) => Object.values(pounds).some((sum) => sum !== 0));
    if (activeYears.length === 0) return [];
    const firstYear = Math.min(...activeYears.map(([year]) => year));
    const lastYear = Math.max(...activeYears.map(([year]) => year));
    return Array.from({ length: lastYear - firstYear + 1 }, (_, index) => ({
      year: firstYear + index,
      ...(this.#years.get(firstYear + index) ?? NO_POUNDS),
    }));
  }
}

/**
 * Returns a function that maps a time to its year. For speed, computes only the start of each year: a large fund has a
 * million gifts.
 */
function createYearLookup(zone: TimeZone): (time: Date) => number {
  const starts = new Map<number, Date>();
  const startOfYear = (year: number) => {
    const start = starts.get(year) ?? startOfDay(`${year}-01-01`, zone);
    starts.set(year, start);
    return start;
  };
  return (time) => {
    const year = time.getUTCFullYear();
    if (time < startOfYear(year)) return year - 1;
    return time < startOfYear(year + 1) ? year : year + 1;
  };
}

function earlierDay(a: Day, b: Day): Day {
  return a < b ? a : b;
}

function laterDay(a: Day, b: Day): Day {
  return a > b ? a : b;
}

function sumAmounts(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** A sum over this many homes doesn't reveal another home's share (docs/decisions/0011). */
const MIN_HOMES = 3;

type HomePrivacy = Pick<PaidGrant, 'homeId' | 'isPublic'>;

/** @returns whether a sum reveals a private home's money to everyone, or to the only other private home */
export function revealsSingleHome(homes: readonly HomePrivacy[]): boolean {
  const privateCount = countPrivateHomes(homes);
  return privateCount > 0 && privateCount < MIN_HOMES;
}

/**
 * @returns whether the pounds of unfinished work, or the rest, reveal a private home. A grant is usually paid by the pound
 * (§9), so pounds reveal its amount.
 */
function revealsUnfinishedHome(grants: readonly PaidGrant[]): boolean {
  const unfinishedGrants = grants.filter(({ doneOn }) => doneOn === null);
  const finishedGrants = grants.filter(({ doneOn }) => doneOn !== null);
  return (
    revealsSingleHome(unfinishedGrants) ||
    (countPrivateHomes(unfinishedGrants) > 0 && revealsSingleHome(finishedGrants))
  );
}

function countPrivateHomes(homes: readonly HomePrivacy[]): number {
  return new Set(homes.filter(({ isPublic }) => !isPublic).map(({ homeId }) => homeId)).size;
}

function summarizePaidGrants(grants: readonly PaidGrant[]): PaidGrantSums {
  const cents = sumAmounts(grants.map(({ share }) => share.cents));
  const pounds = sumAmounts(grants.map(({ share }) => share.pounds));
  return {
    cents,
    measures: buildMeasureRows(grants),
    centsPerTon: pounds === 0 ? undefined : scaleRounded(cents, toTenThousandths(POUNDS_PER_TON), pounds),
  };
}

const MEASURE_ROWS = [...MEASURES, 'several', 'few'] as const;

/**
 * Groups grants by measure. A grant for several measures isn't split, because the share of each measure is unknown.
 * Rows that reveal a single home are combined, along with the smallest other rows, until the sum no longer reveals one.
 */
function buildMeasureRows(grants: readonly PaidGrant[]): MeasureRow[] {
  const groups = Map.groupBy(grants, ({ measures: [measure, ...otherMeasures] }): MeasureRow['measure'] =>
    measure === undefined || otherMeasures.length > 0 ? 'several' : measure,
  );
  const groupsByPrivateHomes = [...groups].toSorted(([, a], [, b]) => countPrivateHomes(a) - countPrivateHomes(b));
  const combinedGrants: PaidGrant[] = [];
  for (const [measure, group] of groupsByPrivateHomes) {
    const privateCount = countPrivateHomes(group);
    if (!revealsSingleHome(group) && (privateCount === 0 || !revealsSingleHome(combinedGrants))) continue;
    combinedGrants.push(...group);
    groups.delete(measure);
  }
  if (combinedGrants.length > 0) groups.set('few', combinedGrants);
  return MEASURE_ROWS.flatMap((measure) => {
    const group = groups.get(measure);
    if (!group) return [];
    const [cents, pounds] = [group.map(({ share }) => share.cents), group.map(({ share }) => share.pounds)];
    return [{ measure, grants: group.length, cents: sumAmounts(cents), pounds: sumAmounts(pounds) }];
  });
}

/** amount × multiplier ÷ divisor, rounded half up. */
function scaleRounded(amount: number, multiplier: number, divisor: number): number {
  return Number((BigInt(amount) * BigInt(multiplier) * 2n + BigInt(divisor)) / (BigInt(divisor) * 2n));
}

/** A fund's public amounts: gifts − fees − disputed − paid = remaining, part of which is promised. */
export type PublicMoney = Pick<AvailableFunds, 'gifts' | 'fees' | 'disputed'> & {
  /** Undefined if the sum would reveal a single home's share. */
  readonly paid: Cents | undefined;
  readonly remainingCents: Cents | undefined;
  readonly promised: Cents | undefined;
  readonly available: Cents | undefined;
};

/** @param promisedHomes homes with a promise but no payment */
export function buildPublicMoney(
  { gifts, fees, disputed, paid, promised: promisedCents, available }: AvailableFunds,
  summary: CarbonSummary,
  promisedHomes: readonly HomePrivacy[],
): PublicMoney {
  const publicSums = { gifts, fees, disputed };
  // Combined with the gifts and fees, each of these sums would reveal the payments.
  if (!summary.paidGrants)
    return { ...publicSums, paid: undefined, remainingCents: undefined, promised: undefined, available: undefined };
  const remainingCents = available + promisedCents;
  const promisedSums = revealsSingleHome(promisedHomes)
    ? { promised: undefined, available: undefined }
    : { promised: promisedCents, available };
  return { ...publicSums, paid, remainingCents, ...promisedSums };
}
