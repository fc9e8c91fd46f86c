import { deliveredBy, type GiftShare, type GrantShare, type Standing, standingOf } from './allocation.ts';
import type { FreeMoney } from './books.ts';
import { type Day, startOf, type TimeZone } from './days.ts';
import { POUNDS_PER_TON } from './emissions.ts';
import { MEASURES, type Measure } from './grant.ts';
import { type Cents, type TenThousandthsOfPound, tenThousandthsOf } from './money.ts';

type Pounds = TenThousandthsOfPound;

export type SoldGift = { readonly at: Date; readonly share: GiftShare };

/** A paid grant, with what the public account needs to know of its home. */
export type GrantedHome = {
  readonly at: Date;
  readonly share: GrantShare;
  readonly homeId: string;
  readonly measures: readonly Measure[];
  /** When the work was done, and how many years it lasts. */
  readonly doneOn: Day | null;
  readonly years: number;
  /** The household lets the public see what was paid for it, and what that saves. */
  readonly isOpen: boolean;
};

/** Pounds of a calendar year, by the clocks of the organization. */
export type PoundsYear = {
  readonly year: number;
  /** Of gifts of that year, less what went back since: backed, behind and waiting add up to it. */
  readonly sold: Pounds;
  readonly backed: Pounds;
  readonly behind: Pounds;
  readonly waiting: Pounds;
  /** What grants that were paid in that year save over all years. */
  readonly granted: Pounds;
  /** What homes saved in that year, and will still save in it. */
  readonly delivered: Pounds;
  readonly toCome: Pounds;
};

/** Grants for one measure; `several` for those for more than one, `few` for rows that would reveal what one home got. */
export type MeasureRow = {
  readonly measure: Measure | 'several' | 'few';
  readonly grants: number;
  readonly cents: Cents;
  readonly pounds: Pounds;
};

export type PoundsAccount = {
  readonly standing: Standing;
  /** delivered + toCome + notDone = granted. Nothing arrives before the work is done. */
  readonly delivered: Pounds;
  readonly toCome: Pounds;
  readonly notDone: Pounds;
  /** Every year from the first to the last; they add up to the standing. */
  readonly years: readonly PoundsYear[];
  readonly grants: number;
  readonly homes: number;
  /** Undefined where their sum would reveal what one home got. */
  readonly paid: PaidGrants | undefined;
};

export type PaidGrants = {
  readonly cents: Cents;
  /** They add up to all that was paid and to all that was granted. */
  readonly measures: readonly MeasureRow[];
  /** Cents for 2,000 pounds, rounded to the nearest; undefined where nothing is saved. */
  readonly centsPerTon: Cents | undefined;
};

/**
 * What was sold, granted and saved, year by year and in all.
 * @param today the day up to whose start pounds count as delivered
 */
export function poundsAccount(
  gifts: readonly SoldGift[],
  grants: readonly GrantedHome[],
  { zone, today }: { readonly zone: TimeZone; readonly today: Day },
): PoundsAccount {
  const standing = standingOf({ gifts: gifts.map(({ share }) => share), grants: grants.map(({ share }) => share) });
  const years = new Years();
  const yearOf = yearsOf(zone);
  for (const { at, share } of gifts) {
    const { promised: sold, behind, promisedWaiting: waiting } = share;
    if (sold > 0) years.add(yearOf(at), { sold, behind, waiting, backed: sold - behind - waiting });
  }
  for (const { at, share, doneOn, years: life } of grants) {
    years.add(yearOf(at), { granted: share.pounds });
    if (doneOn === null) continue;
    const by = (day: Day) => deliveredBy(share.pounds, { doneOn, years: life }, day);
    const first = Number(doneOn.slice(0, 4));
    for (let year = first; year <= first + life; year += 1) {
      const [start, end] = [`${year}-01-01`, `${year + 1}-01-01`];
      const delivered = by(earlier(end, today)) - by(earlier(start, today));
      years.add(year, { delivered, toCome: by(later(end, today)) - by(later(start, today)) });
    }
  }
  const all = years.all();
  const delivered = sumOf(all.map((year) => year.delivered));
  const toCome = sumOf(all.map((year) => year.toCome));
  return {
    ...{ standing, delivered, toCome, notDone: standing.granted - delivered - toCome, years: all },
    ...{ grants: grants.length, homes: new Set(grants.map(({ homeId }) => homeId)).size },
    paid: revealsOne(grants) ? undefined : paidGrants(grants),
  };
}

const NOTHING = { sold: 0, backed: 0, behind: 0, waiting: 0, granted: 0, delivered: 0, toCome: 0 };

class Years {
  readonly #years = new Map<number, typeof NOTHING>();

  add(year: number, pounds: Partial<typeof NOTHING>): void {
    const before = this.#years.get(year) ?? NOTHING;
    const sums = Object.entries(pounds).map(([name, more]) => [name, before[name as keyof typeof NOTHING] + more]);
    this.#years.set(year, { ...before, ...Object.fromEntries(sums) });
  }

