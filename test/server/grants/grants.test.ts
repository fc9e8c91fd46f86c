// @spec 2.editor decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Statement } from '#contract/schemas/books.ts';
import type { AvailableFundsResponse, Grant, StageSum } from '#contract/schemas/grants.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { disputeLines, feeLines, type LedgerKind, type Lines } from '#domain/books.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { readOrgStats } from '#server/features/ledger/org-stats.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCheck } from '#test/support/builders/gift.ts';
import { addGrant, createGrantBody } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const deps = await createTestDeps(db, { now: clock.now });
const app = await buildTestApp(deps);
let grantCount = 0;

async function createFund() {
  const orgId = await addOrg(db);
  const edith = await signIn(deps, { name: 'Edith Editor', editorOf: [orgId] });
  const awardeeId = await addStory(db, 'awardees', orgId, { name: 'The Okafor family' });
  grantCount += 1;
  const params = { orgid: orgId, grantid: `grant-${grantCount}` };
  const request = { params, as: edith };
  return {
    orgId,
    awardeeId,
    grantId: params.grantid,
    save: (change: object = {}) =>
      call(app, 'saveGrant', { ...request, body: { ...createGrantBody(awardeeId), ...change } }),
    promiseGrant: (on = '2026-03-01') => call(app, 'promiseGrant', { ...request, body: { on } }),
    pay: (amount = 1500, on = '2026-03-10') => call(app, 'payGrant', { ...request, body: { on, amount } }),
    recordWork: (doneOn: string | null, inspectedOn: string | null = null) =>
      call(app, 'recordGrantWork', { ...request, body: { doneOn, inspectedOn } }),
    changeWork: (dates: BodyInput<'recordGrantWork'>) => call(app, 'recordGrantWork', { ...request, body: dates }),
    reverse: (entryid: string | null, reason = 'The household moved away') =>
      call(app, 'reverseGrant', { ...request, body: { entryid: entryid ?? '', reason } }),
    remove: () => call(app, 'deleteGrant', request),
    listGrants: async (query: Record<string, string> = {}) =>
      (await call(app, 'readGrants', { params: { orgid: orgId }, as: edith, query })).json<Grant[]>(),
    readSums: async (query: Record<string, string> = {}) =>
      (await call(app, 'sumGrants', { params: { orgid: orgId }, as: edith, query })).json<StageSum[]>(),
    read: () => call(app, 'readGrant', request),
    readFunds: async () =>
      (await call(app, 'readAvailableFunds', { params: { orgid: orgId }, as: edith })).json<AvailableFundsResponse>(),
    readMonth: async () =>
      (
        await call(app, 'readStatement', { params: { orgid: orgId }, query: { period: '2026-03' }, as: edith })
      ).json<Statement>(),
    downloadCsv: async () => (await call(app, 'downloadLedger', { params: { orgid: orgId }, as: edith })).body,
    removeAwardee: () => call(app, 'deleteAwardee', { params: { orgid: orgId, awardeeid: awardeeId }, as: edith }),
    post: (kind: LedgerKind, lines: Lines) =>
      inTransaction(db, (tx) =>
        postEntry(tx, {
          orgId,
          kind,
          fact: `test:${orgId}:${kind}`,
          amount: 0,
          carbon: 0,
          currency: 'usd',
          lines,
          occurredAt: clock.now(),
        }),
      ),
  };
}

const DEFAULT_FACTS = {
  installer: '',
  otherFunding: 0,
  otherFundingSource: '',
  fullSavingsReason: '',
  publicFields: [],
};

test('an edit based on an outdated grant is rejected, and one based on the current grant is saved', async () => {
  const { awardeeId, save, remove } = await createFund();
  await save();
  const basedOn = { ...createGrantBody(awardeeId), ...DEFAULT_FACTS };
  expect((await save({ amount: 1600, basedOn })).json()).toMatchObject({ amount: 1600 });
  expect(readOutcome(await save({ amount: 1700, basedOn }))).toEqual([409, 'grant-changed']);
  await remove();
  expect(readOutcome(await save({ basedOn: { ...basedOn, amount: 1600 } }))).toEqual([404, 'grant-not-found']);
});

