import { dayOf, startOf, type TimeZone } from '#domain/days.ts';
import type { Cents } from '#domain/money.ts';
import { firstDayOf, type Month, nextMonth } from '#domain/statement.ts';
import type { BalanceMovement } from '#server/gateways/payments/balance-facts.ts';
import { isHeld, wordsOfMovement } from './other-movements.ts';
import type { BookedMovement } from './provider-books.store.ts';
import { keyOf, type Row, type Summed, sheetOf } from './provider-sheet.ts';

/** The provider's balance (decisions §3) at the end of a month, and the books' account at the provider beside it. */
export type MonthEnd = {
  readonly month: Month;
  readonly timeZone: TimeZone;
  readonly currency: string;
  readonly opening: Cents;
  readonly moved: Cents;
  readonly books: Cents;
  /** What the books have beyond the provider's balance, by its name. The sum is the whole difference. */
  readonly gaps: readonly Gap[];
};

type Gap = { readonly name: string; readonly amount: Cents };

type MonthEndOptions = {
  readonly timeZone: TimeZone;
  readonly now: Date;
  /** Keys of the sheet's rows that a person has settled. */
  readonly settledKeys: ReadonlySet<string>;
};

/** The last month that has ended, for each currency. */
export function monthEnds(
  booked: readonly BookedMovement[],
  movements: readonly BalanceMovement[],
  { timeZone, now, settledKeys }: MonthEndOptions,
): MonthEnd[] {
  const month = nextMonth(dayOf(now, timeZone).slice(0, 7), -1);
  const from = startOf(firstDayOf(month), timeZone);
  const until = startOf(firstDayOf(nextMonth(month)), timeZone);
  const currencies = [...new Set(movements.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const before = movements.filter((each) => each.currency === currency && each.at < until);
    const entries = booked.filter((each) => each.currency === currency && each.occurred_at < until);
    const opening = netOf(before.filter(({ at }) => at < from));
    const books = entries.reduce((sum, { cents }) => sum + cents, 0);
    const gaps = gapsOf(sheetOf(entries, before), before, settledKeys);
    return { month, timeZone, currency, opening, moved: netOf(before) - opening, books, gaps };
  });
}

const NAMES: Readonly<Record<Exclude<Summed, 'others'>, string>> = {
  charges: 'charges that are not in the books',
  refunds: 'refunds that are not in the books',
  disputes: 'disputes that are not in the books',
  fees: 'fees that are not in the books',
  payouts: 'payouts that reached the bank later',
};

function nameOf({ kind, type = '' }: Row): string {
  return kind === 'others' ? wordsOfMovement(type) : NAMES[kind];
}

function gapsOf(rows: readonly Row[], movements: readonly BalanceMovement[], settledKeys: ReadonlySet<string>): Gap[] {
  const all = [
    ...rows.map((row) => ({
      name: settledKeys.has(keyOf(row)) ? 'settled by hand' : nameOf(row),
      amount: (row.books ?? 0) - (row.provider ?? 0),
    })),
    ...movements
      .filter(({ type, kind }) => isHeld(type) || kind === 'debit')
      .map(({ type, kind, amount, fee }) => ({
        name: kind === 'debit' ? 'bank debits under way' : wordsOfMovement(type),
        amount: fee - amount,
      })),
  ];
  const byName = Map.groupBy(all, ({ name }) => name);
  return [...byName]
    .map(([name, some]) => ({ name, amount: some.reduce((sum, { amount }) => sum + amount, 0) }))
    .filter(({ amount }) => amount !== 0);
}

function netOf(movements: readonly BalanceMovement[]): Cents {
  return movements.reduce((sum, { amount, fee }) => sum + amount - fee, 0);
}
