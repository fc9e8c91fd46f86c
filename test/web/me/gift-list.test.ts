// @spec 2.user-home decisions.3
import { expect, test } from 'vitest';
import type { Gift, UserOffsetter } from '#contract/schemas/users.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import {
  calculateGivingTotals,
  describeGiftStatus,
  describeTotals,
  formatGiftTitle,
  getStoryLink,
  getStoryStatusLabel,
} from '#web/routes/me/gift-list.tsx';

const FLIGHT = {
  title: 'Air travel',
  description: 'Offset 1,000 lbs carbon',
  type: 'offset',
  offsetType: 'air',
  cost: 12.5,
  carbon: 1000,
  recurring: 'no',
} as const;
const DONATION = { ...FLIGHT, title: 'Donation', type: 'donation', offsetType: undefined, carbon: 0 } as const;

const GIFT: Gift = {
  orgid: 'ours',
  orgName: 'Ours',
  typicalGrant: null,
  checkoutid: 'c1',
  amount: 12.5,
  coveredFee: 0,
  carbon: 1000,
  returned: 0,
  pendingReturn: 0,
  notes: [],
  cart: [FLIGHT],
  recurring: false,
  tribute: null,
  paymentStatus: 'paid',
  receiptNumber: 7,
  receiptURL: null,
  receiptkey: null,
  checkoutURL: null,
  givenOn: '2026-03-14',
  createdTimestamp: '2026-03-01T23:30:00.000Z',
};
const STORY: UserOffsetter = {
  id: 'o1',
  orgid: 'ours',
  orgName: 'Ours',
  name: 'Ana',
  story: 'Because.',
  photoURL: null,
  shownAs: 'full',
  status: 'published',
  profileURL: '/orgs/ours/offsetters/o1/',
  editURL: '/orgs/ours/.edit/offsetters/o1/',
};

test('gifts to one organization are compared with its typical grant, excluding covered fees', () => {
  const gift = { ...GIFT, amount: 1005, coveredFee: 5, returned: 0, typicalGrant: 2000 };
  expect(describeTotals(calculateGivingTotals([gift]))).toContain('Together they pay for about one home.');
  expect(calculateGivingTotals([{ ...gift, pendingReturn: 1 }]).grantComparison).toBe('');
  expect(calculateGivingTotals([gift, { ...gift, orgid: 'theirs' }]).grantComparison).toBe('');
});

test('only paid gifts count', () => {
  const allGifts = PAYMENT_STATUSES.map((paymentStatus) => ({ ...GIFT, paymentStatus }));
  expect(calculateGivingTotals(allGifts)).toEqual({ gifts: 1, amount: 1250, carbon: 10_000_000, grantComparison: '' });
  expect(calculateGivingTotals([])).toEqual({ gifts: 0, amount: 0, carbon: 0, grantComparison: '' });
});

test('sums are exact: three times ten cents is thirty', () => {
  const dimes = [1, 2, 3].map(() => ({ ...GIFT, amount: 0.1, carbon: 0.1 }));
  expect(calculateGivingTotals(dimes)).toEqual({ gifts: 3, amount: 30, carbon: 3000, grantComparison: '' });
});

test('the totals are a sentence, or empty if no gifts count', () => {
  expect(describeTotals(calculateGivingTotals([GIFT]))).toBe(
    'You’ve given $12.50 so far and offset 1,000 lbs of carbon.',
  );
  expect(describeTotals(calculateGivingTotals([{ ...GIFT, carbon: 0 }, GIFT]))).toContain('$25 in 2 gifts');
  expect(describeTotals(calculateGivingTotals([{ ...GIFT, carbon: 0 }]))).toBe('You’ve given $12.50 so far.');
  expect(describeTotals(calculateGivingTotals([{ ...GIFT, paymentStatus: 'refunded' }]))).toBe('');
});

test('a gift is named after its distinct items, and a check has no cart', () => {
  expect(formatGiftTitle(GIFT)).toBe('Air travel');
  expect(formatGiftTitle({ cart: [FLIGHT, DONATION, FLIGHT] })).toBe('Air travel and Donation');
  expect(formatGiftTitle({ cart: [] })).toBe('Gift by check');
});

test('every status has a label, and only one label is "Paid"', () => {
  const labels = PAYMENT_STATUSES.map((paymentStatus) => describeGiftStatus({ ...GIFT, paymentStatus }));
  expect(labels.filter((word) => word === 'Paid')).toHaveLength(1);
  expect(labels.every((word) => word.length > 0)).toBe(true);
});

test.each([
  [{ returned: 5 }, 'Partly refunded: $5.00 of $12.50'],
  [{ returned: 12.5, paymentStatus: 'refunded' }, 'Refunded'],
  [{ pendingReturn: 5, returned: 2 }, 'Refund on its way: $5.00 of $12.50'],
  [{ pendingReturn: 12.5, paymentStatus: 'refunded' }, 'Refund on its way'],
  [{ returned: 5, paymentStatus: 'disputed' }, 'Disputed'],
  [{ returned: 12.5, paymentStatus: 'disputed' }, 'Reversed by the bank'],
] as const)('a gift with %o is labeled %s', (refund, label) => {
  expect(describeGiftStatus({ ...GIFT, ...refund })).toBe(label);
});

test('returned money isn’t part of the totals', () => {
  const partlyReturnedGift = { ...GIFT, returned: 5, pendingReturn: 2.5, carbon: 400 };
  expect(calculateGivingTotals([GIFT, partlyReturnedGift])).toEqual({
    gifts: 2,
    amount: 1750,
    carbon: 14_000_000,
    grantComparison: '',
  });
});

test('a gift links to its story form while it’s open, then to the donor’s story', () => {
  const openGift = { ...GIFT, checkoutURL: '/orgs/ours/checkouts/c1?receipt=r' };
  expect(getStoryLink(openGift, [STORY])).toEqual({ label: 'Tell your story', to: openGift.checkoutURL });
  expect(getStoryLink(GIFT, [{ ...STORY, orgid: 'theirs' }, STORY])).toEqual({
    label: 'See your story',
    to: STORY.profileURL,
  });
  expect(getStoryLink(GIFT, [{ ...STORY, status: 'draft' }])).toBeUndefined();
  expect(getStoryLink(GIFT, [{ ...STORY, shownAs: 'none' }])).toBeUndefined();
});

test('a story’s label states whether it’s shown or why not', () => {
  expect(getStoryStatusLabel(STORY)).toBe('Published');
  expect(getStoryStatusLabel({ status: 'published', shownAs: 'none' })).toBe('Not shown');
  expect(getStoryStatusLabel({ status: 'draft', shownAs: 'none' })).toBe('Not shown');
  expect(getStoryStatusLabel({ status: 'draft', shownAs: 'first' })).toBe('In review');
  expect(getStoryStatusLabel({ status: 'hidden', shownAs: 'none' })).toBe('Taken down');
});
