import { setTimeout as pause } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { Store } from '#sandbox/store.ts';

const PAUSE_MS = 150;
/** Share of all charges. */
const REFUND_SHARE = 0.3;
const DISPUTE_SHARE = 0.1;
/** Limits the number of renewals per month. */
const MAX_SUBSCRIPTIONS = 25;

/**
 * Simulates ongoing activity by the merchant and banks at the provider: refunds, settled or failed debits, and
 * disputes.
 */
export function createProviderActions(url: string, store: Store): (() => Promise<void>)[] {
  const findPendingDebit = store.db.prepare(
    "SELECT id FROM payment_intents WHERE status = 'processing' ORDER BY random() LIMIT 1",
  );
  /** A recent charge, or an empty object once enough charges are refunded or disputed. */
  const pickRecentCharge = (movements: 'refunds' | 'disputes', share: number): Partial<Stripe.Charge> => {
    const rows = store.db
      .prepare(
        `SELECT resource FROM charges WHERE (SELECT count(*) FROM ${movements}) < ? * (SELECT count(*) FROM charges)
         ORDER BY rowid DESC LIMIT 40`,
      )
      .all(share);
    const charges = rows.map(({ resource }) => JSON.parse(String(resource)) as Stripe.Charge);
    const succeeded = charges.filter(({ status }) => status === 'succeeded');
    return succeeded[Math.floor(Math.random() * succeeded.length)] ?? {};
  };
  const findOpenDispute = store.db.prepare(
    "SELECT id FROM disputes WHERE resource ->> '$.status' = 'needs_response' ORDER BY random() LIMIT 1",
  );
  return [
    async () => {
      const id = String(findPendingDebit.get()?.id ?? '');
      if (id !== '') await post(`${url}/sandbox/debits/${id}`, { outcome: Math.random() < 0.7 ? 'settle' : 'fail' });
      await pause(PAUSE_MS);
    },
    async () => {
      const { id, amount, amount_refunded } = pickRecentCharge('refunds', REFUND_SHARE);
      const refundable = (amount ?? 0) - (amount_refunded ?? 0);
      const cents = Math.random() < 0.5 ? refundable : Math.ceil(refundable * Math.random());
      if (refundable > 0)
        await post(`${url}/sandbox/charges/${id}`, { action: 'refund', amount: (cents / 100).toFixed(2) });
      await pause(PAUSE_MS);
    },
    async () => {
      const { id } = pickRecentCharge('disputes', DISPUTE_SHARE);
      if (id !== undefined) await post(`${url}/sandbox/charges/${id}`, { action: 'dispute' });
      await pause(PAUSE_MS);
      const disputeId = String(findOpenDispute.get()?.id ?? '');
      const outcome = Math.random() < 0.5 ? 'win' : 'lose';
      if (disputeId !== '' && Math.random() < 0.7) await post(`${url}/sandbox/disputes/${disputeId}`, { outcome });
      await pause(PAUSE_MS);
    },
  ];
}

/** Moves the provider's clock by a month: gifts renew, debits settle, payouts reach the bank. */
export async function advanceMonth(url: string): Promise<void> {
  await post(`${url}/sandbox/clock`, { months: '1' });
}

async function post(url: string, form: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  await response.body?.cancel();
}

export type ProviderRecords = {
  readonly gifts: number;
  readonly renewals: number;
  readonly refunds: number;
  readonly disputes: number;
  /**
   * Paid minus returned. A refund plus a lost dispute can return more than the charge; the fund loses the difference.
   */
  readonly cents: number;
  readonly undelivered: number;
};

export function readProviderRecords({ db }: Store): ProviderRecords {
  const row = db
    .prepare(
      `SELECT (SELECT count(*) FROM charges WHERE resource ->> '$.status' = 'succeeded') AS gifts,
        (SELECT count(*) FROM invoices
         WHERE status = 'paid' AND resource ->> '$.billing_reason' <> 'subscription_create') AS renewals,
        (SELECT count(*) FROM refunds WHERE resource ->> '$.status' <> 'failed') AS refunds,
        (SELECT count(*) FROM disputes) AS disputes,
        (SELECT coalesce(sum(max(0, charges.resource ->> '$.amount'
            - (SELECT coalesce(sum(refunds.resource ->> '$.amount'), 0) FROM refunds
               WHERE refunds.resource ->> '$.charge' = charges.id AND refunds.resource ->> '$.status' <> 'failed')
            - (SELECT coalesce(sum(disputes.resource ->> '$.amount'), 0) FROM disputes
               WHERE disputes.resource ->> '$.charge' = charges.id AND disputes.resource ->> '$.status' = 'lost'))), 0)
          FROM charges WHERE charges.resource ->> '$.status' = 'succeeded')
          AS cents,
        (SELECT count(*) FROM deliveries WHERE delivered_at IS NULL) AS undelivered`,
    )
    .get();
  const readNumber = (name: keyof ProviderRecords) => Number(row?.[name] ?? 0);
  return {
    gifts: readNumber('gifts'),
    renewals: readNumber('renewals'),
    refunds: readNumber('refunds'),
    disputes: readNumber('disputes'),
    cents: readNumber('cents'),
    undelivered: readNumber('undelivered'),
  };
}

/** @returns whether another recurring gift can be added. Each one adds a renewal every month. */
export function canAddRecurringGift({ db }: Store): boolean {
  const running = db.prepare("SELECT count(*) AS running FROM subscriptions WHERE status <> 'canceled'").get()?.running;
  return Number(running) < MAX_SUBSCRIPTIONS;
}
