// @spec 2.editor decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { MonthlyStatement } from '#contract/schemas/books.ts';
import type { AvailableFundsResponse, Grant, StageSum } from '#contract/schemas/grants.ts';
import { disputeLines, feeLines, type LedgerKind, type Lines } from '#domain/books.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { orgStats } from '#server/features/ledger/org-stats.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { asOwner } from '#test/support/as-owner.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addCheck } from '#test/support/builders/gift.ts';
import { addGrant, grantBody } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const deps = await testDeps(db, { now: clock.now });
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
    orgid: orgId,
    awardeeid: awardeeId,
    grantid: params.grantid,
    save: (change: object = {}) => call(app, 'saveGrant', { ...request, body: { ...grantBody(awardeeId), ...change } }),
    promise: (on = '2026-03-01') => call(app, 'promiseGrant', { ...request, body: { on } }),
    pay: (amount = 1500, on = '2026-03-10') => call(app, 'payGrant', { ...request, body: { on, amount } }),
    work: (doneOn: string | null, inspectedOn: string | null = null) =>
      call(app, 'recordGrantWork', { ...request, body: { doneOn, inspectedOn } }),
    reverse: (entryid: string | null, reason = 'The household moved away') =>
      call(app, 'reverseGrant', { ...request, body: { entryid: entryid ?? '', reason } }),
    remove: () => call(app, 'deleteGrant', request),
    list: async (query: Record<string, string> = {}) =>
      (await call(app, 'readGrants', { params: { orgid: orgId }, as: edith, query })).json<Grant[]>(),
    sums: async (query: Record<string, string> = {}) =>
      (await call(app, 'sumGrants', { params: { orgid: orgId }, as: edith, query })).json<StageSum[]>(),
    read: () => call(app, 'readGrant', request),
    readFunds: async () =>
      (await call(app, 'readAvailableFunds', { params: { orgid: orgId }, as: edith })).json<AvailableFundsResponse>(),
    month: async () =>
      (
        await call(app, 'readMonth', { params: { orgid: orgId }, query: { month: '2026-03' }, as: edith })
      ).json<MonthlyStatement>(),
    csv: async () => (await call(app, 'downloadLedger', { params: { orgid: orgId }, as: edith })).body,
    removeAwardee: () => call(app, 'deleteAwardee', { params: { orgid: orgId, awardeeid: awardeeId }, as: edith }),
    post: (kind: LedgerKind, lines: Lines) =>
      inTransaction(db, (tx) =>
        postEntry(tx, {
          orgId: orgId,
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

async function readLines(grantId: string) {
  const { rows } = await sql<{ kind: string; account: string; cents: number }>`
    select e.kind, l.account, l.cents from ledger_entries e join ledger_lines l on l.entry_id = e.id
    where e.grant_id = ${grantId} order by e.created_at, e.id, l.account`.execute(db.kysely);
  return rows.map(({ kind, account, cents }) => [kind, account, cents]);
}

test('a grant is applied for, approved, paid, completed, and inspected, and promise and payment are posted to the books', async () => {
  const { grantid: grantId, save, promise, pay, work: recordWork, list } = await createFund();
  const savedGrant = (await save()).json<Grant>();
  expect(savedGrant).toMatchObject({
    awardee: 'The Okafor family',
    stage: 'applied',
    amount: 1500,
    paid: null,
    entryid: null,
    countedPounds: 28_080,
  });
  expect((await promise()).json()).toMatchObject({ stage: 'promised', promisedOn: '2026-03-01' });
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
  expect(await list()).toHaveLength(1);
  expect(await verifyLedger(db)).toEqual([]);
});

test('an application needs no expected saving, but a promise and a payment do', async () => {
  const { save, promise, pay, read } = await createFund();
  const application = { yearlyPounds: undefined, years: undefined, method: undefined, methodSource: undefined };
  expect((await save(application)).json()).toMatchObject({ yearlyPounds: 0, years: 0, countedPounds: 0 });
  expect(outcomeOf(await promise())).toEqual([422, 'no-saving']);
  expect(outcomeOf(await pay())).toEqual([422, 'no-saving']);
  expect((await save({ years: 0 })).json()).toMatchObject({ code: 'no-saving', field: 'years' });
  expect((await save({ yearlyPounds: 0 })).json()).toMatchObject({ code: 'no-saving', field: 'yearlyPounds' });
  await save();
  expect((await promise()).json()).toMatchObject({ stage: 'promised', countedPounds: 28_080 });
  expect((await save(application)).json()).toMatchObject({ code: 'no-saving', field: 'yearlyPounds' });
  expect((await read()).json()).toMatchObject({ stage: 'promised', yearlyPounds: 1404 });
});

test('grants are listed and totaled by stage, for all homes or one', async () => {
  const { orgid: orgId, awardeeid, save, promise, pay, work, list, sums } = await createFund();
  await addGrant(db, orgId, { cents: 20_000 });
  await addGrant(db, orgId, { stage: 'promised', cents: 30_000 });
  await save();
  await promise();
  await pay(1400);
  const stageOf = async (stage: string) => (await list({ stage })).map(({ amount }) => amount);
  expect([await stageOf('applied'), await stageOf('promised'), await stageOf('paid')]).toEqual([[200], [300], [1500]]);
  expect((await sums()).map(({ stage, grants, amount }) => [stage, grants, amount])).toEqual([
    ['applied', 1, 200],
    ['promised', 1, 300],
    ['paid', 1, 1400],
    ['done', 0, 0],
    ['inspected', 0, 0],
  ]);
  await work('2026-03-12');
  expect(await stageOf('done')).toEqual([1500]);
  await work('2026-03-12', '2026-03-13');
  expect([await stageOf('paid'), await stageOf('done'), await stageOf('inspected')]).toEqual([[], [], [1500]]);
  const ofHome = (await sums({ awardeeid })).filter(({ grants }) => grants > 0);
  expect(ofHome).toEqual([{ stage: 'inspected', grants: 1, amount: 1400 }]);
});

test('payment dates use the organization’s time zone', async () => {
  const { grantid: grantId, save, pay } = await createFund();
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
  const { orgid: orgId, save, promise, pay, readFunds, post } = await createFund();
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
  await promise();
  expect(await readFunds()).toMatchObject({ paid: 30, promised: 60, available: -13 });
  await pay(40);
  expect(await readFunds()).toMatchObject({ paid: 70, promised: 0, available: 7 });
});

test('reversing a payment leaves the promise, which can then be reversed, each once', async () => {
  const { grantid: grantId, save, promise, pay, work, reverse, readFunds } = await createFund();
  await save();
  await promise();
  const paidGrant = (await pay()).json<Grant>();
  await work('2026-03-12');
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

test('a grant paid without a promise can’t be promised afterwards', async () => {
  const { save, pay, promise, readFunds } = await createFund();
  await save();
  await pay();
  expect(outcomeOf(await promise())).toEqual([409, 'grant-promised']);
  expect(await readFunds()).toMatchObject({ paid: 1500, promised: 0 });
});

test('a recorded grant keeps its amount and home, and neither can be deleted', async () => {
  const { orgid: orgId, save, promise, reverse, remove, removeAwardee } = await createFund();
  await save();
  const { entryid } = (await promise()).json<Grant>();
  expect(outcomeOf(await save({ amount: 1600 }))).toEqual([409, 'grant-in-books']);
  expect(outcomeOf(await save({ awardeeid: await addStory(db, 'awardees', orgId) }))).toEqual([409, 'grant-in-books']);
  expect((await save({ installer: 'Anna Insulates' })).json()).toMatchObject({ installer: 'Anna Insulates' });
  expect(outcomeOf(await removeAwardee())).toEqual([409, 'awardee-has-grant']);
  await reverse(entryid);
  expect((await save({ amount: 1600 })).json()).toMatchObject({ amount: 1600 });
  expect(outcomeOf(await remove())).toEqual([409, 'grant-in-books']);
});

test('an application can’t be later than the promise or the payment', async () => {
  const { save, promise, pay } = await createFund();
  await save();
  await promise('2026-03-01');
  expect((await save({ appliedOn: '2026-03-02' })).json()).toMatchObject({
    code: 'days-backwards',
    field: 'appliedOn',
  });
  expect((await save({ appliedOn: '2026-03-01' })).json()).toMatchObject({ appliedOn: '2026-03-01' });
  await pay(1500, '2026-03-10');
  expect(outcomeOf(await save({ appliedOn: '2026-03-05' }))).toEqual([422, 'days-backwards']);
  const unpromisedGrant = await createFund();
  await unpromisedGrant.save();
  await unpromisedGrant.pay(1500, '2026-03-10');
  expect(outcomeOf(await unpromisedGrant.save({ appliedOn: '2026-03-11' }))).toEqual([422, 'days-backwards']);
});

test('an application can be deleted, and is deleted with its home', async () => {
  const { save, remove, list, removeAwardee } = await createFund();
  await save();
  expect((await remove()).statusCode).toBe(200);
  expect(await list()).toEqual([]);
  await save();
  expect((await removeAwardee()).statusCode).toBe(200);
  expect(await list()).toEqual([]);
});

test('premature, repeated, and unsourced entries are rejected', async () => {
  const { save, promise, pay, work, reverse } = await createFund();
  expect(outcomeOf(await save({ methodSource: ' ' }))).toEqual([422, 'no-method-source']);
  expect(outcomeOf(await save({ otherFunding: 500 }))).toEqual([422, 'no-other-source']);
  expect(outcomeOf(await save({ appliedOn: '2026-03-15' }))).toEqual([422, 'day-to-come']);
  expect(outcomeOf(await save({ awardeeid: 'nobody' }))).toEqual([404, 'awardee-not-found']);
  await save();
  expect(outcomeOf(await work('2026-03-12'))).toEqual([409, 'grant-not-promised']);
  expect(outcomeOf(await promise('2026-01-31'))).toEqual([422, 'days-backwards']);
  const { entryid } = (await promise()).json<Grant>();
  expect(outcomeOf(await promise())).toEqual([409, 'grant-promised']);
  expect(outcomeOf(await pay(1500, '2026-02-28'))).toEqual([422, 'days-backwards']);
  await pay();
  expect(outcomeOf(await pay())).toEqual([409, 'grant-paid']);
  expect(outcomeOf(await work('2026-03-12', '2026-03-11'))).toEqual([422, 'days-backwards']);
  expect(outcomeOf(await work(null, '2026-03-13'))).toEqual([422, 'day-invalid']);
  expect(outcomeOf(await reverse(entryid, ' '))).toEqual([422, 'no-reason']);
});

test('only the fund’s share counts unless it gives a reason to count everything', async () => {
  const { save } = await createFund();
  const sharedFunding = { otherFunding: 4500, otherFundingSource: 'NYSERDA' };
  expect((await save(sharedFunding)).json()).toMatchObject({ countedPounds: 7020 });
  const claimsAll = { ...sharedFunding, fullSavingsReason: 'NYSERDA counts none of it' };
  expect((await save(claimsAll)).json()).toMatchObject({ countedPounds: 28_080 });
});

test('the home page counts published awardees until the first paid grant is recorded, then paid grants', async () => {
  const { orgid: orgId, save, promise, pay, reverse } = await createFund();
  await addStory(db, 'awardees', orgId);
  await save();
  await promise();
  expect((await orgStats(db, orgId)).grants).toBe(2);
  const { entryid } = (await pay()).json<Grant>();
  expect((await orgStats(db, orgId)).grants).toBe(1);
  await reverse(entryid);
  expect((await orgStats(db, orgId)).grants).toBe(2);
});

test('the statement and the ledger table include payments', async () => {
  const { grantid: grantId, save, promise, pay, month, csv } = await createFund();
  await save();
  await promise();
  await pay(1400);
  expect(await month()).toMatchObject({ bank: { grants: -1400, closing: -1400 }, all: { grants: -1400, gifts: 0 } });
  const lines = (await csv()).split('\r\n').filter((line) => line.includes(grantId));
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('-1400.00');
});

test('verify-ledger finds a grant that differs from the books and an entry without a grant', async () => {
  const { orgid: orgId, grantid: grantId, save, promise } = await createFund();
  await save();
  await promise();
  await asOwner(db, (tx) => sql`update grants set amount_cents = 1 where id = ${grantId}`.execute(tx));
  expect(await verifyLedger(db)).toEqual([
    {
      orgId: orgId,
      subject: `grant ${grantId}`,
      problem: 'is promised with 1 cents; its entries paid 0 cents, with 150000 of 150000 still promised',
    },
    { orgId: orgId, subject: `grant ${grantId}`, problem: 'has amount_cents 1; its activity has 150000' },
  ]);
  await asOwner(db, (tx) => sql`update grants set amount_cents = 150000 where id = ${grantId}`.execute(tx));
  expect(await verifyLedger(db)).toEqual([]);
});
