import { formatCents } from '#domain/money.ts';
import type { ProviderComparison, ProviderDifference } from '#server/features/ledger/compare-with-provider.ts';
import { wordsOfMovement } from '#server/features/ledger/other-movements.ts';

/** Output of `npm run verify-ledger -- --provider`: the sums of both sides, then each difference. */
export function comparisonLines(
  { sums, differences, foreignCharges, held }: ProviderComparison,
  livemode: boolean,
): string[] {
  const mode = livemode ? 'live' : 'test';
  return [
    `At the payment provider, ${mode} payments:`,
    ...sums.map(
      ({ kind, currency, books, provider }) =>
        `  ${kind.padEnd(9)} books ${money(books, currency)}, provider ${money(provider, currency)}`,
    ),
    ...held.map(
      ({ type, currency, amount }) =>
        `  Not in the books, since it stays the fund’s: ${wordsOfMovement(type)} ${money(amount, currency)}`,
    ),
    ...(foreignCharges > 0 ? [`  Charges of other programs and installations, left out: ${foreignCharges}`] : []),
    ...differences.map(providerDifferenceLine),
    differences.length === 0
      ? 'No difference from the payment provider.'
      : `${differences.length} differences from the payment provider.`,
  ];
}

export function providerDifferenceLine(difference: ProviderDifference): string {
  const { kind, id, type, chargeId, books, provider, currency } = difference;
  const about = chargeId === undefined || chargeId === id ? '' : ` of charge ${chargeId}`;
  const format = (cents: number | undefined) => (cents === undefined ? 'nothing' : money(cents, currency));
  const what = type === undefined ? WORDS[kind] : wordsOfMovement(type);
  return `${what} ${id}${about}: the books say ${format(books)}, the provider says ${format(provider)}`;
}

export const WORDS = {
  charges: 'charge',
  refunds: 'refund',
  disputes: 'dispute',
  fees: 'fee',
  payouts: 'payout',
  others: 'other movement',
} as const satisfies Record<ProviderDifference['kind'], string>;

/** Formats an amount. Currencies other than USD appear in their smallest unit, since not all have hundredths. */
export function money(cents: number, currency: string): string {
  return currency === 'usd' ? formatCents(cents) : `${cents} ${currency}`;
}
