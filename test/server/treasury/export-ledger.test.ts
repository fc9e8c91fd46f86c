// @spec decisions.3
import { expect, test } from 'vitest';
import { LINE_COUNT_HEADER } from '#contract/calls.ts';
import { checkLines } from '#domain/books.ts';
import { donationItem } from '#domain/cart.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addGift, MONTHLY_CART } from '#test/support/builders/gift.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);

async function createFund() {
  const orgId = await addOrg(db);
  return { orgid: orgId, edith: await signIn(deps, { editorOf: [orgId] }) };
}
type Fund = Awaited<ReturnType<typeof createFund>>;

const download = ({ orgid: orgId, edith }: Fund, query: Record<string, string> = {}) =>
  call(app, 'downloadLedger', { params: { orgid: orgId }, as: edith, query });

/** Reads the table's rows as objects. No cell in these tests contains a comma or a line break. */
async function readLines(testFund: Fund, query: Record<string, string> = {}): Promise<Record<string, string>[]> {
  const { body } = await download(testFund, query);
  const [heading = '', ...lines] = body
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n');
  const columnNames = heading.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, index) => [columnNames[index] ?? '', cell])),
  );
}

function postTestEntry({ orgid: orgId }: Fund, amount: number, occurredAt: string, overrides: object = {}) {
  const fact = `test:${orgId}:${amount}:${occurredAt}:${JSON.stringify(overrides)}`;
  const entry = { orgId, kind: 'payment' as const, fact, amount, carbon: 0, currency: 'usd' };
  return inTransaction(db, (tx) => postEntry(tx, { ...entry, ...overrides, occurredAt: new Date(occurredAt) }));
}

// @asvs 5.4.2
test.each(['2026-01-01"; filename="evil.html', '2026-01-01/../evil', 'evil.html', '2026-01-01\r\nX-Evil: 1'])(
  'the caller can’t choose the name of a downloaded file (%j)',
  async (text) => {
    const testFund = await createFund();
    expect((await download(testFund, { from: text })).statusCode).toBe(400);
    for (const name of ['downloadStatementPdf', 'downloadStatementTable', 'downloadQuickBooks'] as const) {
      const params = { orgid: testFund.orgid };
      const response = await call(app, name, { params, query: { period: text }, as: testFund.edith });
      expect([response.statusCode, response.headers['content-disposition']]).toEqual([400, undefined]);
    }
  },
);

const sumCents = (lines: readonly Record<string, string>[]) =>
  lines.reduce((sum, { Gross = '' }) => sum + Math.round(Number(Gross) * 100), 0);

test('the export has one row per entry across pages, and the rows add up to the ledger’s total', async () => {
  const testFund = await createFund();
  const entries = Array.from({ length: 503 }, (_, count) => ({
    orgId: testFund.orgid,
    kind: count % 7 === 0 ? ('adjustment' as const) : ('payment' as const),
    fact: `test:${testFund.orgid}:${count}`,
    amount: count % 7 === 0 ? -count : count * 101,
    carbon: 0,
    currency: 'usd',
    // Many entries have the same time, including entries on both sides of a page boundary.
    occurredAt: new Date(Date.UTC(2026, 0, 1 + (count % 28))),
  }));
  await inTransaction(db, async (tx) => {
    for (const entry of entries) await postEntry(tx, entry);
  });
  const lines = await readLines(testFund);
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  expect([lines.length, sumCents(lines)]).toEqual([503, sum]);
  expect(new Set(lines.map((line) => line['Entry id'])).size).toBe(503);
  const dates = lines.map((line) => line['Time (UTC)'] ?? '');
  expect(dates).toEqual(dates.toSorted());
});

test('a dispute’s end is listed after its start, even if both were posted together', async () => {
  const testFund = await createFund();
  const disputeRow = (id: string, fact: string, created: string) => ({
    id: `${testFund.orgid}-${id}`,
    org_id: testFund.orgid,
    kind: 'dispute' as const,
    fact: `${fact}-${testFund.orgid}`,
    amount_cents: 0,
    carbon: 0,
    occurred_at: new Date('2026-03-01T12:00:00Z'),
    created_at: new Date(created),
  });
  const entries = [
    { ...disputeRow('1', 'dispute:b', '2026-03-05T00:00:00Z'), reason: 'Lost' },
    { ...disputeRow('2', 'dispute:b', '2026-03-02T00:00:00Z'), reason: 'Opened' },
    { ...disputeRow('3', 'dispute:a', '2026-03-05T00:00:00Z'), reason: 'Lost at once' },
    { ...disputeRow('4', 'dispute:a', '2026-03-05T00:00:00Z'), reason: 'Opened at once' },
  ].map((entry) => (entry.reason.startsWith('Lost') ? { ...entry, fact: `${entry.fact}:lost` } : entry));
  await db.kysely.insertInto('ledger_entries').values(entries).execute();
  const reasons = (await readLines(testFund)).map(({ Reason }) => Reason);
  expect(reasons).toEqual(['Opened', 'Opened at once', 'Lost at once', 'Lost']);
});

test('an export for a period includes the first and last days and reports its number of rows', async () => {
  const testFund = await createFund();
  await postTestEntry(testFund, 100, '2026-02-01T04:59:59.999Z');
  await postTestEntry(testFund, 200, '2026-02-01T05:00:00.000Z');
  await postTestEntry(testFund, 400, '2026-03-01T04:59:59.999Z');
  await postTestEntry(testFund, 800, '2026-03-01T05:00:00.000Z');
  const february = { from: '2026-02-01', to: '2026-02-28' };
  expect(sumCents(await readLines(testFund, february))).toBe(600);
  const response = await download(testFund, february);
  expect(response.headers[LINE_COUNT_HEADER]).toBe('2');
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.headers['content-disposition']).toBe('attachment; filename="ledger_2026-02-01_2026-02-28.csv"');
  expect(sumCents(await readLines(testFund, { from: '2026-02-02' }))).toBe(1200);
  expect(sumCents(await readLines(testFund))).toBe(1500);
  expect(readOutcome(await download(testFund, { from: '2026-02-02', to: '2026-02-01' }))).toEqual([
    422,
    'days-out-of-order',
  ]);
});

