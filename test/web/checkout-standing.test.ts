import { expect, test } from 'vitest';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { noticeOf } from '#web/payment/checkout-notice.ts';
import { isLastWord, type StandingKind, standingOf } from '#web/payment/checkout-standing.ts';

const PAGE = 'https://pay.example/session';
const STORY = '/orgs/sample/offsetters/o1/';
const UNPAID = {
  id: 'c1',
  paymentStatus: 'unpaid',
  over: false,
  total: 108.3,
  paymentURL: PAGE,
  offsetterURL: null,
} as const;
const PAID = { ...UNPAID, paymentStatus: 'paid', paymentURL: null } as const;

const KINDS: readonly StandingKind[] = [
  'under-way',
  'unpaid',
  'processing',
  'untold',
  'told',
  'thanked',
  'failed',
  'expired',
  'unknown',
];

function notice(kind: StandingKind, url: string | null = null) {
  return noticeOf({ kind, checkoutId: 'c1', cents: 10_830, url }, 'sample');
}

test('an unpaid checkout goes on in its window, or else its payment page is offered', () => {
  const standing = { kind: 'under-way', checkoutId: 'c1', cents: 10_830, url: PAGE };
  expect(standingOf(UNPAID, true)).toEqual(standing);
  expect(standingOf(UNPAID, false)).toEqual({ ...standing, kind: 'unpaid' });
});

test('what can no longer be paid, or was paid back, is no news', () => {
  expect(standingOf({ ...UNPAID, over: true }, false)).toBeUndefined();
  expect(standingOf({ ...UNPAID, paymentURL: null }, true)).toBeUndefined();
  for (const paymentStatus of ['refunded', 'disputed'] as const) {
    expect(standingOf({ ...PAID, paymentStatus }, false)).toBeUndefined();
  }
});

test('a paid checkout asks for its story, shows it, or thanks alone', () => {
  expect(standingOf(PAID, true)?.kind).toBe('untold');
  expect(standingOf({ ...PAID, over: true, offsetterURL: STORY }, true)).toMatchObject({ kind: 'told', url: STORY });
  expect(standingOf({ ...PAID, over: true }, true)?.kind).toBe('thanked');
});

test('thanks are given for money that has come, and for nothing else', () => {
  for (const paymentStatus of PAYMENT_STATUSES) {
    for (const over of [true, false]) {
      const standing = standingOf({ ...UNPAID, paymentStatus, over }, false);
      const thanked = standing !== undefined && noticeOf(standing, 'sample').words.startsWith('Thank you!');
      expect([paymentStatus, over, thanked]).toEqual([paymentStatus, over, paymentStatus === 'paid']);
    }
  }
});

test('what may still change is kept', () => {
  const kept = KINDS.filter((kind) => !isLastWord({ kind, checkoutId: 'c1', cents: 1, url: null }));
  expect(kept).toEqual(['under-way', 'unpaid', 'processing', 'untold', 'unknown']);
});

test('an unpaid checkout is told with its amount, its payment page and the way back to the cart, and never that the window was closed', () => {
  const { words, ways, dismiss } = notice('unpaid', PAGE);
  expect(words).toBe(
    'Your payment of $108.30 has not arrived yet. If you closed the payment window, you can open it again.',
  );
  expect(ways).toEqual([
    { label: 'Open the payment page', to: PAGE, isPayment: true },
    { label: 'Put it back in the cart', to: '/orgs/sample?cancelled=c1', isPayment: false },
  ]);
  expect(dismiss).toBe('Not now');
});

test('where its window is open, the payment page is the only way, and the notice stays', () => {
  const { ways, dismiss } = notice('under-way', PAGE);
  expect(ways.map(({ to }) => to)).toEqual([PAGE]);
  expect(dismiss).toBeUndefined();
});

test.each([
  ['untold', '/orgs/sample/checkouts/c1'],
  ['thanked', '/orgs/sample/checkouts/c1'],
  ['processing', '/orgs/sample/checkouts/c1'],
  ['unknown', '/orgs/sample/checkouts/c1'],
  ['failed', '/orgs/sample?cancelled=c1'],
  ['expired', '/orgs/sample?cancelled=c1'],
] as const)('%s leads to %s', (kind, to) => {
  expect(notice(kind).ways.map((way) => way.to)).toEqual([to]);
});

test('a told story can be seen', () => {
  expect(notice('told', STORY).ways).toEqual([{ label: 'See your story', to: STORY, isPayment: false }]);
});

test('what came to nothing says that nothing was charged', () => {
  for (const kind of ['failed', 'expired'] as const) expect(notice(kind).words).toContain('Nothing was charged.');
});