test('repeating an edit saves the same grant', async () => {
  const { awardeeId, save } = await createFund();
  await save();
  const basedOn = { ...createGrantBody(awardeeId), ...DEFAULT_FACTS };
  const edit = { amount: 1600, installer: ' Warm Walls ', publicFields: ['dates', 'dates'], basedOn };
  const savedGrant = (await save(edit)).json<Grant>();
  expect(savedGrant).toMatchObject({ amount: 1600, installer: 'Warm Walls', publicFields: ['dates'] });
  expect((await save(edit)).json()).toEqual(savedGrant);
});

async function readLines(grantId: string) {
  const { rows } = await sql<{ kind: string; account: string; cents: number }>`
    select e.kind, l.account, l.cents from ledger_entries e join ledger_lines l on l.entry_id = e.id
    where e.grant_id = ${grantId} order by e.created_at, e.id, l.account`.execute(db.kysely);
  return rows.map(({ kind, account, cents }) => [kind, account, cents]);
}

test('a grant is applied for, promised, paid, completed, and inspected, and promise and payment are posted to the books', async () => {
  const { grantId, save, promiseGrant, pay, recordWork, listGrants } = await createFund();
  const savedGrant = (await save()).json<Grant>();
  expect(savedGrant).toMatchObject({
    awardee: 'The Okafor family',
    stage: 'applied',
    amount: 1500,
    paid: null,
    entryid: null,
    countedPounds: 28_080,
  });
  expect((await promiseGrant()).json()).toMatchObject({ stage: 'promised', promisedOn: '2026-03-01' });
  expect(await readLines(grantId)).toEqual([
    ['promise', 'grants', 150_000],
    ['promise', 'promised', -150_000],
  ]);
  // The work cost less than promised.
  expect((await pay(1420.5)).json()).toMatchObject({ stage: 'paid', paid: 1420.5, paidOn: '2026-03-10' });
  expect((await readLines(grantId)).slice(2)).toEqual([
    ['grant', 'bank', -142_050],
    ['grant', 'grants', -7950],
    ['grant', 'promised', 150_000],
  ]);
  expect((await recordWork('2026-03-12', '2026-03-13')).json()).toMatchObject({ stage: 'inspected' });
  expect(await listGrants()).toHaveLength(1);
  expect(await verifyLedger(db)).toEqual([]);
});

test('an application needs no expected savings, but a promise and a payment do', async () => {
  const { save, promiseGrant, pay, read } = await createFund();
  const application = { yearlyPounds: undefined, years: undefined, method: undefined, methodSource: undefined };
  expect((await save(application)).json()).toMatchObject({ yearlyPounds: 0, years: 0, countedPounds: 0 });
  expect(readOutcome(await promiseGrant())).toEqual([422, 'no-saving']);
  expect(readOutcome(await pay())).toEqual([422, 'no-saving']);
  expect((await save({ years: 0 })).json()).toMatchObject({ code: 'no-saving', field: 'years' });
  expect((await save({ yearlyPounds: 0 })).json()).toMatchObject({ code: 'no-saving', field: 'yearlyPounds' });
  await save();
  expect((await promiseGrant()).json()).toMatchObject({ stage: 'promised', countedPounds: 28_080 });
  expect((await save(application)).json()).toMatchObject({ code: 'no-saving', field: 'yearlyPounds' });
  expect((await read()).json()).toMatchObject({ stage: 'promised', yearlyPounds: 1404 });
});

