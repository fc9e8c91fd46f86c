// @spec 2.editor decisions.3
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Activity } from '#contract/schemas/activity.ts';
import type { BankLine, BankMonth } from '#contract/schemas/bank.ts';
import type { Statement } from '#contract/schemas/books.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { activitySentence } from '#domain/activity.ts';
import { checkLines } from '#domain/books.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { recordOperationEvent } from '#server/features/operation/operation.store.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPayout } from '#test/support/builders/payout.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db, { livemode: false, now: () => new Date('2026-05-10T12:00:00Z') });
const app = await buildTestApp(deps);
/** Records that the books agree with the card processor up to this time. */
const recordAgreementUntil = (time: string) => recordOperationEvent(db.kysely, 'provider-agreed-test', new Date(time));
await recordAgreementUntil('2026-05-09T06:00:00Z');

async function openFund() {
  const orgid = await addOrg(db);
  const tess = await signIn(deps, { editorOf: [orgid], role: 'money', name: 'Tess Treasurer' });
  const tom = await signIn(deps, { editorOf: [orgid], role: 'money', name: 'Tom Treasurer' });
  const read = async (month: string) =>
    (await call(app, 'readBankMonth', { params: { orgid }, query: { month }, as: tess })).json<BankMonth>();
  const recordCheck = async (name: string, amount: number, receivedOn: string) => {
    const body = { name, amount, received: { receivedOn, checkNumber: `${amount}` } };
    const response = await call(app, 'recordPledge', { params: { orgid, pledgeid: randomUUID() }, as: tess, body });
    const { id, entryid } = response.json<Pledge>();
    return { pledgeid: id, entryid: entryid ?? '' };
  };
  return {
    orgid,
    tess,
    tom,
    read,
    recordCheck,
    reverse: ({ pledgeid, entryid }: { pledgeid: string; entryid: string }, cause: 'bounced' | 'mistake' = 'bounced') =>
      call(app, 'reversePledge', {
        params: { orgid, pledgeid },
        as: tess,
        body: { entryid, cause, reason: 'No funds' },
      }),
    addArrivedPayout: async () => {
      const id = await addPayout(db, orgid);
      await db.kysely.updateTable('payouts').set({ status: 'paid', livemode: false }).where('id', '=', id).execute();
      return id;
    },
    mark: async ({ kind, id }: Pick<BankLine, 'kind' | 'id'>, seen = true, as = tess) =>
      readOutcome(await call(app, 'markBankLine', { params: { orgid, kind, lineid: id }, as, body: { seen } })),
    deposit: async (id: string, entryids: string[], on = '2026-03-20') =>
      readOutcome(
        await call(app, 'saveDeposit', { params: { orgid, depositid: id }, as: tess, body: { on, entryids } }),
      ),
    undo: async (id: string) =>
      readOutcome(await call(app, 'removeDeposit', { params: { orgid, depositid: id }, as: tess })),
    close: async (month: string) => readOutcome(await call(app, 'closeMonth', { params: { orgid, month }, as: tess })),
    reopen: async (month: string, reason = 'A check was missing') =>
      readOutcome(await call(app, 'reopenMonth', { params: { orgid, month }, as: tess, body: { reason } })),
    readActivity: async () =>
      (await call(app, 'readActivity', { params: { orgid }, query: { subject: 'bank' }, as: tess }))
        .json<Activity[]>()
        .map(({ name, objectName }) => activitySentence(name, objectName)),
    downloadQuickBooks: async (month: string) => {
      const query = { period: month, account: 'bank' } as const;
      const { body } = await call(app, 'downloadQuickBooks', { params: { orgid }, query, as: tess });
      return body.trimEnd().split('\r\n').slice(1);
    },
    findDifferences: async () => (await verifyLedger(db)).filter((difference) => difference.orgId === orgid),
    readStatement: async (month: string) =>
      (await call(app, 'readStatement', { params: { orgid }, query: { period: month }, as: tess })).json<Statement>(),
  };
}

