// @spec 4.checkout 9.checkout-expiry decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isProfileStepOver,
  isUnsettled,
  PAYMENT_STATUSES,
  type PaymentReport,
  type PaymentStatus,
  type ProfileStepState,
  statusAfter,
} from '#domain/checkout.ts';

const HOUR = 3_600_000;
const createdAt = new Date('2026-03-08T06:30:00Z');
const openCheckout: ProfileStepState = { completed: false, paymentStatus: 'paid', createdTimestamp: createdAt };
const timeAfter = (milliseconds: number) => new Date(createdAt.getTime() + milliseconds);
const status = fc.constantFrom(...PAYMENT_STATUSES);
const report = fc.constantFrom<PaymentReport>('processing', 'paid', 'failed', 'expired');

test('the profile step is over if the checkout is missing, is completed, or has no creation time', () => {
  expect(isProfileStepOver(undefined, createdAt)).toBe(true);
  expect(isProfileStepOver({ ...openCheckout, completed: true }, createdAt)).toBe(true);
  expect(isProfileStepOver({ ...openCheckout, createdTimestamp: undefined }, createdAt)).toBe(true);
  expect(isProfileStepOver({ completed: false, paymentStatus: 'paid' }, createdAt)).toBe(true);
  expect(isProfileStepOver(openCheckout, createdAt)).toBe(false);
});

test('a checkout stays open for exactly 24 hours, paid or not', () => {
  for (const paymentStatus of PAYMENT_STATUSES) {
    const checkout = { ...openCheckout, paymentStatus };
    expect(isProfileStepOver(checkout, timeAfter(24 * HOUR - 1))).toBe(false);
    expect(isProfileStepOver(checkout, timeAfter(24 * HOUR))).toBe(false);
    expect(isProfileStepOver(checkout, timeAfter(24 * HOUR + 1))).toBe(true);
  }
});

test('the receipt link keeps a paid checkout open for exactly 30 days', () => {
  expect(isProfileStepOver(openCheckout, timeAfter(24 * HOUR + 1), true)).toBe(false);
  expect(isProfileStepOver(openCheckout, timeAfter(30 * 24 * HOUR), true)).toBe(false);
  expect(isProfileStepOver(openCheckout, timeAfter(30 * 24 * HOUR + 1), true)).toBe(true);
  expect(isProfileStepOver({ ...openCheckout, completed: true }, timeAfter(1), true)).toBe(true);
});

test('the receipt link doesn’t open an unpaid checkout', () => {
  for (const paymentStatus of PAYMENT_STATUSES.filter((name) => name !== 'paid')) {
    expect(isProfileStepOver({ ...openCheckout, paymentStatus }, timeAfter(24 * HOUR + 1), true)).toBe(true);
  }
});

test('a slow clock does not end a checkout', () => {
  expect(isProfileStepOver(openCheckout, timeAfter(-5000))).toBe(false);
});

test('an ended checkout can’t be reopened', () => {
  const age = fc.integer({ min: 0, max: 60 * 24 * HOUR });
  fc.assert(
    fc.property(age, age, status, fc.boolean(), (a, b, paymentStatus, cameFromReceipt) => {
      const checkout = { ...openCheckout, paymentStatus };
      const [earlier, later] = a < b ? [a, b] : [b, a];
      fc.pre(isProfileStepOver(checkout, timeAfter(earlier), cameFromReceipt));
      expect(isProfileStepOver(checkout, timeAfter(later), cameFromReceipt)).toBe(true);
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
] as const)('%s followed by a report of %s becomes %s', (before, reportedStatus, expected) => {
  expect(statusAfter(before, reportedStatus)).toBe(expected);
});

test('a "paid" report makes the checkout paid in any order', () => {
  const reports = fc
    .array(report, { maxLength: 8 })
    .chain((otherReports) =>
      fc.shuffledSubarray<PaymentReport>([...otherReports, 'paid'], { minLength: otherReports.length + 1 }),
    );
  fc.assert(
    fc.property(reports, (shuffledReports) => {
      expect(shuffledReports.reduce<PaymentStatus>(statusAfter, 'unpaid')).toBe('paid');
    }),
  );
});

test('a repeated report changes nothing', () => {
  fc.assert(
    fc.property(status, report, (before, reportedStatus) => {
      const firstStatus = statusAfter(before, reportedStatus);
      expect(statusAfter(firstStatus, reportedStatus)).toBe(firstStatus);
    }),
  );
});

test('a late report never undoes a refund or dispute', () => {
  fc.assert(
    fc.property(fc.constantFrom<PaymentStatus>('refunded', 'disputed'), fc.array(report), (before, reports) => {
      expect(reports.reduce(statusAfter, before)).toBe(before);
    }),
  );
});

test('the provider is polled until it reports a final status', () => {
  expect(PAYMENT_STATUSES.filter(isUnsettled)).toEqual(['unpaid', 'processing']);
});
