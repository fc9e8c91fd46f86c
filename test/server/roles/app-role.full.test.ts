// @spec decisions.3
import fs from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Pledge } from '#contract/schemas/pledges.ts';
import { donationItem } from '#domain/cart.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import {
  canDisableTriggers,
  DELETABLE_TABLES,
  INSERT_ONLY_TABLES,
  UPDATABLE_COLUMNS,
  warnIfUnprotected,
} from '#server/db/app-role.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { openAndMigrate } from '#server/db/open-migrated.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { sendReturnedGiftEmail } from '#server/features/receipts/send-returned-gift-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { openQueues } from '#server/jobs/queues.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { signIn } from '#test/support/sign-in.ts';
import { createTwoRoles } from '#test/support/two-roles.ts';

const { log, loggedProblems } = createLogSpy();
const { ownerUrl, appUrl } = await createTwoRoles();

// Simulates an installation that used one role for everything, including its job queues, and then adds a second role.
const ownerDatabase = await openAndMigrate({ databaseUrl: ownerUrl, migrateDatabaseUrl: undefined, dataDir: '' }, log);
const singleRole = {
  couldDisableTriggers: await canDisableTriggers(ownerDatabase.db),
  warnings: await readWarnings(ownerDatabase.db),
};
await (await openQueues(ownerDatabase.db, log, QUEUED_JOBS)).stop();
await ownerDatabase.db.close();
const { db, migrations } = await openAndMigrate(
  { databaseUrl: appUrl, migrateDatabaseUrl: ownerUrl, dataDir: '' },
  log,
);

const queues = await openQueues<Parameters<typeof sendReceiptEmail.run>[0]>(db, log, [
  sendReceiptEmail,
  sendReturnedGiftEmail,
]);
const setup = await startDonationSetup({ db, jobs: queues });
const { deps, app, provider, orgId } = setup;
afterAll(async () => {
  await queues.stop();
  await db.close();
  expect(loggedProblems).toEqual([]);
});

/** Reads the warnings that startup and verify-ledger print. */
async function readWarnings(database: Database): Promise<readonly string[]> {
  const logSpy = createLogSpy();
  await warnIfUnprotected(database, logSpy.log);
  return logSpy.loggedProblems;
}

test('migrations run as the owner role after a warning about a single-role setup', async () => {
  expect([ownerDatabase.migrations, migrations]).toEqual([['0001-baseline'], []]);
  expect([singleRole.couldDisableTriggers, await canDisableTriggers(db)]).toEqual([true, false]);
  expect(singleRole.warnings).toEqual([expect.stringContaining('can disable the triggers that protect the ledger')]);
  expect(await readWarnings(db)).toEqual([]);
});

const SAMPLE_CHANGES: Readonly<Record<string, string>> = {
  ledger_lines: 'cents = 1',
  payout_entries: "payout_id = ''",
  account_fees: 'amount_cents = 1',
};
const PROTECTED_TABLES = [...INSERT_ONLY_TABLES, ...Object.keys(UPDATABLE_COLUMNS), 'ledger_totals'];

// @asvs 13.2.2
test.each([
  ...PROTECTED_TABLES.map((table) => `alter table ${table} disable trigger all`),
  ...PROTECTED_TABLES.map((table) => `delete from ${table}`),
  ...PROTECTED_TABLES.map((table) => `truncate ${table} cascade`),
  ...INSERT_ONLY_TABLES.map((table) => `update ${table} set ${SAMPLE_CHANGES[table] ?? 'created_at = now()'}`),
  'update receipts set amount_cents = 1',
  'update receipts set number = number + 1',
  `update receipt_numbers set first = 1`,
  'delete from payments',
  `set session_replication_role = 'replica'`,
  'drop trigger ledger_entries_are_append_only on ledger_entries',
  'create trigger nothing before insert on ledger_lines for each row execute function reject_ledger_change()',
  'alter function reject_ledger_change() owner to current_user',
  'create function public.pg_notify(text, text) returns void language sql as $$ select $$',
  'delete from migrations',
])('the program’s role may not: %s', async (statement) => {
  await expect(db.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
});

test('a temporary table with the same name doesn’t hide ledger lines from the check', async () => {
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    await client.query('create temp table ledger_lines (like public.ledger_lines) on commit drop');
    await client.query(
      `insert into public.ledger_entries (id, org_id, kind, fact, amount_cents, carbon, currency, occurred_at)
       values ('invented', $1, 'adjustment', 'invented', 100, 0, 'usd', now())`,
      [orgId],
    );
    await client.query(`insert into public.ledger_lines values ('invented', 'bank', 100)`);
    await expect(client.query('commit')).rejects.toThrow('sum to 100 cents');
  } finally {
    client.release();
  }
});