/** Posts that a check of $60 bounced in the past. */
async function postBounce(
  orgId: string,
  { pledgeid: pledgeId, entryid }: { pledgeid: string; entryid: string },
  at: string,
) {
  const changes = { status: 'withdrawn', bounced: true, reversal_reason: 'No funds' } as const;
  await db.kysely.updateTable('pledges').set(changes).where('id', '=', pledgeId).execute();
  const entry = {
    orgId,
    pledgeId,
    kind: 'reversal',
    fact: `check-reversal:${entryid}`,
    reversedEntryId: entryid,
  } as const;
  const money = { amount: -6000, carbon: 0, currency: 'usd', lines: checkLines(-6000) };
  await inTransaction(db, (tx) =>
    postEntry(tx, { ...entry, ...money, occurredAt: new Date(at), reportedAt: new Date(at) }),
  );
}

test('checks are grouped into a deposit, which is one line and can be undone', async () => {
  const fund = await openFund();
  const ada = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const ben = await fund.recordCheck('Ben Baker', 50.5, '2026-03-12');
  const bouncedCheck = await fund.recordCheck('Cal Carter', 70, '2026-03-13');
  await fund.reverse(bouncedCheck);
  expect((await fund.read('2026-03')).checks).toMatchObject([
    { name: 'Ada Adams', checkNumber: '100', receivedOn: '2026-03-05', amount: 100 },
    { name: 'Ben Baker', amount: 50.5 },
  ]);

  const id = randomUUID();
  expect(await fund.deposit(id, [ada.entryid, bouncedCheck.entryid])).toEqual([409, 'check-deposited']);
  expect(await fund.deposit(id, [ada.entryid, ben.entryid])).toEqual([200]);
  expect(await fund.deposit(id, [ada.entryid, ben.entryid])).toEqual([200]);
  expect(await fund.deposit(randomUUID(), [ada.entryid])).toEqual([409, 'check-deposited']);
  expect(await fund.deposit(randomUUID(), [ada.entryid], '2026-05-11')).toEqual([422, 'day-in-future']);
  expect(await fund.read('2026-03')).toMatchObject({
    lines: [
      {
        kind: 'deposit',
        id,
        depositedOn: '2026-03-20',
        amount: 150.5,
        checks: [{ name: 'Ada Adams' }, { name: 'Ben Baker' }],
        created: { by: 'Tess Treasurer', on: '2026-05-10' },
        seen: null,
      },
    ],
    checks: [],
  });

  expect(await fund.mark({ kind: 'deposit', id })).toEqual([200]);
  expect(await fund.undo(id)).toEqual([200]);
  expect(await fund.undo(id)).toEqual([404, 'deposit-not-found']);
  const { lines, checks } = await fund.read('2026-03');
  expect([lines, checks.length]).toEqual([[], 2]);
  // The new deposit is not marked.
  await fund.deposit(id, [ada.entryid, ben.entryid]);
  expect((await fund.read('2026-03')).lines).toMatchObject([{ seen: null }]);
});

test('a retry with other checks or another day changes nothing and names the recorded deposit', async () => {
  const fund = await openFund();
  const ada = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const ben = await fund.recordCheck('Ben Baker', 50.5, '2026-03-12');
  const cal = await fund.recordCheck('Cal Carter', 70, '2026-03-13');
  const id = randomUUID();
  expect(await fund.deposit(id, [ada.entryid, ben.entryid])).toEqual([200]);
  expect(await fund.deposit(id, [ben.entryid, ada.entryid])).toEqual([200]);
  expect(await fund.deposit(id, [ada.entryid])).toEqual([409, 'deposit-recorded']);
  expect(await fund.deposit(id, [ada.entryid, cal.entryid])).toEqual([409, 'deposit-recorded']);
  const body = { on: '2026-03-21', entryids: [ada.entryid, ben.entryid] };
  const response = await call(app, 'saveDeposit', {
    params: { orgid: fund.orgid, depositid: id },
    as: fund.tess,
    body,
  });
  expect(response.json()).toMatchObject({
    code: 'deposit-recorded',
    detail: expect.stringContaining('already recorded: $150.50 on March 20, 2026.'),
  });
  expect((await fund.read('2026-03')).lines).toMatchObject([{ id, depositedOn: '2026-03-20', amount: 150.5 }]);
});

