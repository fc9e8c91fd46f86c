// @spec 2.editor decisions.3
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { BankMonth } from '#contract/schemas/bank.ts';
import type { PayoutMovement, Statement } from '#contract/schemas/books.ts';
import {
  checkLines,
  disputeLines,
  feeLines,
  type LedgerKind,
  type Lines,
  payoutLines,
  refundLines,
} from '#domain/books.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPayout } from '#test/support/builders/payout.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db, { now: () => new Date('2026-04-10T12:00:00Z') });
const app = await buildTestApp(deps);
const mainOrgId = await addOrg(db);
const edith = await signIn(deps, { editorOf: [mainOrgId] });

let factCount = 0;
type TestEntry = {
  kind: LedgerKind;
  at: string;
  fact?: string;
  amount?: number;
  lines?: Lines;
  livemode?: boolean;
  orgId?: string;
};

function postTestEntry({ kind, at, fact, amount = 0, lines, livemode, orgId = mainOrgId }: TestEntry) {
  factCount += 1;
  const entry = {
    orgId,
    kind,
    fact: fact ?? `test:${factCount}`,
    amount,
    carbon: 0,
    currency: 'usd',
    occurredAt: new Date(at),
  };
  const optionalFields = { ...(lines ? { lines } : {}), ...(livemode === undefined ? {} : { livemode }) };
  return inTransaction(db, (tx) => postEntry(tx, { ...entry, ...optionalFields }));
}

beforeAll(async () => {
  // In New York, the first two are still in January, and the next two are in February.
  await postTestEntry({ kind: 'payment', at: '2026-02-01T04:59:59.999Z', amount: 10_000 });
  await postTestEntry({ kind: 'fee', at: '2026-02-01T04:59:59.999Z', lines: feeLines(320) });
  await postTestEntry({ kind: 'renewal', at: '2026-02-01T05:00:00.000Z', amount: 2500 });
  await postTestEntry({ kind: 'fee', at: '2026-02-01T05:00:00.000Z', lines: feeLines(103) });
  const check = await postTestEntry({ kind: 'check', at: '2026-02-10T12:00:00Z', amount: 5000 });
  const reversal = {
    kind: 'reversal',
    fact: `check-reversal:${check}`,
    amount: -5000,
    lines: checkLines(-5000),
  } as const;
  await postTestEntry({ ...reversal, at: '2026-02-12T12:00:00Z' });
  await postTestEntry({ kind: 'refund', at: '2026-02-14T12:00:00Z', amount: -1000, lines: refundLines(1000) });
  await postTestEntry({ kind: 'dispute', at: '2026-02-15T12:00:00Z', lines: disputeLines(1500) });
  await postTestEntry({ kind: 'payout', at: '2026-02-20T12:00:00Z', lines: payoutLines(9000) });
  await postTestEntry({ kind: 'adjustment', at: '2026-02-21T12:00:00Z', amount: 77_700 });
  await postTestEntry({ kind: 'payment', at: '2026-03-01T05:00:00.000Z', amount: 400 });
  // Another organization's entry and a test-mode entry, neither of which counts.
  await postTestEntry({ kind: 'payment', at: '2026-02-02T12:00:00Z', amount: 99_900, orgId: await addOrg(db) });
  await sql`insert into payment_mode (livemode) values (true)`.execute(db.kysely);
  await postTestEntry({ kind: 'payment', at: '2026-02-02T12:00:00Z', amount: 88_800, livemode: false });
});

const fetchMonth = async (query: { period?: string } = {}) =>
  (await call(app, 'readStatement', { params: { orgid: mainOrgId }, query, as: edith })).json<Statement>();
const download = (name: 'downloadStatementPdf' | 'downloadStatementTable' | 'downloadQuickBooks') =>
  call(app, name, { params: { orgid: mainOrgId }, query: { period: '2026-02' }, as: edith });

const emptyMonth = { gifts: 0, fees: 0, refunds: 0, disputes: 0, payouts: 0, grants: 0 };

