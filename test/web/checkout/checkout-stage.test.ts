// @spec 2.checkout-screen 4.checkout decisions.3
import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { getStage, getStageText, isPaidStage, willRetryDebit } from '#web/routes/checkout/checkout-stage.ts';

const OFFSET = {
  title: 'Air travel',
  description: 'Offset 1,000 lbs carbon',
  type: 'offset',
  cost: 12.5,
  carbon: 1000,
  recurring: 'no',
} as const;
const NO_STORY = { draft: null, offsetterURL: null, cart: [OFFSET], total: 12.5, coveredFee: 0 };
const DRAFT = {
  id: 'a',
  name: 'Maria',
  story: 'We fly to see my parents.',
  photoURL: null,
  photo: null,
  profileURL: '/orgs/sample/offsetters/a/',
  createdTimestamp: '2026-01-01T00:00:00.000Z',
};

test('the profile form is shown only while a checkout is paid and open', () => {
  const profileFormStates = PAYMENT_STATUSES.flatMap((paymentStatus) =>
    [true, false]
      .filter((isOver) => getStage({ paymentStatus, isOver }) === 'profile-form')
      .map((isOver) => [paymentStatus, isOver]),
  );
  expect(profileFormStates).toEqual([['paid', false]]);
});

test('a paid checkout is over if the server reports it or an upload failed', () => {
  expect(getStage({ paymentStatus: 'paid', isOver: true })).toBe('over');
  expect(getStage({ paymentStatus: 'paid', isOver: false }, true)).toBe('over');
});

test('an unpaid checkout shows as being confirmed, even if it expired', () => {
  expect(getStage({ paymentStatus: 'unpaid', isOver: false })).toBe('confirming');
  expect(getStage({ paymentStatus: 'unpaid', isOver: true })).toBe('confirming');
});

test('only paid checkouts show thanks', () => {
  for (const paymentStatus of PAYMENT_STATUSES) {
    for (const isOver of [true, false]) {
      const stage = getStage({ paymentStatus, isOver });
      const hasThanks = getStageText(stage, NO_STORY).heading === 'Thank you for offsetting!';
      expect([paymentStatus, hasThanks, isPaidStage(stage)]).toEqual([
        paymentStatus,
        paymentStatus === 'paid',
        paymentStatus === 'paid',
      ]);
    }
  }
});

test.each(['failed', 'expired'] as const)('a checkout that is %s states that nothing was charged', (paymentStatus) => {
  const { lead } = getStageText(getStage({ paymentStatus, isOver: false }), NO_STORY);
  expect(lead).toMatch(/nothing was charged/i);
});

test('after the first debit of a recurring gift fails, the donor isn’t asked to give again', () => {
  const recurring = { ...NO_STORY, cart: [donationItem(25, 'month')] };
  expect(getStageText('failed', recurring).lead).toContain('Our email says whether we’ll try again');
  expect([willRetryDebit('failed', recurring), willRetryDebit('failed', NO_STORY)]).toEqual([true, false]);
});

test('an unsettled payment shows as being confirmed, and a bank payment as taking days', () => {
  const confirming = getStageText('confirming', NO_STORY);
  const processing = getStageText('processing', NO_STORY);
  expect([confirming.heading, processing.heading]).toEqual([
    'We are confirming your payment',
    'We are confirming your payment',
  ]);
  expect(processing.lead).toContain('days');
});

test('after the checkout, the page shows the story’s status', () => {
  expect(getStageText('over', { ...NO_STORY, draft: DRAFT }, 'in-review').lead).toContain(
    'An editor will look at your story',
  );
  expect(getStageText('over', NO_STORY, 'lost').lead).toContain('your story may not have gone through');
  expect(getStageText('over', NO_STORY).lead).toBe('We’ve received your gift.');
});

test('a story that arrived despite a lost response is shown as live', () => {
  const withStory = { ...NO_STORY, offsetterURL: DRAFT.profileURL };
  expect(getStageText('over', withStory, 'lost').lead).toBe('We’ve received your gift, and your story is live.');
});

test('a donation without an offset gets thanks for giving', () => {
  const donation = { ...OFFSET, type: 'donation', carbon: 0 } as const;
  expect(getStageText('over', { ...NO_STORY, cart: [donation] }).lead).toMatch(/^Thank you for giving\. /);
});

const DONOR = {
  name: 'Ada Giver',
  maskedEmail: 'a***@example.org',
  receiptNumber: 1207,
  receiptURL: null,
  nextChargeOn: null,
};

test.each<[string, Parameters<typeof getStageText>[1], string]>([
  ['an offset', NO_STORY, 'Your $12.50 will help warm a neighbor’s home.'],
  [
    'a gift in memory of someone',
    { ...NO_STORY, tribute: { kind: 'memory', name: 'Eleanor Kells', card: null }, donor: DONOR },
    'In memory of Eleanor Kells. Your $12.50 will help warm a neighbor’s home.',
  ],
  [
    'a monthly gift',
    {
      ...NO_STORY,
      cart: [donationItem(25, 'month')],
      total: 25,
      donor: { ...DONOR, receiptNumber: null, nextChargeOn: '2026-12-26' },
    },
    'Your gift of $25.00 every month will help warm a neighbor’s home. Next gift: December 26, 2026. Change or stop it anytime from your receipt email.',
  ],
  ['a partly refunded gift', { ...NO_STORY, isPartlyReturned: true, donor: DONOR }, 'Your payment is confirmed.'],
])('after paying, the page describes %s', (_title, checkout, lead) => {
  expect(getStageText('profile-form', checkout).lead).toBe(lead);
});
