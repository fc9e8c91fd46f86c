// @spec decisions.3
import { expect, test } from 'vitest';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { SearchStatus } from '#domain/checkout-search.ts';
import { readOrgStats } from '#server/features/ledger/org-stats.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { sendBouncedCheckEmail } from '#server/features/receipts/send-bounced-check-email.job.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { now: clock.now, jobs });
const app = await buildTestApp(deps);

const CHECK = { amount: 120.5, receivedOn: '2026-03-12', checkNumber: '1077' };

async function createReceivedCheck() {
  const orgId = await addOrg(db);
  const edith = await signIn(deps, { name: 'Edith Editor', editorOf: [orgId] });
  const pledgeId = await addPledge(db, orgId);
  const params = { orgid: orgId, pledgeid: pledgeId };
  const receive = () => call(app, 'receivePledge', { params, as: edith, body: CHECK });
  const { entryid } = (await receive()).json<Pledge>();
  const reverse = (changes: object = {}) =>
    call(app, 'reversePledge', {
      params,
      as: edith,
      body: { entryid, cause: 'bounced', reason: 'No such account', ...changes },
    });
  const withdraw = (withdrawn: boolean) => call(app, 'withdrawPledge', { params, as: edith, body: { withdrawn } });
  const listChecks = async (status: SearchStatus) =>
    (await call(app, 'searchCheckouts', { params: { orgid: orgId }, as: edith, body: { kind: 'check', status } })).json<
      Pledge[]
    >();
  const readFunds = async () => (await readOrgStats(db, orgId)).funds;
  return { orgid: orgId, pledgeid: pledgeId, receive, reverse, withdraw, list: listChecks, funds: readFunds };
}

test('a bounced check is removed from the totals and bank balance, listed as bounced, and noted on its receipt', async () => {
  const check = await createReceivedCheck();
  expect((await check.reverse()).json()).toMatchObject({
    status: 'bounced',
    receivedAmount: 120.5,
    checkNumber: '1077',
    reversal: { on: '2026-03-14', reason: 'No such account', by: 'Edith Editor' },
  });
  expect(await check.funds()).toBe(0);
  const lines = await db.kysely
    .selectFrom('ledger_lines')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
    .select(['kind', 'account', 'cents'])
    .where('org_id', '=', check.orgid)
    .where('account', '=', 'bank')
    .orderBy('kind')
    .execute();
  expect(lines.map(({ kind, cents }) => [kind, cents])).toEqual([
    ['check', 12_050],
    ['reversal', -12_050],
  ]);
  expect(await check.list('bounced')).toHaveLength(1);
  expect(await check.list('withdrawn')).toHaveLength(0);
  expect(readOutcome(await check.withdraw(false))).toEqual([409, 'pledge-withdrawn']);
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  await sendReceiptEmail.run({ ...deps, mailer }, { orgId: check.orgid, receiptNumber: 1, mailingId: 'first' });
  expect(sentEmails[0]?.text).toContain('The bank returned the $120.50 check unpaid.\nDeductible amount now: $0.00\n');
  expect(await verifyLedger(db)).toEqual([]);
});

test('a check recorded by mistake becomes a pledge again and can still be received or canceled', async () => {
  const check = await createReceivedCheck();
  const reversal = (await check.reverse({ cause: 'mistake', reason: 'Other fund' })).json<Pledge>();
  expect(reversal).toMatchObject({ status: 'pledged', receivedAmount: null, receivedOn: null, checkNumber: null });
  expect(await check.funds()).toBe(0);
  expect((await check.receive()).json()).toMatchObject({ status: 'received', receiptNumber: expect.any(Number) });
  expect(await check.funds()).toBe(120.5);
  expect(await verifyLedger(db)).toEqual([]);
  // A repeat of the first reversal doesn't touch the newer check.
  await check.reverse({ entryid: reversal.entryid, cause: 'mistake', reason: 'Other fund' });
  expect(await check.funds()).toBe(120.5);
  const { entryid } = (await check.list('paid'))[0] ?? {};
  expect(entryid).not.toBe(reversal.entryid);
  expect((await check.reverse({ entryid, cause: 'mistake' })).statusCode).toBe(200);
  expect((await check.withdraw(true)).json()).toMatchObject({ status: 'withdrawn' });
  expect(await check.funds()).toBe(0);
  expect(await verifyLedger(db)).toEqual([]);
});

test('the donor gets one email about a bounced check, and none about one recorded by mistake', async () => {
  const initialJobCount = jobs.findPayloads(sendBouncedCheckEmail).length;
  const mistakenCheck = await createReceivedCheck();
  await mistakenCheck.reverse({ cause: 'mistake' });
  const check = await createReceivedCheck();
  await check.reverse();
  await check.reverse();
  const queuedJobs = jobs.findPayloads(sendBouncedCheckEmail).slice(initialJobCount);
  expect(queuedJobs).toMatchObject([{ orgId: check.orgid }]);
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  for (const data of queuedJobs) await sendBouncedCheckEmail.run({ ...deps, mailer }, data);
  expect(sentEmails[0]?.text).toContain('Your $120.50 check to Ithaca Climate Fund was returned unpaid.');
  expect(sentEmails[0]?.text).toContain('Deductible amount now: $0.00\n');
  expect(sentEmails[0]?.text).toContain(`Start a new gift:\nhttps://fund.example/orgs/${check.orgid}/donate\n`);
});

test('a check is reversed once, and only if it was received', async () => {
  const check = await createReceivedCheck();
  const responses = await Promise.all([1, 2, 3, 4].map(() => check.reverse()));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect(await check.funds()).toBe(0);
  expect(readOutcome(await check.reverse({ entryid: 'unknown' }))).toEqual([409, 'pledge-not-received']);
  expect(readOutcome(await check.reverse({ reason: ' ' }))).toEqual([422, 'no-reason']);
  const otherCheck = await createReceivedCheck();
  expect(readOutcome(await otherCheck.reverse({ entryid: (await check.list('bounced'))[0]?.entryid }))).toEqual([
    409,
    'pledge-not-received',
  ]);
  expect(await otherCheck.funds()).toBe(120.5);
});

test('verify-ledger finds a reversal of a missing check', async () => {
  const check = await createReceivedCheck();
  await check.reverse();
  await runWithTriggersDisabled(db, (tx) =>
    tx
      .updateTable('ledger_entries')
      .set({ fact: 'check-reversal:other' })
      .where('kind', '=', 'reversal')
      .where('pledge_id', '=', check.pledgeid)
      .execute(),
  );
  const problems = (await verifyLedger(db)).map(({ problem }) => problem);
  expect(problems).toContain('does not reverse exactly one check');
});