test('grants are listed and totaled by stage, for all homes or one', async () => {
  const { orgId, awardeeId, save, promiseGrant, pay, recordWork, listGrants, readSums } = await createFund();
  await addGrant(db, orgId, { cents: 20_000 });
  await addGrant(db, orgId, { stage: 'promised', cents: 30_000 });
  await save();
  await promiseGrant();
  await pay(1400);
  const listAmounts = async (stage: string) => (await listGrants({ stage })).map(({ amount }) => amount);
  expect([await listAmounts('applied'), await listAmounts('promised'), await listAmounts('paid')]).toEqual([
    [200],
    [300],
    [1500],
  ]);
  expect((await readSums()).map(({ stage, grants, amount }) => [stage, grants, amount])).toEqual([
    ['applied', 1, 200],
    ['promised', 1, 300],
    ['paid', 1, 1400],
    ['done', 0, 0],
    ['inspected', 0, 0],
  ]);
  await recordWork('2026-03-12');
  expect(await listAmounts('done')).toEqual([1500]);
  await recordWork('2026-03-12', '2026-03-13');
  expect([await listAmounts('paid'), await listAmounts('done'), await listAmounts('inspected')]).toEqual([
    [],
    [],
    [1500],
  ]);
  const homeSums = (await readSums({ awardeeid: awardeeId })).filter(({ grants }) => grants > 0);
  expect(homeSums).toEqual([{ stage: 'inspected', grants: 1, amount: 1400 }]);
});

test('payment dates use the organization’s time zone', async () => {
  const { grantId, save, pay } = await createFund();
  await save();
  await pay(1500, '2026-03-10');
  const { occurred_at } = await db.kysely
    .selectFrom('ledger_entries')
    .select('occurred_at')
    .where('grant_id', '=', grantId)
    .executeTakeFirstOrThrow();
  expect(occurred_at).toEqual(new Date('2026-03-10T16:00:00Z'));
});

test('the available amount is gifts minus fees, disputes, payments, and promises', async () => {
  const { orgId, save, promiseGrant, pay, readFunds, post } = await createFund();
  await addCheck(db, orgId, 'payer@example.org');
  await post('fee', feeLines(300));
  await post('dispute', disputeLines(2000));
  await addGrant(db, orgId, { stage: 'paid', cents: 3000 });
  expect(await readFunds()).toEqual({
    gifts: 100,
    fees: 3,
    disputed: 20,
    paid: 30,
    promised: 0,
    available: 47,
    processorBalance: -23,
    grantCountSource: 'grants',
  });
  await save({ amount: 60 });
  await promiseGrant();
  expect(await readFunds()).toMatchObject({ paid: 30, promised: 60, available: -13 });
  await pay(40);
  expect(await readFunds()).toMatchObject({ paid: 70, promised: 0, available: 7 });
});

test('reversing a payment leaves the promise, which can then be reversed, each once', async () => {
  const { grantId, save, promiseGrant, pay, recordWork, reverse, readFunds } = await createFund();
  await save();
  await promiseGrant();
  const paidGrant = (await pay()).json<Grant>();
  await recordWork('2026-03-12');
  const promisedGrant = (await reverse(paidGrant.entryid)).json<Grant>();
  expect(promisedGrant).toMatchObject({ stage: 'promised', paid: null, paidOn: null, doneOn: null });
  // The same request again, for example after a lost response.
  expect((await reverse(paidGrant.entryid)).json()).toEqual(promisedGrant);
  expect(await readFunds()).toMatchObject({ paid: 0, promised: 1500 });
  expect((await reverse(promisedGrant.entryid)).json()).toMatchObject({ stage: 'applied', entryid: null });
  expect(await readFunds()).toMatchObject({ paid: 0, promised: 0, available: 0 });
  const reasons = await db.kysely
    .selectFrom('ledger_entries')
    .select('reason')
    .where('grant_id', '=', grantId)
    .execute();
  expect(reasons.filter(({ reason }) => reason === 'The household moved away')).toHaveLength(2);
  expect((await pay(1000)).json()).toMatchObject({ stage: 'paid', paid: 1000 });
  expect(await verifyLedger(db)).toEqual([]);
});

