// @spec decisions.3
import { expect, test } from 'vitest';
import type { CheckRecord } from '#contract/schemas/checkout-records.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { newId } from '#server/db/new-id.ts';
import { readOrgStats } from '#server/features/ledger/org-stats.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { now: clock.now, jobs });
const app = await buildTestApp(deps);

async function createFund() {
  const orgId = await addOrg(db);
  return { orgid: orgId, edith: await signIn(deps, { name: 'Edith', editorOf: [orgId] }) };
}
type Fund = Awaited<ReturnType<typeof createFund>>;

const CHECK = { amount: 120.5, receivedOn: '2026-03-12', checkNumber: ' 1077 ', note: 'Came with a card' };
const receive = ({ orgid: orgId, edith }: Fund, pledgeId: string, overrides: object = {}) =>
  call(app, 'receivePledge', {
    params: { orgid: orgId, pledgeid: pledgeId },
    as: edith,
    body: { ...CHECK, ...overrides },
  });
const withdraw = ({ orgid: orgId, edith }: Fund, pledgeId: string, withdrawn: boolean) =>
  call(app, 'withdrawPledge', { params: { orgid: orgId, pledgeid: pledgeId }, as: edith, body: { withdrawn } });
const recordCheck = ({ orgid: orgId, edith }: Fund, pledgeid: string, body: object) =>
  call(app, 'recordPledge', { params: { orgid: orgId, pledgeid }, as: edith, body });
const listChecks = async (
  { orgid: orgId, edith }: Fund,
  body: Omit<NonNullable<BodyInput<'searchCheckouts'>>, 'kind'> = {},
) =>
  (await call(app, 'searchCheckouts', { params: { orgid: orgId }, as: edith, body: { ...body, kind: 'check' } })).json<
    Pledge[]
  >();
const readEntries = (fundOrgId: string) =>
  db.kysely.selectFrom('ledger_entries').selectAll().where('org_id', '=', fundOrgId).execute();
const receiptJobs = (orgid: string) => jobs.findPayloads(sendReceiptEmail).filter(({ orgId }) => orgId === orgid);

test('a received check counts once in the ledger and stats, and gets a receipt', async () => {
  const testFund = await createFund();
  const id = await addPledge(db, testFund.orgid);
  const response = (await receive(testFund, id)).json<Pledge>();
  expect(response).toMatchObject({
    status: 'received',
    amount: 100,
    receivedAmount: 120.5,
    receivedOn: '2026-03-12',
    checkNumber: '1077',
    note: 'Came with a card',
    receiptNumber: 1001,
  });
  expect(await readEntries(testFund.orgid)).toMatchObject([
    {
      kind: 'check',
      fact: `check:${id}`,
      amount_cents: 12_050,
      carbon: 0,
      actor_id: testFund.edith.userId,
      occurred_at: new Date('2026-03-12T16:00:00Z'),
      // Personal data is stored only where it can be erased.
      reason: null,
    },
  ]);
  expect(await readOrgStats(db, testFund.orgid)).toMatchObject({ funds: 120.5 });
  expect(receiptJobs(testFund.orgid)).toEqual([{ orgId: testFund.orgid, receiptNumber: 1, mailingId: 'first' }]);
  expect(await verifyLedger(db)).toEqual([]);
});

// @asvs 2.3.4
test('fifty simultaneous clicks record a check once', async () => {
  const testFund = await createFund();
  const id = await addPledge(db, testFund.orgid);
  const responses = await Promise.all(Array.from({ length: 50 }, () => receive(testFund, id)));
  const outcomes = responses.map((response) => readOutcome(response).join(' ')).toSorted();
  expect(outcomes).toEqual(['200', ...Array.from({ length: 49 }, () => '409 pledge-received')]);
  expect(await readEntries(testFund.orgid)).toHaveLength(1);
  expect(receiptJobs(testFund.orgid)).toHaveLength(1);
  expect(await verifyLedger(db)).toEqual([]);
});

test('a check’s receipt reads like a card gift’s receipt but has no story link', async () => {
  const testFund = await createFund();
  await receive(testFund, await addPledge(db, testFund.orgid));
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  await sendReceiptEmail.run({ ...deps, mailer }, { orgId: testFund.orgid, receiptNumber: 1, mailingId: 'first' });
  expect(sentEmails).toMatchObject([{ to: 'dora@example.org', subject: expect.stringContaining('receipt no. 1') }]);
  expect(sentEmails[0]?.text).toContain('Dear Dora Donor,');
  expect(sentEmails[0]?.text).toContain('Amount: $120.50');
  expect(sentEmails[0]?.text).toContain('Date of gift: March 12, 2026');
  expect(sentEmails[0]?.text).toContain('Donation by check no. 1077: $120.50');
  expect(sentEmails[0]?.text).toContain('No goods or services were provided');
  expect(sentEmails[0]?.text).not.toContain('story');
});

