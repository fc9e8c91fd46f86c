import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { line, sessionRequest } from './open-sandbox.ts';
import { CARDS, openAt } from './paying.ts';

function newFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sandbox-old-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'sandbox.sqlite');
}

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
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
};

/** Writes a file as the first version of this program did, with the resources of a newer one. */
function makeOldFile(from: string, to: string): void {
  const db = new DatabaseSync(to);
  db.exec(`ATTACH '${from}' AS new`);
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const generated = columns.map((name) => `, ${name} ANY GENERATED ALWAYS AS (resource ->> '$.${name}') VIRTUAL`);
    const indexes = columns.map((name) => `CREATE INDEX ${table}_by_${name} ON ${table} (${name});`);
    db.exec(
      `CREATE TABLE ${table} (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, resource TEXT NOT NULL${generated.join('')}) STRICT; ${indexes.join(' ')}`,
    );
    db.exec(`INSERT INTO ${table} (id, resource) SELECT id, resource FROM new.${table} ORDER BY seq`);
  }
  db.exec(`
    UPDATE charges SET resource = json_set(resource, '$.balance_transaction', NULL);
    UPDATE refunds SET resource = json_set(resource, '$.balance_transaction', NULL);
    UPDATE subscriptions SET resource = json_set(resource, '$.default_payment_method', NULL);
    CREATE TABLE deliveries (
      event TEXT PRIMARY KEY REFERENCES events (id), attempts INTEGER NOT NULL DEFAULT 0,
      next_attempt_at INTEGER, last_answer TEXT, delivered_at INTEGER
    ) STRICT;
    CREATE INDEX deliveries_pending ON deliveries (next_attempt_at) WHERE delivered_at IS NULL;
    CREATE TABLE idempotency_keys (
      key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, answer TEXT NOT NULL, created INTEGER NOT NULL
    ) STRICT;
    INSERT INTO deliveries (event, next_attempt_at) SELECT id, created * 1000 FROM events;
    PRAGMA user_version = 1;
  `);
  db.close();
}

test('the file of the first version opens: its sessions can be paid, its subscriptions renew, its charges count', async () => {
  const [newer, old] = [newFile(), newFile()];
  const before = await openAt(undefined, { stateFile: newer });
  const open = await before.stripe.checkout.sessions.create(sessionRequest({ line_items: [line(1000)] }));
  const paid = await before.pay(2500);
  await before.stripe.refunds.create({ charge: paid, amount: 500 });
  await before.subscribe(CARDS.pays, [line(4000, { interval: 'month' })]);
  await before.close();
  makeOldFile(newer, old);

  const { stripe, payByCard, charge, move, events } = await openAt(undefined, { stateFile: old });
  expect((await stripe.checkout.sessions.retrieve(open.id)).status).toBe('open');
  await payByCard(open);
  expect(await stripe.checkout.sessions.retrieve(open.id)).toMatchObject({ payment_status: 'paid' });
  expect(await charge(paid)).toMatchObject({ balance_transaction: expect.stringMatching(/^txn_/) });
  const { data } = await stripe.balanceTransactions.list();
  expect(data.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([-500, 1000, 2500, 4000]);
  await move({ months: 1 });
  expect(await events('invoice.paid')).toHaveLength(2);
  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({ id: expect.stringMatching(/^acct_sandbox/) });
});

test('the clock stays moved after a restart', async () => {
  const file = newFile();
  const before = await openAt(undefined, { stateFile: file });
  await before.move({ months: 2 });
  await before.close();
  const { get } = await openAt(undefined, { stateFile: file });
  expect((await get('/sandbox')).text).toContain('Mar 31, 2026');
});
