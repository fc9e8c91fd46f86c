// @spec 4.checkout 9.checkout-expiry decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CheckoutLife,
  isOver,
  isUnsettled,
  PAYMENT_STATUSES,
  type PaymentReport,
  type PaymentStatus,
  statusAfter,
} from '#domain/checkout.ts';

const HOUR = 3_600_000;
const createdAt = new Date('2026-03-08T06:30:00Z');
const open: CheckoutLife = { completed: false, paymentStatus: 'paid', createdTimestamp: createdAt };
const timeAfter = (milliseconds: number) => new Date(createdAt.getTime() + milliseconds);
const status = fc.constantFrom(...PAYMENT_STATUSES);
const report = fc.constantFrom<PaymentReport>('processing', 'paid', 'failed', 'expired');

test('a checkout is over when it is missing, completed, or has no creation time', () => {
  expect(isOver(undefined, createdAt)).toBe(true);
  expect(isOver({ ...open, completed: true }, createdAt)).toBe(true);
  expect(isOver({ ...open, createdTimestamp: undefined }, createdAt)).toBe(true);
  expect(isOver({ completed: false, paymentStatus: 'paid' }, createdAt)).toBe(true);
  expect(isOver(open, createdAt)).toBe(false);
});

test('a checkout stays open for exactly 24 hours, paid or not', () => {
  for (const paymentStatus of PAYMENT_STATUSES) {
    const checkout = { ...open, paymentStatus };
    expect(isOver(checkout, timeAfter(24 * HOUR - 1))).toBe(false);
    expect(isOver(checkout, timeAfter(24 * HOUR))).toBe(false);
    expect(isOver(checkout, timeAfter(24 * HOUR + 1))).toBe(true);
  }
});

test('the receipt link keeps a paid checkout open for exactly 30 days', () => {
  expect(isOver(open, timeAfter(24 * HOUR + 1), true)).toBe(false);
  expect(isOver(open, timeAfter(30 * 24 * HOUR), true)).toBe(false);
  expect(isOver(open, timeAfter(30 * 24 * HOUR + 1), true)).toBe(true);
  expect(isOver({ ...open, completed: true }, timeAfter(1), true)).toBe(true);
});

test('the receipt link doesn’t open an unpaid checkout', () => {
  for (const paymentStatus of PAYMENT_STATUSES.filter((name) => name !== 'paid')) {
    expect(isOver({ ...open, paymentStatus }, timeAfter(24 * HOUR + 1), true)).toBe(true);
  }
});

test('a slow clock does not end a checkout', () => {
  expect(isOver(open, timeAfter(-5000))).toBe(false);
});

test('an ended checkout can’t be reopened', () => {
  const age = fc.integer({ min: 0, max: 60 * 24 * HOUR });
  fc.assert(
    fc.property(age, age, status, fc.boolean(), (a, b, paymentStatus, cameFromReceipt) => {
      const checkout = { ...open, paymentStatus };
      const [earlier, later] = a < b ? [a, b] : [b, a];
      fc.pre(isOver(checkout, timeAfter(earlier), cameFromReceipt));
      expect(isOver(checkout, timeAfter(later), cameFromReceipt)).toBe(true);
    }),
  );
});

test.each([
  ['unpaid', 'processing', 'processing'],
  ['unpaid', 'paid', 'paid'],
  ['unpaid', 'failed', 'failed'],
  ['unpaid', 'expired', 'expired'],
  ['processing', 'paid', 'paid'],
  ['processing', 'failed', 'failed'],
  ['failed', 'paid', 'paid'],
  ['expired', 'paid', 'paid'],
  ['failed', 'processing', 'failed'],
  ['expired', 'processing', 'processing'],
  ['expired', 'failed', 'failed'],
  ['paid', 'failed', 'paid'],
  ['paid', 'expired', 'paid'],
  ['paid', 'processing', 'paid'],
  ['refunded', 'paid', 'refunded'],
  ['disputed', 'paid', 'disputed'],
] as const)('%s followed by a report of %s becomes %s', (before, reported, expected) => {
  expect(statusAfter(before, reported)).toBe(expected);
});

test('a "paid" report makes the checkout paid in any order', () => {
  const reports = fc
    .array(report, { maxLength: 8 })
    .chain((others) => fc.shuffledSubarray<PaymentReport>([...others, 'paid'], { minLength: others.length + 1 }));
  fc.assert(
    fc.property(reports, (all) => {
      expect(all.reduce<PaymentStatus>(statusAfter, 'unpaid')).toBe('paid');
    }),
  );
});

test('a repeated report changes nothing', () => {
  fc.assert(
    fc.property(status, report, (before, reported) => {
      const once = statusAfter(before, reported);
      expect(statusAfter(once, reported)).toBe(once);
    }),
  );
});

test('a late report never restores returned money', () => {
  fc.assert(
    fc.property(fc.constantFrom<PaymentStatus>('refunded', 'disputed'), fc.array(report), (before, reports) => {
      expect(reports.reduce(statusAfter, before)).toBe(before);
    }),
  );
});

test('the provider is asked again until it reports a final status', () => {
  expect(PAYMENT_STATUSES.filter(isUnsettled)).toEqual(['unpaid', 'processing']);
});
