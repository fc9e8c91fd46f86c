// The sandbox's own SQLite file, apart from the product's database: a payment provider is another company's system.
// Each kind of Stripe resource is stored as the JSON that the API answers; what is searched by is a generated column.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type Stripe from 'stripe';
import { invalidRequest } from './parameters.ts';
import type { Instrument, Payer } from './resources/payment.ts';

/** What the provider keeps about a session without telling the API. Its id is the session's. */
export type SessionRecord = {
  readonly id: string;
  readonly request: Stripe.Checkout.SessionCreateParams;
  readonly lines: readonly Stripe.LineItem[];
  /** The payment intent of all attempts. In subscription mode the session itself does not name it. */
  readonly payment_intent: string | null;
  /** A payment that the payer still has to authenticate. */
  readonly authenticating: { readonly payer: Payer; readonly instrument: Instrument } | null;
};

/** Raise it when the tables change. The sandbox holds no real money: an older file is refused, not migrated. */
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
  readonly sessionRecords: Collection<SessionRecord>;
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
  /** Commits durably or rolls back. A nested transaction joins the outer one. */
  transaction<T>(work: () => T): T;
  close(): void;
};

/** @param file a path, or `:memory:` */
export function openStore(file: string): Store {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 5000 });
  // A power cut must not undo a payment whose webhook was already acknowledged.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  prepareTables(db, file);
  const of = <T extends { id: string }>(name: CollectionName): Collection<T> => collection<T>(db, name);
  return {
    db,
    sessions: of('sessions'),
    sessionRecords: of('session_files'),
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
      `The sandbox's state in ${file} was made by another version of this program. Delete that file to start over.`,
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

const INDEXED_COLUMNS = {
  sessions: ['created', 'status', 'expires_at', 'payment_intent', 'subscription', 'customer'],
  session_files: ['payment_intent'],
  products: [],
  payment_intents: ['status'],
  charges: ['payment_intent'],
  refunds: ['created', 'payment_intent', 'charge'],
  customers: [],
  subscriptions: ['customer'],
  invoices: [],
  invoice_payments: ['invoice'],
  portal_sessions: [],
  events: ['created', 'type'],
} as const;

export type CollectionName = keyof typeof INDEXED_COLUMNS;

export type Condition = { readonly sql: string; readonly values: readonly SQLInputValue[] };

export type Page = {
  readonly conditions?: readonly Condition[];
  readonly limit?: number | undefined;
  readonly startingAfter?: string | undefined;
  readonly endingBefore?: string | undefined;
};

export type Collection<T> = {
  find(id: string): T | undefined;
  /** Inserts it, or replaces the one with the same id. */
  save(resource: T): void;
  /** Newest first. The limit is 1 to 100, 10 by default. */
  list(page: Page): { data: T[]; hasMore: boolean };
  /** Newest first. */
  all(...conditions: Condition[]): T[];
};

export function limitOutOfRange(): Error {
  return invalidRequest('Invalid limit: must be from 1 to 100', 'limit', 'parameter_invalid_integer');
}

export const equals = (column: string, value: SQLInputValue): Condition => ({ sql: `${column} = ?`, values: [value] });

export function tableDefinitions(): string {
  return Object.entries(INDEXED_COLUMNS)
    .map(([name, columns]) => tableDefinition(name, columns))
    .join('\n');
}

function tableDefinition(name: string, columns: readonly string[]): string {
  const generated = columns.map((column) => `, ${column} ANY GENERATED ALWAYS AS (resource ->> '$.${column}') VIRTUAL`);
  const indexes = columns.map((column) => `CREATE INDEX ${name}_by_${column} ON ${name} (${column});`);
  return `CREATE TABLE ${name} (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, resource TEXT NOT NULL${generated.join('')}) STRICT; ${indexes.join(' ')}`;
}

export function collection<T extends { id: string }>(db: DatabaseSync, name: CollectionName): Collection<T> {
  const find = db.prepare(`SELECT resource FROM ${name} WHERE id = ?`);
  const seqOf = db.prepare(`SELECT seq FROM ${name} WHERE id = ?`);
  const save = db.prepare(
    `INSERT INTO ${name} (id, resource) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET resource = excluded.resource`,
  );
  const parse = (row: Record<string, unknown>): T => JSON.parse(String(row.resource)) as T;

  function select(conditions: readonly Condition[], order: 'ASC' | 'DESC', limit: number): T[] {
    const where = conditions.map(({ sql }) => `(${sql})`).join(' AND ') || 'TRUE';
    const rows = db.prepare(`SELECT resource FROM ${name} WHERE ${where} ORDER BY seq ${order} LIMIT ?`);
    return rows.all(...conditions.flatMap(({ values }) => values), limit).map(parse);
  }

  function cursorCondition(comparison: '<' | '>', id: string, param: string): Condition {
    const row = seqOf.get(id);
    if (!row) throw invalidRequest(`No such object: '${id}'`, param, 'resource_missing');
    return { sql: `seq ${comparison} ?`, values: [Number(row.seq)] };
  }

  function list({ conditions = [], limit = 10, startingAfter, endingBefore }: Page): { data: T[]; hasMore: boolean } {
    if (limit < 1 || limit > 100) throw limitOutOfRange();
    const cursors = [
      ...(startingAfter === undefined ? [] : [cursorCondition('<', startingAfter, 'starting_after')]),
      ...(endingBefore === undefined ? [] : [cursorCondition('>', endingBefore, 'ending_before')]),
    ];
    const backwards = endingBefore !== undefined;
    const found = select([...conditions, ...cursors], backwards ? 'ASC' : 'DESC', limit + 1);
    const data = found.slice(0, limit);
    return { data: backwards ? data.reverse() : data, hasMore: found.length > limit };
  }

  return {
    find: (id) => {
      const row = find.get(id);
      return row && parse(row);
    },
    save: (resource) => void save.run(resource.id, JSON.stringify(resource)),
    list,
    all: (...conditions) => select(conditions, 'DESC', -1),
  };
}
