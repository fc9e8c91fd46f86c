// The tables of the sandbox's SQLite file. Each Stripe resource is stored as the JSON of the API's response;
// search fields are generated columns.
import type { DatabaseSync } from 'node:sqlite';

/** Increment when the tables change. Files with another version are rejected. */
const FORMAT = 6;

const DAY_SECONDS = 86_400;
/** Days until a bank settles a debit or accepts a refund. */
const DEBIT_DAYS = 4;
const REFUND_DAYS = 5;

/** The name of a JSON field, or a column with an expression. */
type Column = string | { readonly name: string; readonly expression: string };

const jsonColumn = (name: string, path: string): Column => ({ name, expression: `resource ->> '$.${path}'` });
/** When the sandbox must act on the resource; NULL if never. */
const dueColumn = (condition: string, time: string): Column => ({
  name: 'due_at',
  expression: `CASE WHEN ${condition} THEN ${time} END`,
});
const statusIn = (...values: readonly string[]): string =>
  `resource ->> '$.status' IN (${values.map((value) => `'${value}'`).join(', ')})`;
const jsonValue = (path: string): string => `resource ->> '$.${path}'`;

/** SQLite's min() returns NULL if any argument is NULL. */
const NEVER = 9_999_999_999;
const SUBSCRIPTION_DUE_AT = `min(${jsonValue('items.data[0].current_period_end')}, coalesce(${jsonValue('cancel_at')}, ${NEVER}), coalesce(${jsonValue('pause_collection.resumes_at')}, ${NEVER}))`;

const COLUMNS = {
  sessions: [
    'created',
    'status',
    'payment_intent',
    'subscription',
    'customer',
    dueColumn(statusIn('open'), jsonValue('expires_at')),
  ],
  session_files: ['payment_intent'],
  products: [],
  payment_intents: ['created', 'customer', 'status'],
  payment_methods: ['customer'],
  charges: [
    'created',
    'customer',
    'payment_intent',
    dueColumn(statusIn('pending'), `${jsonValue('created')} + ${DEBIT_DAYS * DAY_SECONDS}`),
  ],
  refunds: [
    'created',
    'payment_intent',
    'charge',
    'pending_reason',
    dueColumn(
      `${jsonValue('pending_reason')} = 'processing'`,
      `${jsonValue('created')} + ${REFUND_DAYS * DAY_SECONDS}`,
    ),
  ],
  refund_failures: ['due_at'],
  disputes: ['created', 'charge', 'payment_intent'],
  fraud_warnings: ['created', 'charge'],
  balance_transactions: ['created', 'type', 'source', 'currency', 'available_on', 'net'],
  payouts: ['created', 'arrival_date', 'status', dueColumn(statusIn('in_transit'), jsonValue('arrival_date'))],
  customers: ['created', 'email'],
  subscriptions: [
    'created',
    'customer',
    'status',
    dueColumn(statusIn('active', 'past_due', 'trialing'), SUBSCRIPTION_DUE_AT),
  ],
  invoices: [
    'created',
    'customer',
    'status',
    jsonColumn('subscription', 'parent.subscription_details.subscription'),
    jsonColumn('paid_at', 'status_transitions.paid_at'),
    dueColumn(statusIn('open'), jsonValue('next_payment_attempt')),
  ],
  invoice_payments: ['created', 'invoice', 'status', jsonColumn('payment_intent', 'payment.payment_intent')],
  portal_sessions: [],
  webhook_endpoints: ['status'],
  events: ['created', 'type'],
} satisfies Record<string, readonly Column[]>;

export type CollectionName = keyof typeof COLUMNS;

const OTHER_TABLES = `
  CREATE TABLE deliveries (
    event TEXT PRIMARY KEY REFERENCES events (id),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER,
    last_result TEXT,
    delivered_at INTEGER,
    -- Real time in milliseconds, because the sandbox's clock can be moved. Deliveries are abandoned after three days.
    queued_at INTEGER
  ) STRICT;
  CREATE INDEX balance_transactions_by_payout ON balance_transactions (payout, available_on);
  CREATE INDEX deliveries_pending ON deliveries (next_attempt_at) WHERE delivered_at IS NULL;
  CREATE TABLE idempotency_keys (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    response TEXT NOT NULL,
    created INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE settings (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT;
`;

/** Creates the tables of a new file. @throws Error if another version created the file */
export function prepareTables(db: DatabaseSync, file: string): void {
  const format = db.prepare('PRAGMA user_version').get()?.user_version;
  if (format === 0) createTables(db);
  else if (format !== FORMAT)
    throw new Error(
      `The sandbox database ${file} was created by another version of this program. Delete the file to start over.`,
    );
}

function createTables(db: DatabaseSync): void {
  for (const [name, columns] of Object.entries<readonly Column[]>(COLUMNS)) {
    const generatedColumns = columns.map(toNamedColumn);
    const definitions = [
      'seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, resource TEXT NOT NULL',
      ...generatedColumns.map((column) => `${column.name} ANY GENERATED ALWAYS AS (${column.expression}) VIRTUAL`),
      // The payout that includes it. Stripe's API filters by it but doesn't return it.
      ...(name === 'balance_transactions' ? ['payout TEXT'] : []),
    ];
    db.exec(`CREATE TABLE ${name} (${definitions.join(', ')}) STRICT`);
    for (const column of generatedColumns)
      db.exec(`CREATE INDEX ${name}_by_${column.name} ON ${name} (${column.name})`);
  }
  db.exec(OTHER_TABLES);
  db.exec(`PRAGMA user_version = ${FORMAT}`);
}

function toNamedColumn(column: Column): Exclude<Column, string> {
  return typeof column === 'string' ? { name: column, expression: `resource ->> '$.${column}'` } : column;
}
