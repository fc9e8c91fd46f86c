import { expect, test } from 'vitest';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { isGiven, needsCompletion, stageOf, wordsOf } from '#web/routes/checkout/checkout-stage.ts';

const NOWHERE = { draft: null, offsetterURL: null };
const DRAFT = {
  id: 'a',
  name: 'Maria',
  story: 'We fly to see my parents.',
  photoURL: null,
  photo: null,
  profileURL: '/orgs/sample/offsetters/a/',
  createdTimestamp: '2026-01-01T00:00:00.000Z',
};

test('only a checkout that is paid and open asks for the profile', () => {
  const asking = PAYMENT_STATUSES.flatMap((paymentStatus) =>
    [true, false].filter((over) => stageOf({ paymentStatus, over }) === 'asking').map((over) => [paymentStatus, over]),
  );
  expect(asking).toEqual([['paid', false]]);
});

test('a paid checkout is over when the server says so, or when an upload failed', () => {
  expect(stageOf({ paymentStatus: 'paid', over: true })).toBe('over');
  expect(stageOf({ paymentStatus: 'paid', over: false }, true)).toBe('over');
});

test('an unpaid checkout is being confirmed, even when its time has run out', () => {
  expect(stageOf({ paymentStatus: 'unpaid', over: false })).toBe('confirming');
  expect(stageOf({ paymentStatus: 'unpaid', over: true })).toBe('confirming');
});

test('thanks are given for a gift alone', () => {
  for (const paymentStatus of PAYMENT_STATUSES) {
    for (const over of [true, false]) {
      const stage = stageOf({ paymentStatus, over });
      const thanked = wordsOf(stage, NOWHERE).heading === 'Thank you for offsetting!';
      expect([paymentStatus, thanked, isGiven(stage)]).toEqual([
        paymentStatus,
        paymentStatus === 'paid',
        paymentStatus === 'paid',
      ]);
    }
  }
});

test.each(['failed', 'expired'] as const)('a checkout that is %s says that nothing was charged', (paymentStatus) => {
  const { lead } = wordsOf(stageOf({ paymentStatus, over: false }), NOWHERE);
  expect(lead).toMatch(/nothing was charged/i);
});

test('payment that is not settled is being confirmed, and a bank debit says that it takes days', () => {
  const confirming = wordsOf('confirming', NOWHERE);
  const processing = wordsOf('processing', NOWHERE);
  expect([confirming.heading, processing.heading]).toEqual([
    'We are confirming your payment',
    'We are confirming your payment',
  ]);
  expect(processing.lead).toContain('days');
});

test('what became of the profile is told once the checkout is over', () => {
  expect(wordsOf('over', { ...NOWHERE, draft: DRAFT }, 'sent').lead).toContain('waiting for an editor');
  expect(wordsOf('over', NOWHERE, 'not-shown').lead).toContain('You asked not to be shown');
  expect(wordsOf('over', NOWHERE, 'lost').lead).toContain('your profile may not be');
  expect(wordsOf('over', NOWHERE).lead).toBe('Your gift is received.');
});

test('a profile that arrived although its answer was lost is no longer doubted', () => {
  const there = { draft: null, offsetterURL: DRAFT.profileURL };
  expect(wordsOf('over', there, 'lost').lead).toBe('Your gift is received and your story is told.');
});

test('a complete call is due for a paid checkout whose profile is there but which is not completed', () => {
  const due = { paymentStatus: 'paid', completed: false, draft: null, offsetterURL: DRAFT.profileURL } as const;
  expect(needsCompletion(due)).toBe(true);
  expect(needsCompletion({ ...due, draft: DRAFT, offsetterURL: null })).toBe(true);
  expect(needsCompletion({ ...due, completed: true })).toBe(false);
  expect(needsCompletion({ ...due, offsetterURL: null })).toBe(false);
  expect(needsCompletion({ ...due, paymentStatus: 'refunded' })).toBe(false);
});