test('a month in the organization’s time zone opens with the previous balance and closes with the new one', async () => {
  expect(await fetchMonth({ period: '2026-02' })).toEqual({
    period: '2026-02',
    firstMonth: '2026-01',
    lastMonth: '2026-04',
    closedOn: null,
    undeposited: 0,
    given: 15,
    donors: 0,
    grantsPaid: 0,
    lateEntries: [],
    provider: {
      ...emptyMonth,
      opening: 96.8,
      gifts: 25,
      fees: -1.03,
      refunds: -10,
      disputes: -15,
      payouts: -90,
      closing: 5.77,
    },
    bank: { ...emptyMonth, opening: 0, gifts: 50, refunds: -50, payouts: 90, closing: 90 },
    disputed: { ...emptyMonth, opening: 0, disputes: 15, closing: 15 },
    all: {
      ...emptyMonth,
      opening: 96.8,
      gifts: 75,
      fees: -1.03,
      refunds: -60,
      disputes: 0,
      payouts: 0,
      closing: 110.77,
    },
  });
  expect((await fetchMonth({ period: '2026-03' })).all).toMatchObject({ opening: 110.77, gifts: 4, closing: 114.77 });
  expect(await fetchMonth()).toMatchObject({
    period: '2026-04',
    all: { ...emptyMonth, opening: 114.77, closing: 114.77 },
  });
});

test.each(['2025-12', '2026-05', '2025', '2027'])('%s has no statement', async (month) => {
  const response = await call(app, 'readStatement', {
    params: { orgid: mainOrgId },
    query: { period: month },
    as: edith,
  });
  expect(readOutcome(response)).toEqual([404, 'month-not-found']);
});

test('the statement downloads as CSV and PDF', async () => {
  const table = await download('downloadStatementTable');
  expect(table.headers['content-disposition']).toBe('attachment; filename="statement_2026-02.csv"');
  expect(table.body.split('\r\n')).toEqual([
    'February 2026,With the card processor,At the bank,Held in disputes,Total',
    'Opening balance,96.80,0.00,0.00,96.80',
    'Gifts,25.00,50.00,0.00,75.00',
    'Fees,-1.03,0.00,0.00,-1.03',
    'Refunds and bounced checks,-10.00,-50.00,0.00,-60.00',
    'Disputes,-15.00,0.00,15.00,0.00',
    'Payouts,-90.00,90.00,0.00,0.00',
    'Grants,0.00,0.00,0.00,0.00',
    'Closing balance,5.77,90.00,15.00,110.77',
    'Of which checks not yet deposited,,0.00,,',
    'Gifts minus returns,,,,15.00',
    'Donors,,,,0',
    'Grants paid,,,,0',
    '',
  ]);
  const pdf = await download('downloadStatementPdf');
  expect(pdf.headers['content-type']).toBe('application/pdf');
  expect(pdf.body.slice(0, 5)).toBe('%PDF-');
});

test('the QuickBooks file has each card processor transaction with US dates, signed amounts, and no zeros', async () => {
  const { body } = await download('downloadQuickBooks');
  expect(body.split('\r\n')).toEqual([
    'Date,Description,Amount',
    '02/01/2026,Recurring gift,25.00',
    '02/01/2026,Card processing fee,-1.03',
    '02/14/2026,Refund,-10.00',
    '02/15/2026,Dispute,-15.00',
    '02/20/2026,Payout to the bank,-90.00',
    '',
  ]);
});

test('the QuickBooks file labels account fees and payment fees differently', async () => {
  const busyOrgId = await addOrg(db);
  const fee = {
    kind: 'fee',
    at: '2026-02-03T12:00:00Z',
    lines: feeLines(70),
    livemode: true,
    orgId: busyOrgId,
  } as const;
  await postTestEntry({ ...fee, fact: `account-fee:txn_1:${busyOrgId}` });
  const beth = await signIn(deps, { editorOf: [busyOrgId] });
  const query = { period: '2026-02' };
  const { body } = await call(app, 'downloadQuickBooks', { params: { orgid: busyOrgId }, query, as: beth });
  expect(body.split('\r\n')[1]).toBe('02/03/2026,Card processor account fee,-0.70');
});