test('gifts, renewals, refunds, disputes, checks, receipts, and deletions work as the program’s role', async () => {
  const donor = await signIn(deps, { email: 'payer@example.org' });
  const edith = await signIn(deps, { email: 'edith@example.net', editorOf: [orgId] });
  const gift = await setup.openCheckout([donationItem(25, 'month')], { orgId, as: donor });
  await provider.pay(gift.paymentUrl);
  await provider.deliverEvents();
  await provider.submitDashboardForm('clock', { months: '1' });
  await provider.deliverEvents();
  await provider.stripe.refunds.create({ charge: await provider.readChargeId(gift.paymentUrl), amount: 500 });
  await provider.deliverEvents();
  const disputedGift = await setup.openAndPay();
  const charge = await provider.readChargeId(disputedGift.paymentUrl);
  await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' });
  const { data } = await provider.stripe.disputes.list({ charge });
  await provider.submitDashboardForm(`disputes/${data[0]?.id ?? ''}`, { outcome: 'lose' });
  await provider.deliverEvents();
  const params = { orgid: orgId, pledgeid: await addPledge(db, orgId) };
  const check = { amount: 12.5, receivedOn: '2026-03-12', checkNumber: '1077' };
  const receivedCheck = (await call(app, 'receivePledge', { params, as: edith, body: check })).json<Pledge>();
  const reversal = { entryid: receivedCheck.entryid, cause: 'bounced', reason: 'No such account' };
  expect(readOutcome(await call(app, 'reversePledge', { params, as: edith, body: reversal }))).toEqual([200]);
  const sentEmails = await sendQueuedEmails(6);
  expect(sentEmails.map(({ subject }) => subject.replace(/\d+$/, '…')).toSorted()).toEqual([
    ...['payment reversed', ...Array.from({ length: 4 }, () => 'receipt no. …'), 'refund'].map(
      (suffix) => `Your gift to Ithaca Climate Fund: ${suffix}`,
    ),
  ]);
  const { id: checkoutId } = disputedGift;
  const deletion = await call(app, 'deleteCheckout', { params: { orgid: orgId, checkoutid: checkoutId }, as: edith });
  expect(readOutcome(deletion)).toEqual([200]);
  const response = await call(app, 'deleteUser', { params: { userid: donor.userId }, as: donor });
  expect(readOutcome(response)).toEqual([200]);
  expect(await setup.readTotalCents()).toBe(5000 - 500);
  expect(await setup.findDifferences()).toEqual([]);
});

test('changing an account’s address also moves the new address’s gifts and notes to it', async () => {
  const [home, work] = ['nan-at-home@example.org', 'nan-at-work@example.org'];
  const nan = await signIn(deps, { email: home });
  const edith = await signIn(deps, { editorOf: [orgId] });
  await addGift(db, orgId, { user_id: nan.userId, email: home });
  await addGift(db, orgId, { email: work });
  const findDonors = (email: string) =>
    db.kysely.selectFrom('donors').select('id').where('email', '=', email).execute();
  const [workDonor] = await findDonors(work);
  const params = { orgid: orgId, noteid: newId() };
  const note = { subjectid: workDonor?.id ?? '', text: 'Prefers letters' };
  expect(readOutcome(await call(app, 'addTeamNote', { params, as: edith, body: note }))).toEqual([200]);
  await db.kysely.updateTable('users').set({ email: work }).where('id', '=', nan.userId).execute();
  const [donor, ...otherDonors] = await findDonors(work);
  expect([donor?.id === workDonor?.id, otherDonors, await findDonors(home)]).toEqual([false, [], []]);
  const notes = await db.kysely
    .selectFrom('team_notes')
    .select('text')
    .where('donor_id', '=', donor?.id ?? '')
    .execute();
  expect(notes).toEqual([{ text: 'Prefers letters' }]);
});

/** Runs the queued jobs and returns their emails once all have been sent. */
async function sendQueuedEmails(count: number): Promise<Email[]> {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  await queues.startWorkers({ ...deps, mailer });
  await expect.poll(() => sentEmails.length).toBe(count);
  return sentEmails;
}

test('a role that can’t migrate requires a migration role, which must be a different role', async () => {
  const roles = await createTwoRoles();
  const openAsApp = (migrateDatabaseUrl: string | undefined) =>
    openAndMigrate({ databaseUrl: roles.appUrl, migrateDatabaseUrl, dataDir: '' }, log);
  await expect(openAsApp(undefined)).rejects.toThrow('The database must be migrated by its owner');
  await expect(openAsApp(roles.appUrl)).rejects.toThrow('name the same PostgreSQL role');
  const appDatabase = await openAsApp(roles.ownerUrl);
  expect(await canDisableTriggers(appDatabase.db)).toBe(false);
  await (await openQueues(appDatabase.db, log, QUEUED_JOBS)).stop();
  await appDatabase.db.close();
});

test('the code deletes rows only from tables that the program’s role may delete from', async () => {
  const folder = path.resolve('src/server');
  const files = (await fs.readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map((name) => fs.readFile(path.join(folder, name), 'utf8')));
  const tableMatches = texts.flatMap((text) => [...text.matchAll(/deleteFrom\('(\w+)'\)|delete from (\w+)/g)]);
  const tables = tableMatches.map(([, builderTable, sqlTable]) => builderTable ?? sqlTable ?? '');
  const dynamicTables = ['awardees', 'installers'];
  expect(new Set([...tables, ...dynamicTables])).toEqual(new Set(DELETABLE_TABLES));
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_tables where schemaname = 'public' and tablename = any(${[...DELETABLE_TABLES]})`.execute(
    db.kysely,
  );
  expect(rows[0]?.n).toBe(DELETABLE_TABLES.length);
});
