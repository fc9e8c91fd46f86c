import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type CartItem, cartTotal, donationItem } from '#domain/cart.ts';
import { getCardOutcome } from '#sandbox/cards.ts';
import { payByCard } from '#sandbox/payments.ts';
import type { Provider } from '#sandbox/provider.ts';
import { createSession } from '#sandbox/sessions.ts';
import type { Store } from '#sandbox/store.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { getOrCreateSecret } from '#server/gateways/identity/identity.store.ts';
import { buildSessionRequest } from '#server/gateways/payments/stripe-sessions.ts';
import { createSeededRandom } from '../seeded-random.ts';
import { createProvider } from '../simulation/simulated-provider.ts';

/** Event types of a card gift that the server subscribes to. */
const EVENT_TYPES = ['checkout.session.completed', 'charge.updated'] as const;
export const EVENTS_PER_GIFT = EVENT_TYPES.length;

export const BENCH_ORG_ID = 'bench';
const CARD_NUMBER = '4242424242424242';
const BATCH_SIZE = 500;
const HOUR_MS = 60 * 60_000;

type Gift = {
  readonly id: string;
  readonly orgId: string;
  readonly sessionId: string;
  readonly cart: readonly CartItem[];
};

/**
 * Pays checkouts at the provider and adds them to the database as unpaid.
 * @param orgIds receive the gifts in turn
 * @returns the events, in the provider's format
 */
export async function payGifts(
  db: Database,
  store: Store,
  {
    count,
    paidAt,
    orgIds = [BENCH_ORG_ID],
  }: { readonly count: number; readonly paidAt: Date; readonly orgIds?: readonly string[] },
): Promise<string[]> {
  const installation = await getOrCreateSecret(db.kysely, 'installation', newId());
  const provider = createProvider(store, () => paidAt);
  const lastSeq = Number(store.db.prepare('SELECT max(seq) AS last FROM events').get()?.last ?? 0);
  const random = createSeededRandom(`gifts ${lastSeq}`);
  for (let index = 0; index < count; index += BATCH_SIZE) {
    const batchSize = Math.min(BATCH_SIZE, count - index);
    const gifts = store.transaction(() =>
      Array.from({ length: batchSize }, (_, offset) =>
        payGift(
          provider,
          random.integer(5, 500),
          installation,
          orgIds[(index + offset) % orgIds.length] ?? BENCH_ORG_ID,
        ),
      ),
    );
    const rows = gifts.map(({ id, orgId, sessionId, cart }) => ({
      id,
      org_id: orgId,
      cart: JSON.stringify(cart),
      total_cents: cartTotal(cart),
      carbon: 0,
      provider_session_id: sessionId,
      created_at: paidAt,
    }));
    await db.kysely.insertInto('checkouts').values(rows).execute();
    await yieldToEventLoop();
  }
  const events = store.db.prepare('SELECT resource FROM events WHERE seq > ? AND type IN (?, ?) ORDER BY seq');
  return events.all(lastSeq, ...EVENT_TYPES).map(({ resource }) => String(resource));
}

function payGift(provider: Provider, dollars: number, installation: string, orgId: string): Gift {
  const cart = [donationItem(dollars)];
  const id = newId();
  const url = `http://localhost/orgs/${orgId}/checkouts/${id}`;
  const request = buildSessionRequest(
    {
      orgId,
      orgName: 'Bench',
      checkoutId: id,
      successUrl: url,
      cancelUrl: url,
      lines: [{ name: 'Donation', description: 'To the bench', amount: dollars * 100 }],
      cart: '[]',
      userId: undefined,
      giftKey: newId(),
      expiresAt: new Date(provider.now() * 1000 + HOUR_MS),
    },
    installation,
  );
  const { id: sessionId } = createSession(provider, request);
  payByCard(provider, sessionId, {
    payer: { email: `${id}@bench.example`.toLowerCase(), name: 'Paula Payer' },
    instrument: { kind: 'card', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 },
    outcome: getCardOutcome(CARD_NUMBER),
  });
  return { id, orgId, sessionId, cart };
}
