import type Stripe from 'stripe';
import { line, type OpenSandbox, openSandbox, type SandboxSettings, sessionRequest } from './open-sandbox.ts';

export const CARDS = {
  succeeds: '4242 4242 4242 4242',
  declinedAtRenewal: '4000 0000 0000 0341',
  disputed: '4000 0000 0000 0259',
  availableImmediately: '4000 0000 0000 0077',
  refundPending: '4000 0000 0000 7726',
  refundFails: '4000 0000 0000 5126',
} as const;

export const START = '2026-01-31T12:00:00Z';
export const DAY = 86_400;
export const unixSeconds = (iso: string): number => Date.parse(iso) / 1000;

export const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

export type Sandbox = OpenSandbox & {
  readonly moveClock: (duration: { seconds?: number; months?: number }) => Promise<void>;
  /** All events so far, oldest first. */
  readonly listEvents: (type?: string) => Promise<Stripe.Event[]>;
  /** Pays once by card. @returns the charge's id */
  readonly pay: (cents: number, card?: string) => Promise<string>;
  /** Pays once by bank debit and settles it. @returns the charge's id */
  readonly payByBank: (cents: number) => Promise<string>;
  readonly subscribe: (card?: string, lines?: ReturnType<typeof line>[]) => Promise<Stripe.Subscription>;
  readonly readCharge: (id: string) => Promise<Stripe.Charge>;
};

/** Opens a sandbox with a stopped clock. */
export async function openSandboxAt(start = START, settings: SandboxSettings = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({ clock: { now: new Date(start) }, ...settings });
  const { stripe, post, payByCard } = sandbox;
  const readChargeId = async (session: { id: string }): Promise<string> => {
    const expand = ['payment_intent'];
    const paidSession = await stripe.checkout.sessions.retrieve(session.id, { expand });
    return idOf((paidSession.payment_intent as Stripe.PaymentIntent).latest_charge);
  };
  return {
    ...sandbox,
    moveClock: async (duration) => {
      const fields = Object.fromEntries(Object.entries(duration).map(([name, value]) => [name, String(value)]));
      const { status, text } = await post('/sandbox/clock', fields);
      if (status !== 303) throw new Error(text);
    },
    listEvents: async (type) => {
      const events = await stripe.events
        .list({ limit: 100, ...(type && { type }) })
        .autoPagingToArray({ limit: 10_000 });
      return events.reverse();
    },
    pay: async (cents, number = CARDS.succeeds) => {
      const session = await stripe.checkout.sessions.create(sessionRequest({ line_items: [line(cents)] }));
      await payByCard(session, { number });
      return readChargeId(session);
    },
    payByBank: async (cents) => {
      const session = await stripe.checkout.sessions.create(sessionRequest({ line_items: [line(cents)] }));
      await post(`/sandbox/pay/${session.id}`, { method: 'us_bank_account', email: 'a@b.org', name: 'Ann Lee' });
      const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session.id);
      await post(`/sandbox/debits/${idOf(intent)}`, { outcome: 'settle' });
      return readChargeId(session);
    },
    subscribe: async (number = CARDS.succeeds, line_items = [line(2500, { interval: 'month' })]) => {
      const request = sessionRequest({ mode: 'subscription', line_items });
      const session = await stripe.checkout.sessions.create(request);
      await payByCard(session, { number });
      const paidSession = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
      return paidSession.subscription as Stripe.Subscription;
    },
    readCharge: (id) => stripe.charges.retrieve(id),
  };
}

/** The events' types, in order. */
export const typesOf = (events: readonly Stripe.Event[]): string[] => events.map(({ type }) => type);