test('a grant paid without a promise can’t be promised afterward', async () => {
  const { save, pay, promiseGrant, readFunds } = await createFund();
  await save();
  await pay();
  expect(readOutcome(await promiseGrant())).toEqual([409, 'grant-promised']);
  expect(await readFunds()).toMatchObject({ paid: 1500, promised: 0 });
});

test('a recorded grant keeps its amount and home, and neither can be deleted', async () => {
  const { orgId, save, promiseGrant, reverse, remove, removeAwardee } = await createFund();
  await save();
  const { entryid } = (await promiseGrant()).json<Grant>();
  expect(readOutcome(await save({ amount: 1600 }))).toEqual([409, 'grant-in-books']);
  expect(readOutcome(await save({ awardeeid: await addStory(db, 'awardees', orgId) }))).toEqual([
    409,
    'grant-in-books',
  ]);
  expect((await save({ installer: 'Anna Insulates' })).json()).toMatchObject({ installer: 'Anna Insulates' });
  expect(readOutcome(await removeAwardee())).toEqual([409, 'awardee-has-grant']);
  await reverse(entryid);
  expect((await save({ amount: 1600 })).json()).toMatchObject({ amount: 1600 });
  expect(readOutcome(await remove())).toEqual([409, 'grant-in-books']);
});

test('an application can’t be later than the promise or the payment', async () => {
  const { save, promiseGrant, pay } = await createFund();
  await save();
  await promiseGrant('2026-03-01');
  expect((await save({ appliedOn: '2026-03-02' })).json()).toMatchObject({
    code: 'days-out-of-order',
    field: 'appliedOn',
  });
  expect((await save({ appliedOn: '2026-03-01' })).json()).toMatchObject({ appliedOn: '2026-03-01' });
  await pay(1500, '2026-03-10');
  expect(readOutcome(await save({ appliedOn: '2026-03-05' }))).toEqual([422, 'days-out-of-order']);
  const unpromisedGrant = await createFund();
  await unpromisedGrant.save();
  await unpromisedGrant.pay(1500, '2026-03-10');
  expect(readOutcome(await unpromisedGrant.save({ appliedOn: '2026-03-11' }))).toEqual([422, 'days-out-of-order']);
});

test('an application can be deleted, and is deleted with its home', async () => {
  const { save, remove, listGrants, removeAwardee } = await createFund();
  await save();
  expect((await remove()).statusCode).toBe(200);
  expect(await listGrants()).toEqual([]);
  await save();
  expect((await removeAwardee()).statusCode).toBe(200);
  expect(await listGrants()).toEqual([]);
});

test('premature, repeated, and unsourced entries are rejected', async () => {
  const { save, promiseGrant, pay, recordWork, reverse } = await createFund();
  expect(readOutcome(await save({ methodSource: ' ' }))).toEqual([422, 'no-method-source']);
  expect(readOutcome(await save({ otherFunding: 500 }))).toEqual([422, 'no-other-source']);
  expect(readOutcome(await save({ appliedOn: '2026-03-15' }))).toEqual([422, 'day-in-future']);
  expect(readOutcome(await save({ awardeeid: 'nobody' }))).toEqual([404, 'awardee-not-found']);
  await save();
  expect(readOutcome(await recordWork('2026-03-12'))).toEqual([409, 'grant-not-promised']);
  expect(readOutcome(await promiseGrant('2026-01-31'))).toEqual([422, 'days-out-of-order']);
  const { entryid } = (await promiseGrant()).json<Grant>();
  expect(readOutcome(await promiseGrant())).toEqual([409, 'grant-promised']);
  expect(readOutcome(await pay(1500, '2026-02-28'))).toEqual([422, 'days-out-of-order']);
  await pay();
  expect(readOutcome(await pay())).toEqual([409, 'grant-paid']);
  expect(readOutcome(await recordWork('2026-03-12', '2026-03-11'))).toEqual([422, 'days-out-of-order']);
  expect(readOutcome(await recordWork(null, '2026-03-13'))).toEqual([422, 'day-invalid']);
  expect(readOutcome(await reverse(entryid, ' '))).toEqual([422, 'no-reason']);
});

