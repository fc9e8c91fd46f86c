// @spec decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adjustmentLines,
  checkLines,
  disputeLines,
  feeLines,
  type LedgerKind,
  type Lines,
  payoutLines,
  providerPaymentLines,
  refundLines,
  returnLines,
} from '#domain/books.ts';
import { splitReturnedPayout, sumSharesByOrg } from '#domain/payout.ts';
import { addMonths, createStatement, MONEY_ACCOUNTS, type PeriodSums } from '#domain/statement.ts';

type Movement = { readonly month: number; readonly kind: LedgerKind; readonly lines: Lines };

const KINDS: readonly (readonly [LedgerKind, (cents: number) => Lines])[] = [
  ['payment', providerPaymentLines],
  ['renewal', providerPaymentLines],
  ['check', checkLines],
  ['fee', feeLines],
  ['refund', refundLines],
  ['reversal', (cents) => refundLines(-cents)],
  ['reversal', (cents) => checkLines(-cents)],
  ['dispute', disputeLines],
  ['dispute', (cents) => disputeLines(-cents)],
  ['dispute', (cents) => returnLines('disputed', cents, 0)],
  ['payout', payoutLines],
  ['payout', (cents) => payoutLines(-cents)],
  ['adjustment', adjustmentLines],
];

const MONTHS = 6;
const movement: fc.Arbitrary<Movement> = fc
  .record({
    month: fc.integer({ min: 1, max: MONTHS }),
    kindAndBuilder: fc.constantFrom(...KINDS),
    cents: fc.integer({ min: 1, max: 10_000_000 }),
  })
  .map(({ month, kindAndBuilder: [kind, lines], cents }) => ({ month, kind, lines: lines(cents) }));

function computeMonthSums(movements: readonly Movement[], month: number): PeriodSums[] {
  return movements.flatMap(({ month: movementMonth, kind, lines }) =>
    MONEY_ACCOUNTS.map((account) => {
      const cents = lines[account] ?? 0;
      return {
        account,
        kind,
        before: movementMonth < month ? cents : 0,
        during: movementMonth === month ? cents : 0,
      };
    }),
  );
}

test('opening balance plus movements equals the closing balance and next month’s opening balance', () => {
  fc.assert(
    fc.property(fc.array(movement), (movements) => {
      let previous = createStatement(computeMonthSums(movements, 0));
      for (let month = 1; month <= MONTHS + 1; month += 1) {
        const statement = createStatement(computeMonthSums(movements, month));
        for (const account of [...MONEY_ACCOUNTS, 'all'] as const) {
          const { opening, gifts, fees, refunds, disputes, payouts, closing } = statement[account];
          expect(opening + gifts + fees + refunds + disputes + payouts).toBe(closing);
          expect(opening).toBe(previous[account].closing);
        }
        // A payout only moves money from the processor to the bank.
        expect(statement.all.payouts).toBe(0);
        previous = statement;
      }
      for (const account of MONEY_ACCOUNTS) {
        expect(previous[account].closing).toBe(movements.reduce((sum, { lines }) => sum + (lines[account] ?? 0), 0));
      }
    }),
  );
});

const part = fc.record({
  orgId: fc.option(fc.constantFrom('ithaca', 'elmira', 'owego')),
  cents: fc.integer({ min: -100_000, max: 100_000 }),
});

test('a returned payout splits like the original, and its parts add up to the total', () => {
  fc.assert(
    fc.property(fc.array(part), fc.integer({ min: -100, max: 100 }), (parts, difference) => {
      const total = parts.reduce((sum, { cents }) => sum + cents, 0) + difference;
      const returnedParts = splitReturnedPayout(total, parts);
      expect(returnedParts.reduce((sum, { cents }) => sum + cents, 0)).toBe(total);
      const shares = sumSharesByOrg(parts);
      for (const { orgId, cents } of returnedParts) if (orgId !== null) expect(cents).toBe(shares.get(orgId));
    }),
  );
});

test.each([
  ['2026-03', 1, '2026-04'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['0999-12', 1, '1000-01'],
])('%s plus %d months is %s', (month, months, expected) => {
  expect(addMonths(month, months)).toBe(expected);
});