test('transactions above the QuickBooks limit are grouped into one line per day and kind', async () => {
  const busyOrgId = await addOrg(db);
  await sql`
    with posted as (
      insert into ledger_entries (id, org_id, kind, fact, amount_cents, carbon, occurred_at, livemode)
      select ${busyOrgId} || n, ${busyOrgId}, 'payment', ${busyOrgId} || ':' || n, 500, 0,
        timestamptz '2026-02-01 12:00+00' + n % 28 * interval '1 day', true
      from generate_series(1, 1000) n returning id)
    insert into ledger_lines (entry_id, account, cents)
    select id, account, cents from posted, (values ('gifts', -500), ('provider', 500)) line (account, cents)`.execute(
    db.kysely,
  );
  const as = await signIn(deps, { editorOf: [busyOrgId] });
  const { body } = await call(app, 'downloadQuickBooks', {
    params: { orgid: busyOrgId },
    query: { period: '2026-02' },
    as,
  });
  const lines = body.trimEnd().split('\r\n').slice(1);
  expect(lines).toHaveLength(28);
  expect(lines[0]).toBe('02/01/2026,Gift 35 total,175.00');
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[2]), 0)).toBe(5000);
});

test('only organizations with money in a payout see it and its contents', async () => {
  const id = await addPayout(db, mainOrgId);
  const readLines = async (orgid: string, as: SignedInPerson) =>
    (await call(app, 'readBankMonth', { params: { orgid }, query: { month: '2026-03' }, as })).json<BankMonth>().lines;
  expect(await readLines(mainOrgId, edith)).toEqual([
    {
      kind: 'payout',
      seen: null,
      id,
      status: 'in-transit',
      arrivesOn: '2026-03-16',
      amount: 9.41,
      movements: 1,
      replacementPayoutId: null,
      gifts: 10,
      fees: -0.59,
      refunds: 0,
      disputes: 0,
      returned: 0,
      manualPayouts: 0,
      share: 9.41,
      otherOrgs: 0,
      accountMovements: 0,
    },
  ]);
  const contents = await call(app, 'readPayoutMovements', { params: { orgid: mainOrgId, payoutid: id }, as: edith });
  expect(contents.json<PayoutMovement[]>()).toMatchObject([{ kind: 'payment', gross: 10, fee: -0.59, net: 9.41 }]);
  const otherOrgId = await addOrg(db);
  const as = await signIn(deps, { editorOf: [otherOrgId] });
  await postTestEntry({ kind: 'payment', at: '2026-03-02T12:00:00Z', amount: 500, livemode: true, orgId: otherOrgId });
  expect(await readLines(otherOrgId, as)).toEqual([]);
  const response = await call(app, 'readPayoutMovements', { params: { orgid: otherOrgId, payoutid: id }, as });
  expect(readOutcome(response)).toEqual([404, 'payout-not-found']);
});

test('the statement of a year counts each donor once, and no donor whose only check was recorded by mistake', async () => {
  const orgid = await addOrg(db);
  const as = await signIn(deps, { editorOf: [orgid], role: 'money' });
  await sql`delete from payment_mode`.execute(db.kysely);
  const recordCheck = async (name: string, receivedOn: string) => {
    const params = { orgid, pledgeid: randomUUID() };
    const body = { name, amount: 60, received: { receivedOn } };
    const { entryid } = (await call(app, 'recordPledge', { params, as, body })).json<{ entryid: string }>();
    return { params, entryid };
  };
  await recordCheck('Ada Adams', '2026-02-05');
  await recordCheck('Ada Adams', '2026-04-06');
  await recordCheck('Ben Baker', '2026-04-07');
  const { params, entryid } = await recordCheck('Cal Carter', '2026-04-07');
  await call(app, 'reversePledge', { params, as, body: { entryid, cause: 'mistake', reason: 'Recorded twice' } });
  const viewer = await signIn(deps, { editorOf: [orgid], role: 'reader' });
  const readPeriod = async (period: string) =>
    (await call(app, 'readStatement', { params: { orgid }, query: { period }, as: viewer })).json<Statement>();
  expect(await readPeriod('2026-02')).toMatchObject({ donors: 1, given: 60 });
  expect(await readPeriod('2026-04')).toMatchObject({ donors: 2, given: 120 });
  expect(await readPeriod('2026')).toMatchObject({ period: '2026', donors: 2, given: 180, all: { gifts: 240 } });
  const table = await call(app, 'downloadStatementTable', { params: { orgid }, query: { period: '2026' }, as: viewer });
  expect(table.headers['content-disposition']).toBe('attachment; filename="statement_2026.csv"');
  expect(table.body.split('\r\n')).toEqual(expect.arrayContaining(['Gifts minus returns,,,,180.00', 'Donors,,,,2']));
  const pdf = await call(app, 'downloadStatementPdf', { params: { orgid }, query: { period: '2026' }, as: viewer });
  expect(pdf.body.slice(0, 5)).toBe('%PDF-');
});