test('a deposited check that bounces is a line on that day, and the lines add up to the change at the bank', async () => {
  const fund = await openFund();
  const ada = await fund.recordCheck('Ada Adams', 60, '2026-04-05');
  const deposit = { kind: 'deposit', id: randomUUID() } as const;
  await fund.deposit(deposit.id, [ada.entryid], '2026-04-06');
  await fund.mark(deposit);
  await fund.close('2026-04');
  const ben = await fund.recordCheck('Ben Baker', 100.5, '2026-05-02');
  const cal = await fund.recordCheck('Cal Carter', 30, '2026-05-03');
  const deb = await fund.recordCheck('Deb Diaz', 45, '2026-05-03');
  const mayDepositId = randomUUID();
  await fund.deposit(mayDepositId, [ben.entryid, cal.entryid], '2026-05-04');
  await fund.reverse(ada);
  await fund.reverse(cal);
  // The bank never received these.
  await fund.reverse(deb, 'mistake');
  await fund.reverse(await fund.recordCheck('Eve Evans', 20, '2026-05-03'));
  const { lines } = await fund.read('2026-05');
  expect(lines).toMatchObject([
    { kind: 'deposit', amount: 130.5 },
    { kind: 'bounced-check', amount: -60, recordedOn: '2026-05-10', check: { name: 'Ada Adams' }, seen: null },
    { kind: 'bounced-check', amount: -30, recordedOn: '2026-05-10', check: { name: 'Cal Carter' }, seen: null },
  ]);
  const { opening, closing } = (await fund.readStatement('2026-05')).bank;
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(closing - opening);
  expect((await fund.read('2026-04')).lines).toHaveLength(1);

  const [, bouncedLine] = lines;
  if (!bouncedLine) throw new Error('There is no bounced check.');
  expect(await fund.mark(bouncedLine)).toEqual([200]);
  expect((await fund.read('2026-05')).lines[1]).toMatchObject({ seen: { by: 'Tess Treasurer' } });
  const response = await call(app, 'readBankMonth', {
    params: { orgid: fund.orgid },
    query: { line: bouncedLine.id },
    as: fund.tess,
  });
  expect(response.json<BankMonth>().month).toBe('2026-05');
  const otherFund = await openFund();
  expect(await otherFund.mark(bouncedLine)).toEqual([404, 'pledge-not-found']);
  expect(await fund.mark({ kind: 'bounced-check', id: ben.entryid })).toEqual([404, 'pledge-not-found']);
  expect(await fund.undo(mayDepositId)).toEqual([409, 'deposit-bounced']);
});

test('a month closes once its bounced checks are marked', async () => {
  const fund = await openFund();
  await fund.close('2026-02');
  const check = await fund.recordCheck('Ada Adams', 60, '2026-03-05');
  const deposit = { kind: 'deposit', id: randomUUID() } as const;
  await fund.deposit(deposit.id, [check.entryid]);
  await fund.mark(deposit);
  await postBounce(fund.orgid, check, '2026-03-25T12:00:00Z');
  expect(await fund.close('2026-03')).toEqual([409, 'month-not-ready']);
  const [, bouncedLine] = (await fund.read('2026-03')).lines;
  if (!bouncedLine) throw new Error('There is no bounced check.');
  await fund.mark(bouncedLine);
  expect(await fund.close('2026-03')).toEqual([200]);
  expect(await fund.mark(bouncedLine, false)).toEqual([409, 'month-closed']);
});

test('a check of a closed month can be deposited again after its deposit in an open month was undone', async () => {
  const fund = await openFund();
  const check = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const id = randomUUID();
  await fund.deposit(id, [check.entryid], '2026-04-10');
  expect(await fund.close('2026-03')).toEqual([200]);
  expect(await fund.undo(id)).toEqual([200]);
  expect(await fund.read('2026-03')).toMatchObject({ checks: [] });
  expect(await fund.read('2026-04')).toMatchObject({ checks: [{ name: 'Ada Adams' }] });
  expect(await fund.close('2026-04')).toEqual([409, 'month-not-ready']);
  expect(await fund.deposit(id, [check.entryid], '2026-04-11')).toEqual([200]);
});

