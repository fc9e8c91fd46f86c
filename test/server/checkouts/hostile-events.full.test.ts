import fc from 'fast-check';
import Stripe from 'stripe';
import { expect, test, vi } from 'vitest';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { INSTALLATION, parseSessionId, WEBHOOK_SECRET } from '#test/support/card-provider.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { pickRunCount } from '#test/support/run-count.ts';

/** The quick run tries three events of each kind. */
const EVENT_COUNT = pickRunCount(42, 3000);
vi.setConfig({ testTimeout: 600_000 + EVENT_COUNT * 100 });

const setup: DonationSetup = await startDonationSetup();
const { db, provider, clock, app, orgId } = setup;
const otherOrg = await addOrg(db);
const unpaidCheckout = await setup.openCheckout();

type SentEvent = {
  readonly payload: string;
  readonly signedPayload?: string;
  readonly secret?: string;
  readonly offsetSeconds?: number;
};

/** Expected outcome: rejected, ignored, recorded, or listed as needing attention. */
type ExpectedOutcome = 'rejected' | 'ignored' | 'recorded' | 'attention';

let eventCount = 0;
function buildEvent(session: object, overrides: object = {}): string {
  eventCount += 1;
  const createdAt = Math.floor(clock.now().getTime() / 1000);
  const type = 'checkout.session.completed';
  return JSON.stringify({
    id: `evt_hostile_${eventCount}`,
    object: 'event',
    type,
    created: createdAt,
    livemode: false,
    ...overrides,
    data: { object: session },
  });
}

/** Creates an event for a paid session whose checkout has no session id stored (as after a crash). */
async function forgeEvent(options: {
  readonly amount?: number;
  readonly currency?: string;
  readonly metadata?: Record<string, string>;
}) {
  const checkoutId = await addCheckout(db, orgId);
  const { amount = 2500, currency = 'usd', metadata = {} } = options;
  const session = await provider.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://elsewhere.example',
    metadata: { checkoutId, orgId, installation: INSTALLATION, ...metadata },
    line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: 'Gift' } } }],
  });
  await provider.pay(session.url ?? '');
  return buildEvent({ id: session.id, object: 'checkout.session' });
}

const unverifiedSession = {
  object: 'checkout.session',
  livemode: false,
  amount_total: 2500,
  currency: 'usd',
  status: 'complete',
  payment_status: 'paid',
};
const metadata = { checkoutId: unpaidCheckout.id, orgId, installation: INSTALLATION };
const openSession = { ...unverifiedSession, id: parseSessionId(unpaidCheckout.paymentUrl), metadata };
const unknownSession = (variant: number) => ({ ...openSession, id: `cs_test_elsewhere_${variant}` });

/** Kinds of hostile events with their payloads and expected outcome. */
const EVENT_KINDS: Readonly<
  Record<
    string,
    { readonly expectedOutcome: ExpectedOutcome; readonly build: (variant: number) => SentEvent | Promise<SentEvent> }
  >
> = {
  'signed with another secret': {
    expectedOutcome: 'rejected',
    build: () => ({ payload: buildEvent(openSession), secret: 'whsec_of_somebody_else' }),
  },
  'tampered with': {
    expectedOutcome: 'rejected',
    build: () => ({ payload: buildEvent(openSession), signedPayload: buildEvent({ ...openSession, amount_total: 1 }) }),
  },
  'too old': {
    expectedOutcome: 'rejected',
    build: (variant) => ({ payload: buildEvent(openSession), offsetSeconds: -301 - variant }),
  },
  'from the future': {
    expectedOutcome: 'rejected',
    build: (variant) => ({ payload: buildEvent(openSession), offsetSeconds: 301 + variant }),
  },
  'not an event': {
    expectedOutcome: 'rejected',
    build: (variant) => ({ payload: JSON.stringify({ which: variant }) }),
  },
  'claiming that an unpaid session was paid': {
    expectedOutcome: 'recorded',
    build: () => ({ payload: buildEvent(openSession) }),
  },
  'with a different amount': {
    expectedOutcome: 'attention',
    build: async (variant) => ({ payload: await forgeEvent({ amount: variant === 2500 ? 1 : Math.max(variant, 50) }) }),
  },
  'with a different currency': {
    expectedOutcome: 'attention',
    build: async () => ({ payload: await forgeEvent({ currency: 'eur' }) }),
  },
  'with a different organization': {
    expectedOutcome: 'attention',
    build: async () => ({ payload: await forgeEvent({ metadata: { orgId: otherOrg } }) }),
  },
  'for a nonexistent organization': {
    expectedOutcome: 'attention',
    build: async () => ({ payload: await forgeEvent({ metadata: { orgId: 'none' } }) }),
  },
  'for a nonexistent checkout': {
    expectedOutcome: 'attention',
    build: async () => ({ payload: await forgeEvent({ metadata: { checkoutId: 'none' } }) }),
  },
  'from a different account': {
    expectedOutcome: 'attention',
    build: (variant) => ({
      payload: buildEvent(unknownSession(eventCount * 10_000 + variant), { account: 'acct_elsewhere' }),
    }),
  },
  'from a different account, unpaid': {
    expectedOutcome: 'ignored',
    build: (variant) => ({
      payload: buildEvent(
        { ...unknownSession(variant), payment_status: 'unpaid', status: 'open' },
        { account: 'acct_elsewhere' },
      ),
    }),
  },
  'from a different installation': {
    expectedOutcome: 'ignored',
    build: async () => ({ payload: await forgeEvent({ metadata: { installation: 'another' } }) }),
  },
};