  /** Without gaps: a year in which nothing happened is one too. */
  all(): PoundsYear[] {
    const known = [...this.#years].filter(([, pounds]) => Object.values(pounds).some((each) => each !== 0));
    if (known.length === 0) return [];
    const first = Math.min(...known.map(([year]) => year));
    const last = Math.max(...known.map(([year]) => year));
    return Array.from({ length: last - first + 1 }, (_, index) => ({
      year: first + index,
      ...(this.#years.get(first + index) ?? NOTHING),
    }));
  }
}

/** The year of a moment. Only the starts of years are looked up: a large fund has a million gifts. */
function yearsOf(zone: TimeZone): (at: Date) => number {
  const starts = new Map<number, Date>();
  const startOfYear = (year: number) => {
    const start = starts.get(year) ?? startOf(`${year}-01-01`, zone);
    starts.set(year, start);
    return start;
  };
  return (at) => {
    const year = at.getUTCFullYear();
    if (at < startOfYear(year)) return year - 1;
    return at < startOfYear(year + 1) ? year : year + 1;
  };
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b;
}

function later(a: Day, b: Day): Day {
  return a > b ? a : b;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, each) => sum + each, 0);
}

/** Of so many homes a sum tells nobody what another one got (docs/decisions/0011). */
const FEWEST_HOMES = 3;

type ConsentOfHome = Pick<GrantedHome, 'homeId' | 'isOpen'>;

/** Whether a sum over homes reveals what one of them got that did not agree to it: to all, or to the only other one. */
export function revealsOne(homes: readonly ConsentOfHome[]): boolean {
  const closed = closedHomes(homes);
  return closed > 0 && closed < FEWEST_HOMES;
}

function closedHomes(homes: readonly ConsentOfHome[]): number {
  return new Set(homes.filter(({ isOpen }) => !isOpen).map(({ homeId }) => homeId)).size;
}

function paidGrants(grants: readonly GrantedHome[]): PaidGrants {
  const cents = sumOf(grants.map(({ share }) => share.cents));
  const pounds = sumOf(grants.map(({ share }) => share.pounds));
  return {
    ...{ cents, measures: measureRows(grants) },
    centsPerTon: pounds === 0 ? undefined : nearest(cents, tenThousandthsOf(POUNDS_PER_TON), pounds),
  };
}

const ROWS = [...MEASURES, 'several', 'few'] as const;

/**
 * A grant for several measures is not split: nobody knows how much of it each one saves. Rows that reveal one home are one
 * row together, with the smallest others as long as it still reveals one.
 */
function measureRows(grants: readonly GrantedHome[]): MeasureRow[] {
  const groups = Map.groupBy(grants, ({ measures: [first, ...others] }): MeasureRow['measure'] =>
    first === undefined || others.length > 0 ? 'several' : first,
  );
  const byClosedHomes = [...groups].toSorted(([, a], [, b]) => closedHomes(a) - closedHomes(b));
  const few: GrantedHome[] = [];
  for (const [measure, group] of byClosedHomes) {
    const closed = closedHomes(group);
    if (!revealsOne(group) && (closed === 0 || !revealsOne(few))) continue;
    few.push(...group);
    groups.delete(measure);
  }
  if (few.length > 0) groups.set('few', few);
  return ROWS.flatMap((measure) => {
    const group = groups.get(measure);
    if (!group) return [];
    const [cents, pounds] = [group.map(({ share }) => share.cents), group.map(({ share }) => share.pounds)];
    return [{ measure, grants: group.length, cents: sumOf(cents), pounds: sumOf(pounds) }];
  });
}

/** amount × times ÷ whole, rounded half up. */
function nearest(amount: number, times: number, whole: number): number {
  return Number((BigInt(amount) * BigInt(times) * 2n + BigInt(whole)) / (BigInt(whole) * 2n));
}

/** The money of a fund as the public sees it: gifts − fees − disputed − paid = left, of which promised. */
export type PublicMoney = Pick<FreeMoney, 'gifts' | 'fees' | 'disputed'> & {
  /** Undefined where the sum would reveal what one home got or will get. */
  readonly paid: Cents | undefined;
  readonly left: Cents | undefined;
  readonly promised: Cents | undefined;
  readonly free: Cents | undefined;
};

/** @param promised the homes that are promised a grant and not paid */
export function publicMoney(
  { gifts, fees, disputed, paid, promised: cents, free }: FreeMoney,
  account: PoundsAccount,
  promised: readonly ConsentOfHome[],
): PublicMoney {
  const known = { gifts, fees, disputed };
  // Each of these tells what was paid, beside the gifts and fees.
  if (!account.paid) return { ...known, paid: undefined, left: undefined, promised: undefined, free: undefined };
  const left = free + cents;
  const split = revealsOne(promised) ? { promised: undefined, free: undefined } : { promised: cents, free };
  return { ...known, paid, left, ...split };
}