test('a check recorded by mistake can’t be reversed while it is in a deposit of an open month', async () => {
  const fund = await openFund();
  const ada = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const copy = await fund.recordCheck('Ada Adams', 101, '2026-03-05');
  const line = { kind: 'deposit', id: randomUUID() } as const;
  await fund.deposit(line.id, [ada.entryid, copy.entryid]);
  const response = await fund.reverse(copy, 'mistake');
  expect(readOutcome(response)).toEqual([409, 'check-in-deposit']);
  expect(response.json()).toMatchObject({
    detail: 'This check is in the bank deposit of March 20, 2026. Undo the deposit first.',
  });
  await fund.undo(line.id);
  expect(readOutcome(await fund.reverse(copy, 'mistake'))).toEqual([200]);
  await fund.deposit(line.id, [ada.entryid]);
  expect((await fund.read('2026-03')).lines).toMatchObject([{ amount: 100 }]);
  // The bank returned a bounced check after the deposit.
  expect(readOutcome(await fund.reverse(ada))).toEqual([200]);
  expect(await fund.findDifferences()).toEqual([]);
});

test('a check recorded by mistake can be reversed after the month of its deposit was closed', async () => {
  const fund = await openFund();
  const check = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const line = { kind: 'deposit', id: randomUUID() } as const;
  await fund.deposit(line.id, [check.entryid]);
  await fund.mark(line);
  await fund.close('2026-03');
  expect(readOutcome(await fund.reverse(check, 'mistake'))).toEqual([200]);
  expect((await fund.read('2026-03')).lines).toMatchObject([{ amount: 100 }]);
  expect(await fund.findDifferences()).toEqual([]);
});

test('QuickBooks gets a deposit of a month’s first or last day in that month only, also east of UTC', async () => {
  const fund = await openFund();
  await db.kysely.updateTable('orgs').set({ time_zone: 'Asia/Tokyo' }).where('id', '=', fund.orgid).execute();
  const [ada, ben] = [
    await fund.recordCheck('Ada Adams', 100, '2026-03-05'),
    await fund.recordCheck('Ben Baker', 50, '2026-03-12'),
  ];
  await fund.deposit(randomUUID(), [ada.entryid], '2026-04-01');
  await fund.deposit(randomUUID(), [ben.entryid], '2026-04-30');
  const files = [];
  for (const month of ['2026-03', '2026-04', '2026-05']) files.push(await fund.downloadQuickBooks(month));
  expect(files).toEqual([[], [expect.stringMatching(/^04\/01\/2026/), expect.stringMatching(/^04\/30\/2026/)], []]);
});

test('QuickBooks gets checks deposited together as one line, on the day of the deposit', async () => {
  const fund = await openFund();
  const checks = [
    await fund.recordCheck('Ada Adams', 100, '2026-03-05'),
    await fund.recordCheck('Ben Baker', 50.5, '2026-03-12'),
    await fund.recordCheck('Eve Evans', 20, '2026-04-02'),
  ];
  await fund.deposit(
    randomUUID(),
    checks.map(({ entryid }) => entryid),
    '2026-04-03',
  );
  const dan = await fund.recordCheck('Dan Davis', 70, '2026-04-10');
  await fund.deposit(randomUUID(), [dan.entryid], '2026-04-20');
  const lee = await fund.recordCheck('Lee Lopez', 30, '2026-04-11');
  await fund.deposit(randomUUID(), [lee.entryid], '2026-04-12');
  // The books count checks on the day they are received, so March's balance includes checks deposited in April.
  expect(await fund.downloadQuickBooks('2026-03')).toEqual([]);
  expect(await fund.readStatement('2026-03')).toMatchObject({ bank: { closing: 150.5 }, undeposited: 150.5 });
  expect(await fund.readStatement('2026-04')).toMatchObject({ bank: { closing: 270.5 }, undeposited: 0 });
  expect(await fund.downloadQuickBooks('2026-04')).toEqual([
    '04/03/2026,Deposit of 3 checks,170.50',
    expect.stringMatching(/^04\/12\/2026,Check no 30 receipt \d+,30\.00$/),
    expect.stringMatching(/^04\/20\/2026,Check no 70 receipt \d+,70\.00$/),
  ]);
});