test('a work date that isn’t sent stays unchanged', async () => {
  const { save, pay, recordWork, changeWork } = await createFund();
  await save();
  await pay();
  await recordWork('2026-03-11', '2026-03-12');
  const dates = { doneOn: '2026-03-10', inspectedOn: '2026-03-12' };
  expect((await changeWork({ doneOn: '2026-03-10' })).json()).toMatchObject(dates);
  expect((await changeWork({})).json()).toMatchObject(dates);
  expect((await changeWork({ doneOn: null })).json()).toMatchObject({ code: 'day-invalid', field: 'doneOn' });
  expect((await changeWork({ inspectedOn: null })).json()).toMatchObject({ doneOn: '2026-03-10', inspectedOn: null });
});

test('only the fund’s share counts unless it gives a reason to count everything', async () => {
  const { save } = await createFund();
  const sharedFunding = { otherFunding: 4500, otherFundingSource: 'NYSERDA' };
  expect((await save(sharedFunding)).json()).toMatchObject({ countedPounds: 7020 });
  const fullClaim = { ...sharedFunding, fullSavingsReason: 'NYSERDA counts none of it' };
  expect((await save(fullClaim)).json()).toMatchObject({ countedPounds: 28_080 });
});

test('without other funding, its source and the reason to count everything aren’t saved', async () => {
  const { save } = await createFund();
  const unusedTexts = { otherFundingSource: 'NYSERDA', fullSavingsReason: 'NYSERDA counts none of it' };
  expect((await save(unusedTexts)).json()).toMatchObject({ otherFundingSource: '', fullSavingsReason: '' });
});

test('the home page counts published awardees until the first paid grant is recorded, then paid grants', async () => {
  const { orgId, save, promiseGrant, pay, reverse } = await createFund();
  await addStory(db, 'awardees', orgId);
  await save();
  await promiseGrant();
  expect((await readOrgStats(db, orgId)).grants).toBe(2);
  const { entryid } = (await pay()).json<Grant>();
  expect((await readOrgStats(db, orgId)).grants).toBe(1);
  await reverse(entryid);
  expect((await readOrgStats(db, orgId)).grants).toBe(2);
});

test('the statement and the ledger table include payments', async () => {
  const { grantId, save, promiseGrant, pay, readMonth, downloadCsv } = await createFund();
  await save();
  await promiseGrant();
  await pay(1400);
  expect(await readMonth()).toMatchObject({
    bank: { grants: -1400, closing: -1400 },
    all: { grants: -1400, gifts: 0 },
  });
  const lines = (await downloadCsv()).split('\r\n').filter((line) => line.includes(grantId));
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('-1400.00');
});

test('verify-ledger finds a grant that differs from the books and an entry without a grant', async () => {
  const { orgId, grantId, save, promiseGrant } = await createFund();
  await save();
  await promiseGrant();
  await runWithTriggersDisabled(db, (tx) => sql`update grants set amount_cents = 1 where id = ${grantId}`.execute(tx));
  expect(await verifyLedger(db)).toEqual([
    {
      orgId,
      subject: `grant ${grantId}`,
      problem: 'is promised with 1 cents; its entries paid 0 cents, with 150000 of 150000 still promised',
    },
    { orgId, subject: `grant ${grantId}`, problem: 'has amount_cents 1; its activity has 150000' },
  ]);
  await runWithTriggersDisabled(db, (tx) =>
    sql`update grants set amount_cents = 150000 where id = ${grantId}`.execute(tx),
  );
  expect(await verifyLedger(db)).toEqual([]);
});
