// The sandbox's SQLite database. It is separate from the program's database, because Stripe is another company's system.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type Stripe from 'stripe';
import { type Collection, createCollection } from './collection.ts';
import type { Instrument, Payer } from './resources/payment.ts';
import type { SavedMethod } from './resources/payment-method.ts';
import { type CollectionName, prepareTables } from './tables.ts';

/** Internal data about a session that the API doesn't return. Its id is the session's id. */
export type SessionRecord = {
  readonly id: string;
  readonly request: Stripe.Checkout.SessionCreateParams;
  readonly lines: readonly Stripe.LineItem[];
  /** The payment intent for all attempts. In subscription mode, the session itself doesn't contain it. */
  readonly payment_intent: string | null;
  /** A payment that still needs authentication. */
  readonly pendingAuthentication: { readonly payer: Payer; readonly instrument: Instrument } | null;
};

/** A refund that will fail because of its test card. Its id is the refund's id. */
export type RefundFailure = { readonly id: string; readonly due_at: number | null };

/** A webhook with its signing secret, which the API returns only when the webhook is created. */
export type SavedWebhookEndpoint = Stripe.WebhookEndpoint & { readonly secret: string };

type SettingName = 'account' | 'clock_offset' | 'payouts_checked_at' | 'billed_until' | 'holds_refunds';

export type Store = {
  readonly db: DatabaseSync;
  readonly sessions: Collection<Stripe.Checkout.Session>;
  readonly sessionRecords: Collection<SessionRecord>;
  readonly products: Collection<Stripe.Product>;
  readonly paymentIntents: Collection<Stripe.PaymentIntent>;
  readonly paymentMethods: Collection<SavedMethod>;
  readonly charges: Collection<Stripe.Charge>;
  readonly refunds: Collection<Stripe.Refund>;
  readonly refundFailures: Collection<RefundFailure>;
  readonly disputes: Collection<Stripe.Dispute>;
  readonly fraudWarnings: Collection<Stripe.Radar.EarlyFraudWarning>;
  readonly balanceTransactions: Collection<Stripe.BalanceTransaction>;
  readonly payouts: Collection<Stripe.Payout>;
  readonly customers: Collection<Stripe.Customer>;
  readonly subscriptions: Collection<Stripe.Subscription>;
  readonly invoices: Collection<Stripe.Invoice>;
  readonly invoicePayments: Collection<Stripe.InvoicePayment>;
  readonly portalSessions: Collection<Stripe.BillingPortal.Session>;
  readonly webhookEndpoints: Collection<SavedWebhookEndpoint>;
  readonly events: Collection<Stripe.Event>;
  setting(name: SettingName): string | number | undefined;
  saveSetting(name: SettingName, value: string | number): void;
  /** Commits durably or rolls back. A nested transaction joins the outer one. */
  transaction<T>(work: () => T): T;
  close(): void;
};

/** @param file a path, or `:memory:` @throws Error if another version of this program created the file */
export function openStore(file: string): Store {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    // A power failure must not undo a payment whose webhook was already acknowledged.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return runInTransaction(db, () => {
      prepareTables(db, file);
      const store = createStore(db);
      if (store.setting('account') === undefined)
        store.saveSetting('account', `acct_sandbox${randomBytes(6).toString('hex')}`);
      return store;
    });
  } catch (error) {
    db.close();
    throw error;
  }
}

function createStore(db: DatabaseSync): Store {
  const openCollection = <T extends { id: string }>(name: CollectionName): Collection<T> =>
    createCollection<T>(db, name);
  const setting = db.prepare('SELECT value FROM settings WHERE name = ?');
  const saveSetting = db.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)');
  return {
    db,
    sessions: openCollection('sessions'),
    sessionRecords: openCollection('session_files'),
    products: openCollection('products'),
    paymentIntents: openCollection('payment_intents'),
    paymentMethods: openCollection('payment_methods'),
    charges: openCollection('charges'),
    refunds: openCollection('refunds'),
    refundFailures: openCollection('refund_failures'),
    disputes: openCollection('disputes'),
    fraudWarnings: openCollection('fraud_warnings'),
    balanceTransactions: openCollection('balance_transactions'),
    payouts: openCollection('payouts'),
    customers: openCollection('customers'),
    subscriptions: openCollection('subscriptions'),
    invoices: openCollection('invoices'),
    invoicePayments: openCollection('invoice_payments'),
    portalSessions: openCollection('portal_sessions'),
    webhookEndpoints: openCollection('webhook_endpoints'),
    events: openCollection('events'),
    setting: (name) => {
      const value = setting.get(name)?.value;
      return typeof value === 'string' || typeof value === 'number' ? value : undefined;
    },
    saveSetting: (name, value) => void saveSetting.run(name, value),
    transaction: (work) => runInTransaction(db, work),
    close: () => db.close(),
  };
}

function runInTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