test('a statement counts undeposited checks, but none from before the first closed month', async () => {
  const fund = await openFund();
  const readUndeposited = async (period: string) => (await fund.readStatement(period)).undeposited;
  await fund.recordCheck('Ada Adams', 100, '2026-02-05');
  expect(await readUndeposited('2026-02')).toBe(100);
  await fund.close('2026-03');
  // Deposits weren't recorded before the first closed month.
  expect(await readUndeposited('2026-02')).toBe(0);
  const ben = await fund.recordCheck('Ben Baker', 80, '2026-04-30');
  const bouncedCheck = await fund.recordCheck('Cal Carter', 30, '2026-04-30');
  expect(await readUndeposited('2026-04')).toBe(110);
  await fund.deposit(randomUUID(), [ben.entryid, bouncedCheck.entryid], '2026-05-02');
  await fund.reverse(bouncedCheck);
  expect(await readUndeposited('2026-04')).toBe(110);
  expect(await readUndeposited('2026-05')).toBe(0);
  expect(await readUndeposited('2026')).toBe(0);
  expect(await fund.downloadQuickBooks('2026-04')).toEqual([]);
  expect(await fund.downloadQuickBooks('2026-05')).toEqual([
    '05/02/2026,Deposit of 2 checks,110.00',
    '05/10/2026,Reversed check no 30,-30.00',
  ]);
});

test('a closed statement still shows that a check recorded by mistake was never deposited', async () => {
  const fund = await openFund();
  const copy = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  expect(readOutcome(await fund.reverse(copy, 'mistake'))).toEqual([200]);
  const march = { bank: { closing: 100 }, undeposited: 100 };
  expect(await fund.readStatement('2026-03')).toMatchObject(march);
  expect(await fund.close('2026-03')).toEqual([200]);
  expect(await fund.readStatement('2026-03')).toMatchObject(march);
  expect(await fund.close('2026-04')).toEqual([200]);
  expect(await fund.readStatement('2026-03')).toMatchObject(march);
  expect(await fund.readStatement('2026-05')).toMatchObject({ bank: { closing: 0 }, undeposited: 0 });
});

test('an organization can’t see another organization’s deposits or payouts', async () => {
  const fund = await openFund();
  const otherFund = await openFund();
  const check = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const payoutId = await fund.addArrivedPayout();
  const id = randomUUID();
  expect(await otherFund.deposit(id, [check.entryid])).toEqual([404, 'pledge-not-found']);
  await fund.deposit(id, [check.entryid]);
  expect(await otherFund.mark({ kind: 'deposit', id })).toEqual([404, 'deposit-not-found']);
  expect(await otherFund.mark({ kind: 'payout', id: payoutId })).toEqual([404, 'payout-not-found']);
  expect(await otherFund.undo(id)).toEqual([404, 'deposit-not-found']);
  expect((await fund.read('2026-03')).lines).toHaveLength(2);
});

test('a payout or deposit is found without specifying its month', async () => {
  const fund = await openFund();
  const check = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const id = randomUUID();
  await fund.deposit(id, [check.entryid], '2026-04-20');
  const findMonth = async (line: string) => {
    const response = await call(app, 'readBankMonth', {
      params: { orgid: fund.orgid },
      query: { line },
      as: fund.tess,
    });
    return response.json<BankMonth>().month;
  };
  expect(await findMonth(id)).toBe('2026-04');
  expect(await findMonth(await fund.addArrivedPayout())).toBe('2026-03');
  expect(await findMonth('unknown')).toBe('2026-04');
});

test('a mark shows who set it and can be undone', async () => {
  const fund = await openFund();
  await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const line = { kind: 'payout', id: await fund.addArrivedPayout() } as const;
  expect(await fund.mark(line)).toEqual([200]);
  expect((await fund.read('2026-03')).lines).toMatchObject([
    { ...line, amount: 9.41, arrivesOn: '2026-03-16', seen: { by: 'Tess Treasurer', on: '2026-05-10' } },
  ]);
  expect(await fund.mark(line, false)).toEqual([200]);
  expect((await fund.read('2026-03')).lines).toMatchObject([{ seen: null }]);
});

