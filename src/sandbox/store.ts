// The sandbox's own memory. It is apart from the product's database, since a payment provider is somebody else's system.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type Stripe from 'stripe';
import { type Collection, type CollectionName, collection, tableDefinitions } from './collection.ts';
import type { SessionFile } from './session-file.ts';

/** Raised whenever the tables change. The sandbox holds play money: an older file is refused, not migrated. */
const FORMAT = 1;

const OTHER_TABLES = `
  CREATE TABLE deliveries (
    event TEXT PRIMARY KEY REFERENCES events (id),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER,
    last_answer TEXT,
    delivered_at INTEGER
  ) STRICT;
  CREATE INDEX deliveries_pending ON deliveries (next_attempt_at) WHERE delivered_at IS NULL;
  CREATE TABLE idempotency_keys (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    answer TEXT NOT NULL,
    created INTEGER NOT NULL
  ) STRICT;
`;

export type Store = {
  readonly db: DatabaseSync;
  readonly sessions: Collection<Stripe.Checkout.Session>;
  readonly sessionFiles: Collection<SessionFile>;
  readonly products: Collection<Stripe.Product>;
  readonly paymentIntents: Collection<Stripe.PaymentIntent>;
  readonly charges: Collection<Stripe.Charge>;
  readonly refunds: Collection<Stripe.Refund>;
  readonly customers: Collection<Stripe.Customer>;
  readonly subscriptions: Collection<Stripe.Subscription>;
  readonly invoices: Collection<Stripe.Invoice>;
  readonly invoicePayments: Collection<Stripe.InvoicePayment>;
  readonly portalSessions: Collection<Stripe.BillingPortal.Session>;
  readonly events: Collection<Stripe.Event>;
  /** All or nothing, and on the disk when it returns. One inside another is one. */
  transaction<T>(work: () => T): T;
  close(): void;
};

/** Opens or makes the state. @param file a path, or `:memory:` */
export function openStore(file: string): Store {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 5000 });
  // A webhook that was acknowledged must not be forgotten by a power cut: the payment it told of would then never have been.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  prepareTables(db, file);
  const of = <T extends { id: string }>(name: CollectionName): Collection<T> => collection<T>(db, name);
  return {
    db,
    sessions: of('sessions'),
    sessionFiles: of('session_files'),
    products: of('products'),
    paymentIntents: of('payment_intents'),
    charges: of('charges'),
    refunds: of('refunds'),
    customers: of('customers'),
    subscriptions: of('subscriptions'),
    invoices: of('invoices'),
    invoicePayments: of('invoice_payments'),
    portalSessions: of('portal_sessions'),
    events: of('events'),
    transaction: (work) => transaction(db, work),
    close: () => db.close(),
  };
}

function prepareTables(db: DatabaseSync, file: string): void {
  const format = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (format === FORMAT) return;
  if (format !== 0) {
    db.close();
    throw new Error(
      `The sandbox's state in ${file} was made by another version of this program. Delete that file to begin anew.`,
    );
  }
  transaction(db, () => db.exec(`${tableDefinitions()} ${OTHER_TABLES} PRAGMA user_version = ${FORMAT};`));
}

function transaction<T>(db: DatabaseSync, work: () => T): T {
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
