import { dayOf, startOfDay, type TimeZone } from '#domain/days.ts';
import type { Cents } from '#domain/money.ts';
import { addMonths, firstDayOfMonth, type Month } from '#domain/statement.ts';
import type { BalanceMovement } from '#server/gateways/payments/balance-facts.ts';
import { isReserve, movementLabel } from './other-movements.ts';
import type { BookEntry } from './provider-books.store.ts';
import { buildReconciliationRows, type Row, type RowKind, rowKey } from './reconciliation-rows.ts';

/** The provider's balance (decisions §3) at the end of a month, compared with the provider account in the books. */
export type MonthEnd = {
  readonly month: Month;
  readonly timeZone: TimeZone;
  readonly currency: string;
  readonly openingBalance: Cents;
  readonly netMovement: Cents;
  readonly bookCents: Cents;
  /** Reasons why the books differ from the provider's balance. The amounts add up to the difference. */
  readonly gaps: readonly Gap[];
};

type Gap = { readonly name: string; readonly amount: Cents };

type MonthEndOptions = {
  readonly timeZone: TimeZone;
  readonly now: Date;
  /** Keys of the reconciliation rows that a person has resolved. */
  readonly resolvedKeys: ReadonlySet<string>;
};

/** Summarizes the last complete month for each currency. */
export function summarizeMonthEnds(
  bookEntries: readonly BookEntry[],
  movements: readonly BalanceMovement[],
  { timeZone, now, resolvedKeys }: MonthEndOptions,
): MonthEnd[] {
  const month = addMonths(dayOf(now, timeZone).slice(0, 7), -1);
  const monthStart = startOfDay(firstDayOfMonth(month), timeZone);
  const monthEnd = startOfDay(firstDayOfMonth(addMonths(month)), timeZone);
  const currencies = [...new Set(movements.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const earlierMovements = movements.filter(
      (movement) => movement.currency === currency && movement.occurredAt < monthEnd,
    );
    const entries = bookEntries.filter((entry) => entry.currency === currency && entry.occurred_at < monthEnd);
    const openingBalance = sumNet(earlierMovements.filter(({ occurredAt }) => occurredAt < monthStart));
    const bookCents = entries.reduce((sum, { cents }) => sum + cents, 0);
    const gaps = findGaps(buildReconciliationRows(entries, earlierMovements), earlierMovements, resolvedKeys);
    return {
      month,
      timeZone,
      currency,
      openingBalance,
      netMovement: sumNet(earlierMovements) - openingBalance,
      bookCents,
      gaps,
    };
  });
}

const GAP_NAMES: Readonly<Record<Exclude<RowKind, 'others'>, string>> = {
  charges: 'charges that are not in the books',
  refunds: 'refunds that are not in the books',
  disputes: 'disputes that are not in the books',
  fees: 'fees that are not in the books',
  payouts: 'payouts that reached the bank later',
};

function getGapName({ kind, type = '' }: Row): string {
  return kind === 'others' ? movementLabel(type) : GAP_NAMES[kind];
}

function findGaps(
  rows: readonly Row[],
  movements: readonly BalanceMovement[],
  resolvedKeys: ReadonlySet<string>,
): Gap[] {
  const gaps = [
    ...rows.map((row) => ({
      name: resolvedKeys.has(rowKey(row)) ? 'resolved manually' : getGapName(row),
      amount: (row.bookCents ?? 0) - (row.providerCents ?? 0),
    })),
    ...movements
      .filter(({ type, kind }) => isReserve(type) || kind === 'debit')
      .map(({ type, kind, amount, fee }) => ({
        name: kind === 'debit' ? 'pending bank debits' : movementLabel(type),
        amount: fee - amount,
      })),
  ];
  const byName = Map.groupBy(gaps, ({ name }) => name);
  return [...byName]
    .map(([name, group]) => ({ name, amount: group.reduce((sum, { amount }) => sum + amount, 0) }))
    .filter(({ amount }) => amount !== 0);
}

function sumNet(movements: readonly BalanceMovement[]): Cents {
  return movements.reduce((sum, { amount, fee }) => sum + amount - fee, 0);
}
