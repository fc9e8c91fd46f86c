import { expect, test } from 'vitest';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { isFinal, type PaymentStateKind, toPaymentNotice, toPaymentState } from '#web/payment/payment-state.ts';

const PAGE = 'https://pay.example/session';
const STORY = '/orgs/sample/offsetters/o1/';
const UNPAID = {
  id: 'c1',
  paymentStatus: 'unpaid',
  isOver: false,
  total: 108.3,
  paymentURL: PAGE,
  offsetterURL: null,
} as const;
const PAID = { ...UNPAID, paymentStatus: 'paid', paymentURL: null } as const;

const KINDS: readonly PaymentStateKind[] = [
  'paying',
  'unpaid',
  'processing',
  'paid',
  'published',
  'thanked',
  'failed',
  'expired',
  'unknown',
];

function buildNotice(kind: PaymentStateKind, url: string | null = null) {
  return toPaymentNotice({ kind, checkoutId: 'c1', cents: 10_830, url }, 'sample');
}

test('an unpaid checkout continues in its window or offers its payment page', () => {
  const payment = { kind: 'paying', checkoutId: 'c1', cents: 10_830, url: PAGE };
  expect(toPaymentState(UNPAID, true)).toEqual(payment);
  expect(toPaymentState(UNPAID, false)).toEqual({ ...payment, kind: 'unpaid' });
});

test('checkouts that can’t be paid anymore or were refunded show nothing', () => {
  expect(toPaymentState({ ...UNPAID, isOver: true }, false)).toBeUndefined();
  expect(toPaymentState({ ...UNPAID, paymentURL: null }, true)).toBeUndefined();
  for (const paymentStatus of ['refunded', 'disputed'] as const) {
    expect(toPaymentState({ ...PAID, paymentStatus }, false)).toBeUndefined();
  }
});

test('a paid checkout asks for its story, shows it, or thanks the donor', () => {
  expect(toPaymentState(PAID, true)?.kind).toBe('paid');
  expect(toPaymentState({ ...PAID, isOver: true, offsetterURL: STORY }, true)).toMatchObject({
    kind: 'published',
    url: STORY,
  });
  expect(toPaymentState({ ...PAID, isOver: true }, true)?.kind).toBe('thanked');
});

test('only received money gets thanks', () => {
  for (const paymentStatus of PAYMENT_STATUSES) {
    for (const isOver of [true, false]) {
      const payment = toPaymentState({ ...UNPAID, paymentStatus, isOver }, false);
      const hasThanks = payment !== undefined && toPaymentNotice(payment, 'sample').text.startsWith('Thank you!');
      expect([paymentStatus, isOver, hasThanks]).toEqual([paymentStatus, isOver, paymentStatus === 'paid']);
    }
  }
});

test('states that can still change aren’t final', () => {
  const changeableKinds = KINDS.filter((kind) => !isFinal({ kind, checkoutId: 'c1', cents: 1, url: null }));
  expect(changeableKinds).toEqual(['paying', 'unpaid', 'processing', 'paid', 'unknown']);
});

test('an unpaid checkout’s notice has its amount, payment page, and cart, and never claims that the window was closed', () => {
  const { text, links, dismissLabel } = buildNotice('unpaid', PAGE);
  expect(text).toBe('We haven’t received your $108.30 yet. If you closed the payment page, you can open it again.');
  expect(links).toEqual([
    { label: 'Open the payment page', to: PAGE, isPayment: true },
    { label: 'Back to cart', to: '/orgs/sample?cancelled=c1', isPayment: false },
  ]);
  expect(dismissLabel).toBe('Not now');
});

test('while the window is open, the notice only links to the payment page and can’t be dismissed', () => {
  const { links, dismissLabel } = buildNotice('paying', PAGE);
  expect(links.map(({ to }) => to)).toEqual([PAGE]);
  expect(dismissLabel).toBeUndefined();
});

test.each([
  ['paid', '/orgs/sample/checkouts/c1'],
  ['thanked', '/orgs/sample/checkouts/c1'],
  ['processing', '/orgs/sample/checkouts/c1'],
  ['unknown', '/orgs/sample/checkouts/c1'],
  ['failed', '/orgs/sample?cancelled=c1'],
  ['expired', '/orgs/sample?cancelled=c1'],
] as const)('%s links to %s', (kind, to) => {
  expect(buildNotice(kind).links.map((link) => link.to)).toEqual([to]);
});

test('a published story is linked', () => {
  expect(buildNotice('published', STORY).links).toEqual([{ label: 'See your story', to: STORY, isPayment: false }]);
});

test('a failed or expired payment states that nothing was charged', () => {
  for (const kind of ['failed', 'expired'] as const) expect(buildNotice(kind).text).toContain('Nothing was charged.');
});
