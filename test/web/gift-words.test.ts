import { expect, test } from 'vitest';
import type { Gift, OwnOffsetter } from '#contract/schemas/users.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { givingTotals, statusWord, storyStanding, totalsSentence, wayOn, whatOf } from '#web/routes/me/gift-list.tsx';
import { dayText } from '#web/ui/text.ts';

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
  checkoutid: 'c1',
  amount: 12.5,
  carbon: 1000,
  cart: [FLIGHT],
  recurring: false,
  paymentStatus: 'paid',
  receiptNumber: 7,
  checkoutURL: null,
  createdTimestamp: '2026-03-01T23:30:00.000Z',
};
const STORY: OwnOffsetter = {
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

test('only what is paid counts', () => {
  const all = PAYMENT_STATUSES.map((paymentStatus) => ({ ...GIFT, paymentStatus }));
  expect(givingTotals(all)).toEqual({ gifts: 1, amount: 1250, carbon: 10_000_000 });
  expect(givingTotals([])).toEqual({ gifts: 0, amount: 0, carbon: 0 });
});

test('sums are exact: three times ten cents are thirty', () => {
  const dimes = [1, 2, 3].map(() => ({ ...GIFT, amount: 0.1, carbon: 0.1 }));
  expect(givingTotals(dimes)).toEqual({ gifts: 3, amount: 30, carbon: 3000 });
});

test('the totals are told in a sentence, and nothing where nothing counts', () => {
  expect(totalsSentence(givingTotals([GIFT]))).toBe(
    'You have given $12.50 in one gift, and offset 1,000 lbs of carbon.',
  );
  expect(totalsSentence(givingTotals([{ ...GIFT, carbon: 0 }, GIFT]))).toContain('$25.00 in 2 gifts');
  expect(totalsSentence(givingTotals([{ ...GIFT, carbon: 0 }]))).toBe('You have given $12.50 in one gift.');
  expect(totalsSentence(givingTotals([{ ...GIFT, paymentStatus: 'refunded' }]))).toBe('');
});

test('a gift is called by what it was made of, each once; a check has no cart', () => {
  expect(whatOf(GIFT)).toBe('Air travel');
  expect(whatOf({ cart: [FLIGHT, DONATION, FLIGHT] })).toBe('Air travel and Donation');
  expect(whatOf({ cart: [] })).toBe('Gift by check');
});

test('every status has a word, and only a paid one says so', () => {
  const words = PAYMENT_STATUSES.map((status) => statusWord(status));
  expect(words.filter((word) => word === 'Paid')).toHaveLength(1);
  expect(words.every((word) => word.length > 0)).toBe(true);
});

test('a gift leads to the form of its story while that can be told, else to the story of its organization', () => {
  const open = { ...GIFT, checkoutURL: '/orgs/ours/checkouts/c1?receipt=r' };
  expect(wayOn(open, [STORY])).toEqual({ label: 'Tell your story', to: open.checkoutURL });
  expect(wayOn(GIFT, [{ ...STORY, orgid: 'theirs' }, STORY])).toEqual({
    label: 'See your story',
    to: STORY.profileURL,
  });
  expect(wayOn(GIFT, [{ ...STORY, status: 'draft' }])).toBeUndefined();
  expect(wayOn(GIFT, [{ ...STORY, shownAs: 'none' }])).toBeUndefined();
});

test('an own story tells whether everybody sees it, or why not', () => {
  expect(storyStanding(STORY)).toBe('Published');
  expect(storyStanding({ status: 'published', shownAs: 'none' })).toBe('Not shown');
  expect(storyStanding({ status: 'draft', shownAs: 'none' })).toBe('Not shown');
  expect(storyStanding({ status: 'draft', shownAs: 'first' })).toBe('Waits for an editor');
  expect(storyStanding({ status: 'hidden', shownAs: 'none' })).toBe('Taken down');
});

test('a day is the day of the receipt, wherever one reads it', () => {
  expect(dayText(GIFT.createdTimestamp)).toBe('March 1, 2026');
});
