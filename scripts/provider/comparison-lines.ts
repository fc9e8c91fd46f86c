import { formatCents } from '#domain/money.ts';
import type { ProviderComparison, ProviderDifference } from '#server/features/ledger/compare-with-provider.ts';

/** Output of `npm run verify-ledger -- --provider`: the sums of both sides, then each difference. */
export function comparisonLines(
  { sums, differences, foreignCharges, ofAccount }: ProviderComparison,
  livemode: boolean,
): string[] {
  const mode = livemode ? 'live' : 'test';
  return [
    `At the payment provider, ${mode} payments:`,
    ...sums.map(
      ({ kind, currency, books, provider }) =>
        `  ${kind.padEnd(9)} books ${money(books, currency)}, provider ${money(provider, currency)}`,
    ),
    ...[...ofAccount].map(
      ([currency, cents]) =>
        `  The account's own fees and other movements, which belong to no organization: ${money(cents, currency)}`,
    ),
    ...(foreignCharges > 0 ? [`  Charges of other programs and installations, left out: ${foreignCharges}`] : []),
    ...differences.map(providerDifferenceLine),
    differences.length === 0
      ? 'No difference from the payment provider.'
      : `${differences.length} differences from the payment provider.`,
  ];
}

export function providerDifferenceLine({ kind, id, chargeId, books, provider, currency }: ProviderDifference): string {
  const about = chargeId === undefined || chargeId === id ? '' : ` of charge ${chargeId}`;
  const format = (cents: number | undefined) => (cents === undefined ? 'nothing' : money(cents, currency));
  return `${WORDS[kind]} ${id}${about}: the books say ${format(books)}, the provider says ${format(provider)}`;
}

export const WORDS = {
  charges: 'charge',
  refunds: 'refund',
  disputes: 'dispute',
  fees: 'fee',
  payouts: 'payout',
} as const satisfies Record<ProviderDifference['kind'], string>;

/** Formats an amount. Currencies other than USD appear in their smallest unit, since not all have hundredths. */
export function money(cents: number, currency: string): string {
  return currency === 'usd' ? formatCents(cents) : `${cents} ${currency}`;
}
