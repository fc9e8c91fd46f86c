import { expect, onTestFinished, test } from 'vitest';
import { readCard, type TypedCard } from '#sandbox/card-form.ts';
import { authenticate, payByCard, payByDebit } from '#sandbox/payments.ts';
import type { Provider } from '#sandbox/provider.ts';
import { createSession, expireSession } from '#sandbox/sessions.ts';
import { openStore } from '#sandbox/store.ts';
import { GOOD_CARD, sessionRequest } from './sandbox-at-work.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const PAYER = { email: 'ann@example.org', name: 'Ann Lee' };

function provider(): { provider: Provider; recorded: string[] } {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const recorded: string[] = [];
  const record: Provider['record'] = (type) => void recorded.push(type);
  return { recorded, provider: { store, record, now: () => NOW.getTime() / 1000, publicUrl: () => 'http://pay.test' } };
}

function card(number: string): TypedCard {
  const read = readCard({ ...GOOD_CARD, number }, NOW);
  if ('errors' in read) throw new Error(`${number} is no card`);
  return read.card;
}

// The page looks at the session before it pays; another process may pay between the two.
test('a session that has been paid is not paid again, in whatever way', () => {
  const { provider: at, recorded } = provider();
  const { id } = createSession(at, sessionRequest());
  expect(payByCard(at, id, card('4242424242424242'))).toEqual({ kind: 'done' });
  const before = [...recorded];
  expect(payByCard(at, id, card('4242424242424242'))).toEqual({ kind: 'closed' });
  expect(payByCard(at, id, card('4000000000000002'))).toEqual({ kind: 'closed' });
  expect(payByDebit(at, id, PAYER)).toEqual({ kind: 'closed' });
  expect(authenticate(at, id, true)).toEqual({ kind: 'closed' });
  expect(recorded).toEqual(before);
});

test('a session that was expired while its payer was at the bank takes no money', () => {
  const { provider: at, recorded } = provider();
  const { id } = createSession(at, sessionRequest());
  expect(payByCard(at, id, card('4000002500003155'))).toEqual({ kind: 'authenticate' });
  expireSession(at, id);
  expect(authenticate(at, id, true)).toEqual({ kind: 'closed' });
  expect(recorded).toEqual(['payment_intent.requires_action', 'checkout.session.expired']);
});

test('a payment that fails half way leaves nothing behind', () => {
  const { provider: at } = provider();
  const { id } = createSession(at, sessionRequest());
  const failing: Provider = {
    ...at,
    record: (type) => {
      if (type === 'checkout.session.completed') throw new Error('The disk is full');
    },
  };
  expect(() => payByCard(failing, id, card('4242424242424242'))).toThrow('The disk is full');
  expect(at.store.sessions.find(id)).toMatchObject({ status: 'open', payment_status: 'unpaid', payment_intent: null });
  expect(at.store.paymentIntents.all()).toEqual([]);
  expect(at.store.charges.all()).toEqual([]);
});
