import type Stripe from 'stripe';
import { retrieveBalance } from '#sandbox/balance.ts';
import { type EnteredCard, getCardOutcome } from '#sandbox/cards.ts';
import { listPendingDebits, resolveDebit } from '#sandbox/debits.ts';
import { appealDispute, closeDispute, isOpenDispute, openDispute, returnDebit } from '#sandbox/disputes.ts';
import { catchUp } from '#sandbox/due-work.ts';
import { StripeApiError } from '#sandbox/parameters.ts';
import { authenticate, payByCard, payByDebit } from '#sandbox/payments.ts';
import { failPayout, payOutManually } from '#sandbox/payouts.ts';
import { changeCard } from '#sandbox/portal.ts';
import { getId } from '#sandbox/provider.ts';
import { failRefund, settleRefund } from '#sandbox/refund-outcomes.ts';
import { createRefund, holdsRefunds } from '#sandbox/refunds.ts';
import { createSession, expireSession } from '#sandbox/sessions.ts';
import { INSTALLATION, REJECTED_ADDRESS } from './simulated-app.ts';
import { DAY, HOUR, MINUTE, type World } from './world.ts';

/** An action of payers or banks at the provider, or time passing there. It can't fail, but its events can get lost. */
export type ProviderStep = { readonly weight: number; readonly run: (world: World) => string };

const CARDS = [
  '4242424242424242',
  '4242424242424242',
  '4242424242424242',
  '4000000000000002',
  '4000000000000341',
  '4000000000000259',
  '4000000000007726',
  '4000000000005126',
  '4000002500003155',
];

function createRandomCard({ random }: World): EnteredCard {
  const number = random.pick(CARDS);
  return {
    payer: createPayer(random.pick(['ada', 'ben', 'cleo', 'dan'])),
    instrument: { kind: 'card', brand: 'visa', last4: number.slice(-4), expMonth: 12, expYear: 2040 },
    outcome: getCardOutcome(number),
  };
}

function createPayer(name: string) {
  return { email: name === 'dan' ? REJECTED_ADDRESS : `${name}@example.org`, name };
}

export const PROVIDER_STEPS = {
  'a payer pays by card': {
    weight: 14,
    run: (world) => {
      const session = pickOpenSession(world);
      if (!session) return '';
      const result = payByCard(world.provider, session.id, createRandomCard(world));
      if (result.kind !== 'authenticate') return result.kind;
      return authenticate(world.provider, session.id, world.random.chance(0.7)).kind;
    },
  },
  'a payer pays by bank debit': {
    weight: 3,
    run: (world) => {
      const session = pickOpenSession(world);
      return session ? payByDebit(world.provider, session.id, createPayer('ada')).kind : '';
    },
  },
  'the bank settles or rejects a debit': {
    weight: 3,
    run: ({ provider, random }) => {
      const debits = listPendingDebits(provider);
      if (debits.length === 0) return '';
      const isPaid = random.chance(0.6);
      resolveDebit(provider, random.pick(debits).intent.id, isPaid);
      return isPaid ? 'settles' : 'fails';
    },
  },
  'a page expires': {
    weight: 1,
    run: (world) => {
      const session = pickOpenSession(world);
      if (session) expireSession(world.provider, session.id);
      return session ? 'expired' : '';
    },
  },
  'the treasurer refunds at the provider': {
    weight: 3,
    run: (world) =>
      changeRandomCharge(world, (charge) => {
        const refundable = charge.amount - charge.amount_refunded;
        const amount = world.random.chance(0.5) ? refundable : world.random.integer(1, Math.max(1, refundable));
        createRefund(world.provider, { charge: charge.id, amount });
        return `${amount} of ${charge.amount}`;
      }),
  },
  'the bank settles or rejects a refund': {
    weight: 2,
    run: ({ provider, random }) => {
      const refunds = provider.store.refunds.all().filter(({ status }) => status !== 'failed');
      if (refunds.length === 0) return '';
      const refund = random.pick(refunds);
      const isSettled = refund.pending_reason === 'processing' && random.chance(0.6);
      if (isSettled) settleRefund(provider, refund);
      else failRefund(provider, refund.id);
      return isSettled ? 'accepts' : 'sends it back';
    },
  },
  'the account holds uncovered refunds, or overdraws its balance': {
    weight: 1,
    run: ({ provider }) => {
      const { store } = provider;
      store.saveSetting('holds_refunds', holdsRefunds(store) ? 0 : 1);
      catchUp(provider);
      return holdsRefunds(store) ? 'holds' : 'overdraws';
    },
  },
  'a cardholder disputes': {
    weight: 3,
    run: (world) =>
      changeRandomCharge(world, (charge) => `${openDispute(world.provider, charge.id).amount} of ${charge.amount}`),
  },
  'a bank returns a settled debit': {
    weight: 1,
    run: (world) => changeRandomCharge(world, (charge) => String(returnDebit(world.provider, charge.id).amount)),
  },
  'a dispute is decided': {
    weight: 4,
    run: ({ provider, random }) => {
      const openDisputes = provider.store.disputes.all().filter(isOpenDispute);
      if (openDisputes.length === 0) return '';
      return closeDispute(provider, random.pick(openDisputes).id, random.pick(['won', 'lost', 'lost-in-part'])).status;
    },
  },
  'a decision is appealed': {
    weight: 2,
    run: ({ provider, random }) => {
      const decidedDisputes = provider.store.disputes.all().filter((dispute) => !isOpenDispute(dispute));
      return decidedDisputes.length === 0 ? '' : appealDispute(provider, random.pick(decidedDisputes).id).status;
    },
  },
  'a donor changes the card': {
    weight: 1,
    run: (world) => {
      const subscriptions = world.provider.store.subscriptions.all().filter(({ status }) => status !== 'canceled');
      if (subscriptions.length === 0) return '';
      const newCard = createRandomCard(world);
      if (newCard.outcome.kind !== 'pays') return 'declined';
      changeCard(world.provider, getId(world.random.pick(subscriptions).customer), newCard);
      return 'changed';
    },
  },
  'the bank sends a payout back': {
    weight: 1,
    run: ({ provider, random }) => {
      const payouts = provider.store.payouts.all().filter(({ status }) => status !== 'failed');
      return payouts.length === 0 ? '' : failPayout(provider, random.pick(payouts).id).status;
    },
  },
  'the treasurer pays out manually': {
    weight: 2,
    run: ({ provider, random }) => {
      const available = retrieveBalance(provider).available[0]?.amount ?? 0;
      const method = random.pick(['standard', 'instant'] as const);
      const amount = random.chance(0.5) ? undefined : random.integer(1, Math.max(1, available));
      return applyIfAccepted(() => `${payOutManually(provider, method, amount).amount} of ${available}, ${method}`);
    },
  },
  'foreign money arrives': {
    weight: 1,
    run: (world) => {
      const [kind, metadata] = world.random.pick(listForeignMetadata(world));
      const session = createSession(world.provider, {
        mode: 'payment',
        success_url: 'https://elsewhere.example/',
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'usd',
              unit_amount: world.random.integer(100, 9999),
              product_data: { name: 'Gift' },
            },
          },
        ],
        metadata,
        payment_intent_data: { metadata },
      });
      payByCard(world.provider, session.id, { ...createRandomCard(world), outcome: { kind: 'pays' } });
      return kind;
    },
  },
  'seconds pass': { weight: 6, run: (world) => advanceTime(world, world.random.integer(1, 60) * 1000) },
  'minutes pass': { weight: 6, run: (world) => advanceTime(world, world.random.integer(1, 60) * MINUTE) },
  'hours pass': { weight: 5, run: (world) => advanceTime(world, world.random.integer(1, 30) * HOUR) },
  'days pass': { weight: 5, run: (world) => advanceTime(world, world.random.integer(1, 20) * DAY) },
} satisfies Readonly<Record<string, ProviderStep>>;