test('a month closes once the books agree, all checks are deposited, and all lines are marked as seen', async () => {
  const fund = await openFund();
  const check = await fund.recordCheck('Ada Adams', 100, '2026-04-05');
  const id = randomUUID();
  expect(await fund.close('2026-04')).toEqual([409, 'month-not-ready']);
  await fund.deposit(id, [check.entryid], '2026-04-20');
  expect(await fund.close('2026-04')).toEqual([409, 'month-not-ready']);
  await fund.mark({ kind: 'deposit', id });
  await recordAgreementUntil('2026-04-30T06:00:00Z');
  expect((await fund.read('2026-04')).matchesProvider).toBe(false);
  expect(await fund.close('2026-04')).toEqual([409, 'month-not-ready']);
  await recordAgreementUntil('2026-05-09T06:00:00Z');
  expect(await fund.close('2026-04')).toEqual([200]);
  expect(await fund.close('2026-04')).toEqual([200]);
  expect(await fund.read('2026-04')).toMatchObject({
    closing: { by: 'Tess Treasurer', on: '2026-05-10', month: '2026-04' },
    canReopen: true,
  });
  expect((await fund.readStatement('2026-04')).closedOn).toBe('2026-05-10');
  // The current month isn't over.
  expect(await fund.close('2026-05')).toEqual([409, 'month-not-ready']);
  expect(await fund.close('2026-06')).toEqual([404, 'month-not-found']);
  const activities = db.kysely.selectFrom('activities').select(['kind', 'verb', 'after']);
  expect(await activities.where('org_id', '=', fund.orgid).where('kind', '=', 'month').execute()).toEqual([
    { kind: 'month', verb: 'added', after: { month: '2026-04' } },
  ]);
});

test('a closed month’s totals never change; entries recorded later count in a later month', async () => {
  const fund = await openFund();
  const check = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const line = { kind: 'deposit', id: randomUUID() } as const;
  // The books agree with the card processor past March, but only a treasurer closes it for checks.
  expect((await fund.readStatement('2026-03')).bank).toMatchObject({ gifts: 100, closing: 100 });
  await fund.deposit(line.id, [check.entryid]);
  await fund.mark(line);
  expect(await fund.close('2026-03')).toEqual([200]);
  const march = await fund.readStatement('2026-03');

  const lateCheck = await fund.recordCheck('Ben Baker', 40, '2026-03-30');
  await fund.reverse(check);
  expect(await fund.readStatement('2026-03')).toEqual(march);
  expect(await fund.readStatement('2026-05')).toMatchObject({
    bank: { gifts: 40, refunds: -100, closing: 40 },
    lateEntries: [{ kind: 'check', bookedOn: '2026-05-10', datedOn: '2026-03-30', amount: 40 }],
  });
  expect(await fund.mark(line, false)).toEqual([409, 'month-closed']);
  expect(await fund.undo(line.id)).toEqual([409, 'month-closed']);
  expect(await fund.deposit(randomUUID(), [lateCheck.entryid], '2026-03-31')).toEqual([409, 'month-closed']);
  expect(await fund.readActivity()).toEqual(['Closed March 2026', 'Recorded a bank deposit: $100.00, March 20, 2026']);
  expect(await fund.deposit(randomUUID(), [lateCheck.entryid], '2026-03-29')).toEqual([422, 'deposit-before-check']);
  expect((await fund.read('2026-03')).checks).toEqual([]);
  expect((await fund.read('2026-05')).checks).toMatchObject([{ name: 'Ben Baker' }]);
  expect(await fund.findDifferences()).toEqual([]);
});

test('the overview asks a treasurer to close the last month, and later the oldest open one', async () => {
  const fund = await openFund();
  const readTask = async () => {
    const response = await call(app, 'readOverview', { params: { orgid: fund.orgid }, as: fund.tess });
    return response.json<Overview>().pendingCounts.monthToClose;
  };
  await fund.recordCheck('Ada Adams', 100, '2026-02-05');
  // No money reached the bank in April.
  expect(await readTask()).toBeNull();
  await fund.recordCheck('Ben Baker', 40, '2026-04-05');
  expect(await readTask()).toBe('2026-04');
  await fund.close('2026-03');
  expect(await readTask()).toBe('2026-04');
  const [check] = (await fund.read('2026-04')).checks;
  const line = { kind: 'deposit', id: randomUUID() } as const;
  await fund.deposit(line.id, [check?.entryid ?? ''], '2026-04-06');
  await fund.mark(line);
  await fund.close('2026-04');
  expect(await readTask()).toBeNull();
});

