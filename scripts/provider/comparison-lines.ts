import { formatCents } from '#domain/money.ts';
import { formatMonth } from '#domain/statement.ts';
import type { ProviderComparison, ProviderDifference } from '#server/features/ledger/compare-with-provider.ts';
import type { MonthEnd } from '#server/features/ledger/month-ends.ts';
import { movementLabel } from '#server/features/ledger/other-movements.ts';
import { formatDifferenceCount } from '../format-difference-count.ts';

/** Output of `npm run verify-ledger -- --provider`: the sums of both sides, then each difference. */
export function formatComparison(
  { sums, differences, resolvedDifferences, foreignCharges, reserves, monthEnds }: ProviderComparison,
  livemode: boolean,
): string[] {
  const mode = livemode ? 'live' : 'test';
  return [
    `At the payment provider, ${mode} payments:`,
    ...sums.map(
      ({ kind, currency, bookCents, providerCents }) =>
        `  ${kind.padEnd(9)} books ${formatAmount(bookCents, currency)}, provider ${formatAmount(providerCents, currency)}`,
    ),
    ...reserves.map(
      ({ type, currency, amount }) =>
        `  Not in the books, since it still belongs to the fund: ${movementLabel(type)} ${formatAmount(amount, currency)}`,
    ),
    ...formatResolvedSums(resolvedDifferences),
    ...(foreignCharges > 0 ? [`  Excluded charges of other programs and installations: ${foreignCharges}`] : []),
    ...monthEnds.map(formatMonthEnd),
    ...differences.map(formatProviderDifference),
    `${formatDifferenceCount(differences.length)} from the payment provider.`,
  ];
}

function formatResolvedSums(resolvedDifferences: ProviderComparison['resolvedDifferences']): string[] {
  return [...Map.groupBy(resolvedDifferences, ({ currency }) => currency)].map(([currency, differences]) => {
    const sum = differences.reduce((total, { providerCents = 0 }) => total + providerCents, 0);
    return `  Not in the books, because it was resolved manually: ${formatAmount(sum, currency)}`;
  });
}

function formatMonthEnd({ month, timeZone, currency, openingBalance, netMovement, bookCents, gaps }: MonthEnd): string {
  const format = (cents: number) => formatAmount(cents, currency);
  const balance = `${format(openingBalance)} + ${format(netMovement)} moved = ${format(openingBalance + netMovement)} at the provider`;
  const gapText = gaps.map(({ name, amount }) => `; ${name} ${format(amount)}`).join('');
  return `  End of ${formatMonth(month)}, ${timeZone}: ${balance}, ${format(bookCents)} in the books${gapText}`;
}

export function formatProviderDifference(difference: ProviderDifference): string {
  const { kind, id, type, chargeId, bookCents, providerCents, currency } = difference;
  const chargeText = chargeId === undefined || chargeId === id ? '' : ` of charge ${chargeId}`;
  const format = (cents: number | undefined) => (cents === undefined ? 'nothing' : formatAmount(cents, currency));
  const name = type === undefined ? KIND_NAMES[kind] : movementLabel(type);
  return `${name} ${id}${chargeText}: the books have ${format(bookCents)}, the provider has ${format(providerCents)}`;
}

export const KIND_NAMES = {
  charges: 'charge',
  refunds: 'refund',
  disputes: 'dispute',
  fees: 'fee',
  payouts: 'payout',
  others: 'other movement',
} as const satisfies Record<ProviderDifference['kind'], string>;

/** Formats an amount. Amounts in other currencies are in the smallest unit, since not all currencies have cents. */
export function formatAmount(cents: number, currency: string): string {
  return currency === 'usd' ? formatCents(cents) : `${cents} ${currency}`;
}