test('resending a receipt sends a new email with the same number', async () => {
  const testFund = await createFund();
  const { entryid } = (await receive(testFund, await addPledge(db, testFund.orgid))).json<Pledge>();
  const params = { orgid: testFund.orgid, entryid: entryid ?? '' };
  const response = await call(app, 'sendReceipt', { params, as: testFund.edith });
  expect(response.json()).toEqual({ number: expect.any(Number), email: 'dora@example.org' });
  const [firstEmail, resentEmail] = receiptJobs(testFund.orgid);
  expect([firstEmail?.receiptNumber, resentEmail?.receiptNumber]).toEqual([1, 1]);
  const keys: string[] = [];
  const mailer = { send: async ({ messageKey }: Email) => void keys.push(messageKey) };
  for (const job of receiptJobs(testFund.orgid)) await sendReceiptEmail.run({ ...deps, mailer }, job);
  expect(new Set(keys).size).toBe(2);
  const emails = await db.kysely
    .selectFrom('receipt_emails')
    .selectAll()
    .where('org_id', '=', testFund.orgid)
    .execute();
  expect(emails.map(({ number }) => number)).toEqual([1, 1]);
});

test('a receipt is resent at most four times an hour', async () => {
  const testFund = await createFund();
  const { entryid } = (await receive(testFund, await addPledge(db, testFund.orgid))).json<Pledge>();
  const params = { orgid: testFund.orgid, entryid: entryid ?? '' };
  const statuses = [];
  for (let index = 0; index < 60; index += 1) {
    statuses.push((await call(app, 'sendReceipt', { params, as: testFund.edith })).statusCode);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  expect(receiptJobs(testFund.orgid)).toHaveLength(5);
  const body = { email: 'other@example.org' };
  expect(readOutcome(await call(app, 'sendReceiptTo', { params, body, as: testFund.edith }))).toEqual([
    429,
    'too-many-requests',
  ]);
});

test('a receipt that is missing or has no address isn’t sent', async () => {
  const testFund = await createFund();
  const { entryid } = (await receive(testFund, await addPledge(db, testFund.orgid, { email: null }))).json<Pledge>();
  const send = async (id: string) =>
    readOutcome(await call(app, 'sendReceipt', { params: { orgid: testFund.orgid, entryid: id }, as: testFund.edith }));
  expect(await send(entryid ?? '')).toEqual([409, 'receipt-without-address']);
  expect(await send('nothing')).toEqual([404, 'receipt-not-found']);
  expect(receiptJobs(testFund.orgid)).toEqual([]);
});

test.each([
  [{ amount: 0 }, 'invalid-input', 'amount'],
  [{ amount: 10.005 }, 'invalid-input', 'amount'],
  [{ amount: 10_000_000 }, 'invalid-input', 'amount'],
  [{ receivedOn: '2026-03-17' }, 'day-in-future', 'receivedOn'],
  [{ receivedOn: '2015-01-01' }, 'day-too-long-ago', 'receivedOn'],
  [{ receivedOn: '2026-02-30' }, 'invalid-input', 'receivedOn'],
  [{ checkNumber: '1'.repeat(41) }, 'check-number-too-long', 'checkNumber'],
  [{ note: 'x'.repeat(501) }, 'note-too-long', 'note'],
])('rejects a check with %j, reports the field, and leaves the totals unchanged', async (change, code, field) => {
  const testFund = await createFund();
  const response = await receive(testFund, await addPledge(db, testFund.orgid), change);
  expect(response.json()).toMatchObject({ code, field });
  expect(await readEntries(testFund.orgid)).toEqual([]);
});

test('a check’s receipt is in the pledge’s language', async () => {
  const testFund = await createFund();
  await receive(testFund, await addPledge(db, testFund.orgid, { language: 'es' }));
  const receipt = db.kysely.selectFrom('receipts').select('document').where('org_id', '=', testFund.orgid);
  expect((await receipt.executeTakeFirstOrThrow()).document).toMatchObject({
    lines: [{ text: 'Donación con cheque n.º 1077' }],
    translation: { language: 'es' },
  });
});

test('a canceled pledge must be restored before it’s received, and a received one can’t be canceled', async () => {
  const testFund = await createFund();
  const id = await addPledge(db, testFund.orgid);
  expect((await withdraw(testFund, id, true)).json()).toMatchObject({ status: 'withdrawn' });
  expect(readOutcome(await receive(testFund, id))).toEqual([409, 'pledge-withdrawn']);
  expect((await withdraw(testFund, id, false)).json()).toMatchObject({ status: 'pledged' });
  expect(readOutcome(await receive(testFund, id))).toEqual([200]);
  expect(readOutcome(await withdraw(testFund, id, true))).toEqual([409, 'pledge-received']);
});

test('an editor records a pledged or received check once per id', async () => {
  const testFund = await createFund();
  const pledgedCheck = { name: ' Paula Promise ', email: '', amount: 40 };
  expect((await recordCheck(testFund, 'made-up-1', pledgedCheck)).json()).toMatchObject({
    name: 'Paula Promise',
    email: null,
    amount: 40,
    status: 'pledged',
    receiptNumber: null,
  });
  const checkDetails = { receivedOn: '2026-03-14', checkNumber: '9' };
  const checkInHand = { name: 'Hanna Hand', email: 'hanna@example.org', amount: 15.25, received: checkDetails };
  const responses = await Promise.all([1, 2, 3].map(() => recordCheck(testFund, 'made-up-2', checkInHand)));
  for (const response of responses) {
    expect(response.json()).toMatchObject({
      status: 'received',
      receivedAmount: 15.25,
      receiptNumber: expect.any(Number),
    });
  }
  expect(await readEntries(testFund.orgid)).toHaveLength(1);
  expect(readOutcome(await recordCheck(await createFund(), 'made-up-2', checkInHand))).toEqual([
    404,
    'pledge-not-found',
  ]);
  expect(readOutcome(await recordCheck(testFund, 'made-up-3', { ...pledgedCheck, name: 'P' }))).toEqual([
    422,
    'name-too-short',
  ]);
  expect(readOutcome(await recordCheck(testFund, 'made-up-3', { ...pledgedCheck, email: 'p' }))).toEqual([
    422,
    'invalid-email',
  ]);
});

test('checks are listed newest first, by status, in pages', async () => {
  const testFund = await createFund();
  for (let count = 1; count <= 12; count += 1) {
    const status = count === 3 ? 'withdrawn' : 'pledged';
    await addPledge(db, testFund.orgid, {
      id: `${testFund.orgid}-${count}`,
      status,
      created_at: new Date(Date.UTC(2026, 1, count)),
    });
  }
  const idNumbers = (pledges: readonly Pledge[]) => pledges.map(({ id }) => Number(id.split('-').at(-1)));
  expect(idNumbers(await listChecks(testFund))).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(idNumbers(await listChecks(testFund, { cursorRef: `${testFund.orgid}-3` }))).toEqual([2, 1]);
  expect(idNumbers(await listChecks(testFund, { status: 'withdrawn' }))).toEqual([3]);
  expect(await listChecks(await createFund())).toEqual([]);
});

test('editors of another organization can’t change a check', async () => {
  const testFund = await createFund();
  const otherFund = await createFund();
  const id = await addPledge(db, testFund.orgid);
  expect(readOutcome(await receive({ orgid: testFund.orgid, edith: otherFund.edith }, id))).toEqual([403, 'forbidden']);
  expect(readOutcome(await receive(otherFund, id))).toEqual([404, 'pledge-not-found']);
  expect(readOutcome(await withdraw(otherFund, id, true))).toEqual([404, 'pledge-not-found']);
  expect(await readEntries(testFund.orgid)).toEqual([]);
});

test('recording a check over $25,000 requires a recent confirmation; twenty smaller checks don’t', async () => {
  const testFund = await createFund();
  const oldConfirmation = new Date(clock.now().getTime() - 61 * MINUTE);
  const ageSessions = db.kysely.updateTable('sessions').set({ authenticated_at: oldConfirmation });
  await ageSessions.where('id', '=', testFund.edith.sessionId).execute();
  const checkDetails = { receivedOn: '2026-03-12', checkNumber: '', note: '' };
  for (let number = 1; number <= 20; number += 1) {
    const body = { name: `Donor ${number}`, email: '', amount: 25_000, received: checkDetails };
    expect(readOutcome(await recordCheck(testFund, newId(), body))).toEqual([200]);
  }
  const largeCheck = { name: 'Large', email: '', amount: 25_001 };
  expect(readOutcome(await recordCheck(testFund, newId(), { ...largeCheck, received: checkDetails }))).toEqual([
    401,
    'confirmation-required',
  ]);
  expect(readOutcome(await recordCheck(testFund, newId(), largeCheck))).toEqual([200]);
  const id = await addPledge(db, testFund.orgid);
  expect(readOutcome(await receive(testFund, id, { amount: 25_001 }))).toEqual([401, 'confirmation-required']);
  expect(readOutcome(await receive(testFund, id))).toEqual([200]);
});

test('a retry with other content changes nothing and names the recorded check', async () => {
  const testFund = await createFund();
  const received = { receivedOn: '2026-03-12', checkNumber: '1077', note: 'Came with a card' };
  const body = { name: 'Hanna Hand', email: 'hanna@example.org', postalAddress: '1 Elm St', amount: 100, received };
  const id = newId();
  expect(readOutcome(await recordCheck(testFund, id, body))).toEqual([200]);
  const otherContents = [
    { name: 'Hannah Hand' },
    { email: '' },
    { postalAddress: '2 Elm St' },
    { amount: 120 },
    { received: { ...received, receivedOn: '2026-03-11' } },
    { received: { ...received, checkNumber: '1078' } },
    { received: { ...received, note: '' } },
  ];
  for (const change of otherContents) {
    const response = await recordCheck(testFund, id, { ...body, ...change });
    expect([change, response.json()]).toMatchObject([
      change,
      {
        status: 409,
        code: 'pledge-recorded',
        detail: expect.stringContaining('already recorded: Hanna Hand, $100.00.'),
      },
    ]);
  }
  expect(readOutcome(await recordCheck(testFund, id, { ...body, name: ' Hanna Hand ' }))).toEqual([200]);
  expect(await readEntries(testFund.orgid)).toMatchObject([{ amount_cents: 10_000 }]);
  expect(receiptJobs(testFund.orgid)).toHaveLength(1);
});

test('a retry that records a pledge’s check as received doesn’t change the pledge', async () => {
  const testFund = await createFund();
  const id = newId();
  const body = { name: 'Hanna Hand', amount: 100 };
  expect(readOutcome(await recordCheck(testFund, id, body))).toEqual([200]);
  const check = { ...body, received: { receivedOn: '2026-03-12' } };
  expect(readOutcome(await recordCheck(testFund, id, check))).toEqual([409, 'pledge-recorded']);
  expect(await readEntries(testFund.orgid)).toEqual([]);
});

test('a check that two editors record at the same time is recorded once', async () => {
  const testFund = await createFund();
  for (const checkNumber of ['2001', '2002', '2003']) {
    const body = { name: 'Hanna Hand', amount: 120.5, received: { receivedOn: '2026-03-12', checkNumber } };
    const responses = await Promise.all([1, 2, 3].map(() => recordCheck(testFund, newId(), body)));
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  }
});

test('a check with the same number and amount is recorded again only after the editor confirms it', async () => {
  const testFund = await createFund();
  const checkDetails = { receivedOn: '2026-03-12', checkNumber: '1077' };
  const body = { name: 'Hanna Hand', amount: 120.5, received: checkDetails };
  const firstId = newId();
  expect(readOutcome(await recordCheck(testFund, firstId, body))).toEqual([200]);
  // Repeating a call whose response was lost doesn't record another check.
  expect(readOutcome(await recordCheck(testFund, firstId, body))).toEqual([200]);
  const secondId = newId();
  const repeatedResponse = await recordCheck(testFund, secondId, body);
  expect(readOutcome(repeatedResponse)).toEqual([409, 'check-recorded']);
  expect(repeatedResponse.json()).toMatchObject({ field: 'allowDuplicate' });
  const pledgeId = await addPledge(db, testFund.orgid);
  expect(readOutcome(await receive(testFund, pledgeId))).toEqual([409, 'check-recorded']);
  expect(await listChecks(testFund, { status: 'paid' })).toHaveLength(1);
  expect(
    readOutcome(
      await recordCheck(testFund, secondId, { ...body, received: { ...checkDetails, allowDuplicate: true } }),
    ),
  ).toEqual([200]);
  expect(readOutcome(await receive(testFund, pledgeId, { amount: 120 }))).toEqual([200]);
  expect(await listChecks(testFund, { status: 'paid' })).toHaveLength(3);
});

test('a check recorded in hand was never pledged, and has no invented time of day', async () => {
  const testFund = await createFund();
  const id = newId();
  await recordCheck(testFund, id, { name: 'Dora', amount: 120.5, received: { receivedOn: '2026-03-12' } });
  const params = { orgid: testFund.orgid, pledgeid: id };
  const { history } = (await call(app, 'readCheckRecord', { params, as: testFund.edith })).json<CheckRecord>();
  expect(history.map(({ kind }) => kind)).not.toContain('pledged');
  expect(history[0]).toMatchObject({
    kind: 'entry',
    at: clock.now().toISOString(),
    receivedTimestamp: expect.stringMatching('^2026-03-12'),
  });
});