test('the first closing covers all earlier months, and later months are closed in order', async () => {
  const fund = await openFund();
  await fund.recordCheck('Ada Adams', 100, '2026-01-05');
  expect(await fund.close('2026-03')).toEqual([200]);
  expect((await fund.read('2026-01')).closing).toMatchObject({ month: '2026-03' });
  expect(await fund.read('2026-05')).toMatchObject({ openMonth: '2026-04', closing: null });
  expect(await fund.close('2026-05')).toEqual([409, 'month-not-ready']);
  const suggestion = await call(app, 'readBankMonth', { params: { orgid: fund.orgid }, as: fund.tess });
  expect(suggestion.json<BankMonth>().month).toBe('2026-04');
  expect(await fund.close('2026-04')).toEqual([200]);
});

test('only the last closed month can be reopened, with a reason, and entries booked since then stay where they are', async () => {
  const fund = await openFund();
  await fund.recordCheck('Ada Adams', 100, '2026-01-05');
  await fund.close('2026-03');
  await fund.close('2026-04');
  await fund.recordCheck('Ben Baker', 40, '2026-04-30');
  expect(await fund.reopen('2026-03')).toEqual([409, 'month-not-last']);
  expect(await fund.reopen('2026-04', ' ')).toEqual([422, 'no-reason']);
  expect(await fund.reopen('2026-04')).toEqual([200]);
  expect(await fund.reopen('2026-04')).toEqual([200]);
  expect(await fund.read('2026-04')).toMatchObject({
    closing: null,
    reopening: { by: 'Tess Treasurer', on: '2026-05-10', reason: 'A check was missing' },
  });
  const check = await fund.recordCheck('Cal Carter', 30, '2026-04-29');
  expect((await fund.readStatement('2026-04')).bank.gifts).toBe(30);
  expect((await fund.readStatement('2026-05')).bank.gifts).toBe(40);
  const line = { kind: 'deposit', id: randomUUID() } as const;
  await fund.deposit(line.id, [check.entryid], '2026-04-29');
  await fund.mark(line);
  expect(await fund.close('2026-04')).toEqual([200]);
  expect(await fund.findDifferences()).toEqual([]);
});

test('if two people mark a line or deposit a check at the same time, the first one is recorded', async () => {
  const fund = await openFund();
  const check = await fund.recordCheck('Ada Adams', 100, '2026-03-05');
  const depositIds = [randomUUID(), randomUUID()];
  const deposits = await Promise.all(depositIds.map((id) => fund.deposit(id, [check.entryid])));
  expect(deposits.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const [line] = (await fund.read('2026-03')).lines;
  if (!line) throw new Error('There is no deposit.');
  const marks = await Promise.all([fund.mark(line), fund.mark(line, true, fund.tom)]);
  expect(marks).toEqual([[200], [200]]);
  const { seen } = (await fund.read('2026-03')).lines[0] ?? {};
  expect(seen?.by).toMatch(/^(Tess|Tom) Treasurer$/);
  // A later mark doesn't replace the name of the first person.
  await fund.mark(line, true, seen?.by === 'Tom Treasurer' ? fund.tess : fund.tom);
  expect((await fund.read('2026-03')).lines).toMatchObject([{ seen }]);
});

test('closing waits for a check that is being recorded', async () => {
  const fund = await openFund();
  await fund.recordCheck('Ada Adams', 100, '2026-01-05');
  const pledgeId = await addPledge(db, fund.orgid);
  const [posted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const recording = inTransaction(db, async (tx) => {
    const occurredAt = new Date('2026-04-30T12:00:00Z');
    const entry = { orgId: fund.orgid, pledgeId, kind: 'check', fact: `check:${pledgeId}`, occurredAt } as const;
    await postEntry(tx, { ...entry, amount: 10_000, carbon: 0, currency: 'usd', reportedAt: deps.now() });
    posted.resolve();
    await commit.promise;
  });
  await posted.promise;
  const closing = fund.close('2026-04');
  const countWaiting = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db.kysely,
    );
    return rows[0]?.n;
  };
  await expect.poll(countWaiting).toBe(1);
  commit.resolve();
  await recording;
  expect(await closing).toEqual([409, 'month-not-ready']);
});