test('a row has a gift’s donor, recurrence, receipt, and provider ids', async () => {
  const testFund = await createFund();
  const ids = { provider_session_id: 'cs_1', provider_payment_id: 'pi_1', provider_subscription_id: 'sub_1' };
  const { checkoutId } = await addGift(db, testFund.orgid, { ...ids, cart: MONTHLY_CART });
  const quarterlyCart = JSON.stringify([donationItem(25, 'month', 3)]);
  await addGift(db, testFund.orgid, { cart: quarterlyCart });
  const pledgeId = await addPledge(db, testFund.orgid, { status: 'received', check_number: '1077' });
  await postTestEntry(testFund, 10_000, '2026-03-15T12:00:00Z', { kind: 'check', pledgeId });
  await postTestEntry(testFund, -2500, '2026-03-16T12:00:00Z', {
    kind: 'refund',
    checkoutId,
    reason: 'asked for it back',
  });
  const lines = await readLines(testFund);
  expect(lines.find((line) => line['Provider session id'] === 'cs_1')).toMatchObject({
    Kind: 'payment',
    Gross: '25.00',
    Currency: 'USD',
    Recurrence: 'monthly',
    'Receipt number': '1001',
    Name: 'Paula Payer',
    Email: 'payer@example.org',
    'Provider payment id': 'pi_1',
    'Provider subscription id': 'sub_1',
    'Checkout id': checkoutId,
  });
  expect(lines.map(({ Recurrence }) => Recurrence)).toContain('every 3 months');
  expect(lines.at(-2)).toMatchObject({ Kind: 'check', Name: 'Dora Donor', 'Check number': '1077', Gross: '100.00' });
  expect(lines.at(-1)).toMatchObject({ Kind: 'refund', Gross: '-25.00', Reason: 'asked for it back' });
});

test('a grant has its home’s name, and a refund has its editor’s reason', async () => {
  const testFund = await createFund();
  const awardeeId = await addStory(db, 'awardees', testFund.orgid, { name: 'The Okafor family' });
  await addGrant(db, testFund.orgid, { awardeeId, stage: 'paid' });
  const { checkoutId, ledgerEntryId } = await addGift(db, testFund.orgid);
  const returnRow = { kind: 'refund', status: 'succeeded', amount_cents: 500, reason: 'Duplicate gift' } as const;
  const id = `re_${testFund.orgid}`;
  const row = { ...returnRow, id, entry_id: ledgerEntryId, occurred_at: new Date('2026-03-16T12:00:00Z') };
  await db.kysely.insertInto('payment_returns').values(row).execute();
  const refundIds = { checkoutId, paymentEntryId: ledgerEntryId, returnId: id, fact: `refund:${id}` };
  await postTestEntry(testFund, -500, '2026-03-16T12:00:00Z', { kind: 'refund', ...refundIds });
  const pledgeId = await addPledge(db, testFund.orgid, { status: 'withdrawn', reversal_reason: 'Account closed' });
  const checkEntryId =
    (await postTestEntry(testFund, 10_000, '2026-03-17T12:00:00Z', { kind: 'check', pledgeId })) ?? '';
  const reversalIds = { pledgeId, reversedEntryId: checkEntryId, fact: `check-reversal:${checkEntryId}` };
  const reversal = { kind: 'reversal', ...reversalIds, lines: checkLines(-10_000) };
  await postTestEntry(testFund, -10_000, '2026-03-18T12:00:00Z', reversal);
  const lines = await readLines(testFund);
  const linesOfKind = (kind: string) => lines.filter(({ Kind }) => Kind === kind);
  expect(linesOfKind('grant')).toMatchObject([{ Name: 'The Okafor family', Recurrence: '' }]);
  expect(linesOfKind('refund')).toMatchObject([
    { Name: 'Paula Payer', Reason: 'Duplicate gift', 'Gift entry id': ledgerEntryId },
  ]);
  expect(linesOfKind('check')).toMatchObject([{ Name: 'Dora Donor', Reason: '', Recurrence: 'once' }]);
  expect(linesOfKind('reversal')).toMatchObject([
    { Name: 'Dora Donor', Reason: 'Account closed', 'Gift entry id': checkEntryId },
  ]);
});

test('visitor text is never exported as a spreadsheet formula', async () => {
  const testFund = await createFund();
  const pledgeId = await addPledge(db, testFund.orgid, {
    name: '=cmd|calc!A1',
    email: '+41@example.org',
    check_number: '@1',
    status: 'received',
  });
  await postTestEntry(testFund, 10_000, '2026-03-15T12:00:00Z', { kind: 'check', pledgeId, reason: '-1+1' });
  expect(await readLines(testFund)).toMatchObject([
    { Name: "'=cmd|calc!A1", Email: "'+41@example.org", 'Check number': "'@1", Reason: "'-1+1", Gross: '100.00' },
  ]);
});

test("editors can’t read another organization's ledger", async () => {
  const testFund = await createFund();
  const otherFund = await createFund();
  await postTestEntry(otherFund, 100, '2026-01-01T00:00:00Z');
  expect(await readLines(testFund)).toEqual([]);
  expect(readOutcome(await download({ orgid: otherFund.orgid, edith: testFund.edith }))).toEqual([403, 'forbidden']);
});