async function deliver({
  payload,
  signedPayload = payload,
  secret = WEBHOOK_SECRET,
  offsetSeconds = 0,
}: SentEvent): Promise<number> {
  const timestamp = Math.floor(clock.now().getTime() / 1000) + offsetSeconds;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: signedPayload, secret, timestamp });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const response = await app.inject({ method: 'POST', url: WEBHOOK_PATH, headers, payload });
  return response.statusCode;
}

async function countByOutcome(table: 'provider_events' | 'attention_items') {
  const { rows } = await db.pool.query<{ outcome: string; count: number }>(
    table === 'provider_events'
      ? `select outcome, count(*)::int as count from provider_events where id like 'evt_hostile%' group by 1`
      : `select reason as outcome, count(*)::int as count from attention_items group by 1`,
  );
  return new Map(rows.map(({ outcome, count }) => [outcome, count]));
}

test(`rejects, ignores, or lists each of ${EVENT_COUNT} malicious events, and none changes the totals`, async () => {
  const expectedCounts: Record<ExpectedOutcome, number> = { rejected: 0, ignored: 0, recorded: 0, attention: 0 };
  const kinds = Object.entries(EVENT_KINDS);
  for (const [index, variant] of fc.sample(fc.nat({ max: 100_000 }), EVENT_COUNT).entries()) {
    const [kind, hostileEvent] = kinds[index % kinds.length] ?? [];
    if (!hostileEvent) throw new Error('KINDS is empty.');
    expectedCounts[hostileEvent.expectedOutcome] += 1;
    const status = await deliver(await hostileEvent.build(variant));
    expect([kind, status]).toEqual([kind, hostileEvent.expectedOutcome === 'rejected' ? 400 : 200]);
    if (Object.values(expectedCounts).reduce((sum, count) => sum + count) % 100 === 0) await setup.applyEvents();
  }
  await setup.applyEvents();
  const storedEvents = await countByOutcome('provider_events');
  expect(Object.fromEntries(storedEvents)).toEqual({
    ignored: expectedCounts.ignored,
    recorded: expectedCounts.recorded,
    attention: expectedCounts.attention,
  });
  const attentionItems = await countByOutcome('attention_items');
  expect([...attentionItems.values()].reduce((sum, count) => sum + count)).toBe(expectedCounts.attention);
  expect([...attentionItems.keys()].toSorted()).toEqual(['account', 'amount', 'currency', 'no-checkout']);
  expect(await setup.readTotalCents()).toBe(0);
  expect(await setup.readCheckout(unpaidCheckout.id)).toMatchObject({ paymentStatus: 'unpaid' });
  // The only differences are the claims about the unpaid checkout.
  const differences = (await setup.findDifferences()).map(({ subject, problem }) => `${subject} ${problem}`);
  expect(differences).toHaveLength(expectedCounts.recorded);
  for (const difference of differences)
    expect(difference).toMatch(`checkout ${unpaidCheckout.id} is unpaid, but event evt_hostile_`);
});
