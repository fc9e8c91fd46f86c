import { expect, onTestFinished, test } from 'vitest';
import { type EnteredCard, readCard } from '#sandbox/cards.ts';
import { authenticate, payByCard, payByDebit } from '#sandbox/payments.ts';
import type { Provider } from '#sandbox/provider.ts';
import { createSession, expireSession } from '#sandbox/sessions.ts';
import { openStore } from '#sandbox/store.ts';
import { GOOD_CARD, sessionRequest } from './open-sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const PAYER = { email: 'ann@example.org', name: 'Ann Lee' };

function createProvider(): { provider: Provider; emittedTypes: string[] } {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const emittedTypes: string[] = [];
  const emit: Provider['emit'] = (type) => void emittedTypes.push(type);
  const providerAt = (time: number): Provider => {
    return { store, emit, now: () => time, asOf: providerAt, publicUrl: () => 'http://pay.test' };
  };
  return { emittedTypes, provider: providerAt(NOW.getTime() / 1000) };
}

function parseTestCard(number: string): EnteredCard {
  const result = readCard({ ...GOOD_CARD, number }, NOW);
  if ('errors' in result) throw new Error(`${number} is not a valid card`);
  return result.card;
}

// Another process may pay between loading the page and submitting it.
test('a paid session can’t be paid again in any way', () => {
  const { provider: testProvider, emittedTypes } = createProvider();
  const { id } = createSession(testProvider, sessionRequest());
  expect(payByCard(testProvider, id, parseTestCard('4242424242424242'))).toEqual({ kind: 'done' });
  const initialEvents = [...emittedTypes];
  expect(payByCard(testProvider, id, parseTestCard('4242424242424242'))).toEqual({ kind: 'closed' });
  expect(payByCard(testProvider, id, parseTestCard('4000000000000002'))).toEqual({ kind: 'closed' });
  expect(payByDebit(testProvider, id, PAYER)).toEqual({ kind: 'closed' });
  expect(authenticate(testProvider, id, true)).toEqual({ kind: 'closed' });
  expect(emittedTypes).toEqual(initialEvents);
});

test('a session that expired during authentication takes no money', () => {
  const { provider: testProvider, emittedTypes } = createProvider();
  const { id } = createSession(testProvider, sessionRequest());
  expect(payByCard(testProvider, id, parseTestCard('4000002500003155'))).toEqual({ kind: 'authenticate' });
  expireSession(testProvider, id);
  expect(authenticate(testProvider, id, true)).toEqual({ kind: 'closed' });
  expect(emittedTypes).toEqual(['payment_intent.requires_action', 'checkout.session.expired']);
});

test('a payment that fails halfway leaves no rows', () => {
  const { provider: testProvider } = createProvider();
  const { id } = createSession(testProvider, sessionRequest());
  const failingProvider: Provider = {
    ...testProvider,
    emit: (type) => {
      if (type === 'checkout.session.completed') throw new Error('The disk is full');
    },
  };
  expect(() => payByCard(failingProvider, id, parseTestCard('4242424242424242'))).toThrow('The disk is full');
  expect(testProvider.store.sessions.find(id)).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
  });
  expect(testProvider.store.paymentIntents.all()).toEqual([]);
  expect(testProvider.store.charges.all()).toEqual([]);
});