/** Metadata of payments that belong to no checkout here, or to one that already has a payment. */
function listForeignMetadata({ provider, random }: World): [string, Stripe.Metadata][] {
  const sessions = provider.store.sessions.all();
  const knownMetadata = sessions.length === 0 ? {} : (random.pick(sessions).metadata ?? {});
  return [
    ['another program', {}],
    ['another installation', { installation: 'another', orgId: 'org', checkoutId: 'theirs' }],
    ['no such checkout', { installation: INSTALLATION, orgId: 'org', checkoutId: 'nosuchcheckout' }],
    ['no such organization', { installation: INSTALLATION, orgId: 'nosuchorg', checkoutId: 'nowhere' }],
    ['a second payment of a checkout', { ...knownMetadata }],
  ];
}

/** The provider lists events for thirty days, so no simulated outage lasts longer. */
const MAX_TIME_BETWEEN_LISTS = 27 * DAY;

export function advanceTime(world: World, milliseconds: number): string {
  const limit = Math.max(0, world.listedAt + MAX_TIME_BETWEEN_LISTS - world.now().getTime());
  world.advance(Math.min(milliseconds, limit));
  catchUp(world.provider);
  return world.now().toISOString();
}

function pickOpenSession({ provider, random }: World): Stripe.Checkout.Session | undefined {
  const openSessions = provider.store.sessions.all().filter(({ status }) => status === 'open');
  return openSessions.length === 0 ? undefined : random.pick(openSessions);
}

function changeRandomCharge({ provider, random }: World, change: (charge: Stripe.Charge) => string): string {
  const charges = provider.store.charges.all().filter(({ status }) => status === 'succeeded');
  if (charges.length === 0) return '';
  return applyIfAccepted(() => change(random.pick(charges)));
}

function applyIfAccepted(change: () => string): string {
  try {
    return change();
  } catch (error) {
    if (error instanceof StripeApiError) return 'rejected';
    throw error;
  }
}

/** Sends new events over the network, which drops, duplicates, and delays some of them. */
export function sendEvents(world: World): void {
  const { deliveries, network, random, now } = world;
  for (const event of deliveries.undeliveredEvents()) {
    deliveries.markDelivered(event, now().getTime());
    const copies = random.pick([0, 1, 1, 1, 1, 1, 1, 2, 3]);
    for (let copy = 0; copy < copies; copy += 1) network.push({ event, tries: 0, dueAt: pickDueTime(world) });
  }
}

export function pickDueTime({ now, random }: World): number {
  return now().getTime() + random.pick([0, 0, 0, 5000, 20 * MINUTE, 9 * HOUR, 2 * DAY]);
}
