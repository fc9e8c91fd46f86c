// @spec decisions.3
import { expect, test } from 'vitest';
import type { Pledge } from '#contract/schemas/pledges.ts';
import { orgStats } from '#server/features/ledger/org-stats.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { newId } from '#server/ids.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { MINUTE, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { keptJobs } from '#test/support/kept-jobs.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const jobs = keptJobs();
const deps = await testDeps(db, { now: clock.now, jobs });
const app = await buildTestApp(deps);

async function fund() {
  const orgid = await addOrg(db);
  return { orgid, edith: await signIn(deps, { name: 'Edith', editorOf: [orgid] }) };
}
type Fund = Awaited<ReturnType<typeof fund>>;

const CHECK = { amount: 120.5, receivedOn: '2026-03-12', checkNumber: ' 1077 ', note: 'Came with a card' };
const receive = ({ orgid, edith }: Fund, pledgeid: string, change: object = {}) =>
  call(app, 'receivePledge', { params: { orgid, pledgeid }, as: edith, body: { ...CHECK, ...change } });
const withdraw = ({ orgid, edith }: Fund, pledgeid: string, withdrawn: boolean) =>
  call(app, 'withdrawPledge', { params: { orgid, pledgeid }, as: edith, body: { withdrawn } });
const record = ({ orgid, edith }: Fund, pledgeid: string, body: object) =>
  call(app, 'recordPledge', { params: { orgid, pledgeid }, as: edith, body });
const list = async ({ orgid, edith }: Fund, query: Record<string, string> = {}) =>
  (await call(app, 'readPledges', { params: { orgid }, as: edith, query })).json<Pledge[]>();
const entriesOf = (orgid: string) =>
  db.kysely.selectFrom('ledger_entries').selectAll().where('org_id', '=', orgid).execute();
const mailsOf = (orgid: string) => jobs.dataOf(sendReceiptEmail).filter(({ orgId }) => orgId === orgid);

test('a received check counts once in the ledger and stats, and gets a receipt', async () => {
  const here = await fund();
  const id = await addPledge(db, here.orgid);
  const answer = (await receive(here, id)).json<Pledge>();
  expect(answer).toMatchObject({
    status: 'received',
    amount: 100,
    receivedAmount: 120.5,
    receivedOn: '2026-03-12',
    checkNumber: '1077',
    note: 'Came with a card',
    receiptNumber: 1001,
  });
  expect(await entriesOf(here.orgid)).toMatchObject([
    {
      kind: 'check',
      fact: `check:${id}`,
      amount_cents: 12_050,
      carbon: 0,
      actor_id: here.edith.userId,
      occurred_at: new Date('2026-03-12T16:00:00Z'),
      // What could name someone is kept where it can be erased.
      reason: null,
    },
  ]);
  expect(await orgStats(db, here.orgid)).toMatchObject({ funds: 120.5 });
  expect(mailsOf(here.orgid)).toEqual([{ orgId: here.orgid, receiptNumber: 1 }]);
  expect(await verifyLedger(db)).toEqual([]);
});

// @asvs 2.3.4
test('fifty simultaneous clicks count it once', async () => {
  const here = await fund();
  const id = await addPledge(db, here.orgid);
  const answers = await Promise.all(Array.from({ length: 50 }, () => receive(here, id)));
  const outcomes = answers.map((answer) => outcomeOf(answer).join(' ')).toSorted();
  expect(outcomes).toEqual(['200', ...Array.from({ length: 49 }, () => '409 pledge-received')]);
  expect(await entriesOf(here.orgid)).toHaveLength(1);
  expect(mailsOf(here.orgid)).toHaveLength(1);
  expect(await verifyLedger(db)).toEqual([]);
});

test('a check’s receipt is a letter like a card’s, without a story link', async () => {
  const here = await fund();
  await receive(here, await addPledge(db, here.orgid));
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  await sendReceiptEmail.run({ ...deps, mailer }, { orgId: here.orgid, receiptNumber: 1 });
  expect(sent).toMatchObject([{ to: 'dora@example.org', subject: expect.stringContaining('receipt no. 1') }]);
  expect(sent[0]?.text).toContain('Dear Dora Donor,');
  expect(sent[0]?.text).toContain('Amount: $120.50');
  expect(sent[0]?.text).toContain('Date of gift: March 12, 2026');
  expect(sent[0]?.text).toContain('Donation by check no. 1077: $120.50');
  expect(sent[0]?.text).toContain('No goods or services were provided');
  expect(sent[0]?.text).not.toContain('story');
});

test('a receipt is resent with the same number as a new email', async () => {
  const here = await fund();
  const { entryid } = (await receive(here, await addPledge(db, here.orgid))).json<Pledge>();
  const params = { orgid: here.orgid, entryid: entryid ?? '' };
  const answer = await call(app, 'sendReceipt', { params, as: here.edith });
  expect(answer.json()).toEqual({ number: expect.any(Number), email: 'dora@example.org' });
  const [first, again] = mailsOf(here.orgid);
  expect([first?.receiptNumber, again?.receiptNumber]).toEqual([1, 1]);
  const keys: string[] = [];
  const mailer = { send: async ({ messageKey }: Mail) => void keys.push(messageKey), close: async () => {} };
  for (const job of mailsOf(here.orgid)) await sendReceiptEmail.run({ ...deps, mailer }, job);
  expect(new Set(keys).size).toBe(2);
  const mails = await db.kysely.selectFrom('receipt_mails').selectAll().where('org_id', '=', here.orgid).execute();
  expect(mails.map(({ number }) => number)).toEqual([1, 1]);
});

test('a receipt is resent at most four times an hour', async () => {
  const here = await fund();
  const { entryid } = (await receive(here, await addPledge(db, here.orgid))).json<Pledge>();
  const params = { orgid: here.orgid, entryid: entryid ?? '' };
  const statuses = [];
  for (let time = 0; time < 60; time += 1) {
    statuses.push((await call(app, 'sendReceipt', { params, as: here.edith })).statusCode);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  expect(mailsOf(here.orgid)).toHaveLength(5);
  const body = { email: 'other@example.org' };
  expect(outcomeOf(await call(app, 'sendReceiptTo', { params, body, as: here.edith }))).toEqual([
    429,
    'too-many-requests',
  ]);
});

test('a missing receipt, or one without an address, isn’t sent', async () => {
  const here = await fund();
  const { entryid } = (await receive(here, await addPledge(db, here.orgid, { email: null }))).json<Pledge>();
  const send = async (id: string) =>
    outcomeOf(await call(app, 'sendReceipt', { params: { orgid: here.orgid, entryid: id }, as: here.edith }));
  expect(await send(entryid ?? '')).toEqual([409, 'receipt-without-address']);
  expect(await send('nothing')).toEqual([404, 'receipt-not-found']);
  expect(mailsOf(here.orgid)).toEqual([]);
});

test.each([
  [{ amount: 0 }, 'invalid-input', 'amount'],
  [{ amount: 10.005 }, 'invalid-input', 'amount'],
  [{ amount: 10_000_000 }, 'invalid-input', 'amount'],
  [{ receivedOn: '2026-03-17' }, 'day-to-come', 'receivedOn'],
  [{ receivedOn: '2015-01-01' }, 'day-too-long-ago', 'receivedOn'],
  [{ receivedOn: '2026-02-30' }, 'invalid-input', 'receivedOn'],
  [{ checkNumber: '1'.repeat(41) }, 'check-number-too-long', 'checkNumber'],
  [{ note: 'x'.repeat(501) }, 'note-too-long', 'note'],
])('a check with %j is rejected with an error for its field and counts nothing', async (change, code, field) => {
  const here = await fund();
  const answer = await receive(here, await addPledge(db, here.orgid), change);
  expect(answer.json()).toMatchObject({ code, field });
  expect(await entriesOf(here.orgid)).toEqual([]);
});

test('a check’s receipt is in the pledge’s language', async () => {
  const here = await fund();
  await receive(here, await addPledge(db, here.orgid, { language: 'es' }));
  const receipt = db.kysely.selectFrom('receipts').select('document').where('org_id', '=', here.orgid);
  expect((await receipt.executeTakeFirstOrThrow()).document).toMatchObject({
    lines: [{ text: 'Donación con cheque n.º 1077' }],
    translation: { language: 'es' },
  });
});

test('a canceled pledge must be restored before it’s received, and a received one can’t be canceled', async () => {
  const here = await fund();
  const id = await addPledge(db, here.orgid);
  expect((await withdraw(here, id, true)).json()).toMatchObject({ status: 'withdrawn' });
  expect(outcomeOf(await receive(here, id))).toEqual([409, 'pledge-withdrawn']);
  expect((await withdraw(here, id, false)).json()).toMatchObject({ status: 'pledged' });
  expect(outcomeOf(await receive(here, id))).toEqual([200]);
  expect(outcomeOf(await withdraw(here, id, true))).toEqual([409, 'pledge-received']);
});

test('an editor records a pledged or received check once per id', async () => {
  const here = await fund();
  const promised = { name: ' Paula Promise ', email: '', amount: 40 };
  expect((await record(here, 'made-up-1', promised)).json()).toMatchObject({
    name: 'Paula Promise',
    email: null,
    amount: 40,
    status: 'pledged',
    receiptNumber: null,
  });
  const received = { receivedOn: '2026-03-14', checkNumber: '9' };
  const inHand = { name: 'Hanna Hand', email: 'hanna@example.org', amount: 15.25, received };
  const answers = await Promise.all([1, 2, 3].map(() => record(here, 'made-up-2', inHand)));
  for (const answer of answers) {
    expect(answer.json()).toMatchObject({
      status: 'received',
      receivedAmount: 15.25,
      receiptNumber: expect.any(Number),
    });
  }
  expect(await entriesOf(here.orgid)).toHaveLength(1);
  expect(outcomeOf(await record(await fund(), 'made-up-2', inHand))).toEqual([404, 'pledge-not-found']);
  expect(outcomeOf(await record(here, 'made-up-3', { ...promised, name: 'P' }))).toEqual([422, 'name-too-short']);
  expect(outcomeOf(await record(here, 'made-up-3', { ...promised, email: 'p' }))).toEqual([422, 'invalid-email']);
});

test('checks are listed newest first, by status, in pages', async () => {
  const here = await fund();
  for (let count = 1; count <= 12; count += 1) {
    const status = count === 3 ? 'withdrawn' : 'pledged';
    await addPledge(db, here.orgid, {
      id: `${here.orgid}-${count}`,
      status,
      created_at: new Date(Date.UTC(2026, 1, count)),
    });
  }
  const ids = (pledges: readonly Pledge[]) => pledges.map(({ id }) => Number(id.split('-').at(-1)));
  expect(ids(await list(here))).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(ids(await list(here, { cursorRef: `${here.orgid}-3` }))).toEqual([2, 1]);
  expect(ids(await list(here, { status: 'withdrawn' }))).toEqual([3]);
  expect(await list(await fund())).toEqual([]);
});

test('editors of another organization can’t change it', async () => {
  const here = await fund();
  const there = await fund();
  const id = await addPledge(db, here.orgid);
  expect(outcomeOf(await receive({ orgid: here.orgid, edith: there.edith }, id))).toEqual([403, 'forbidden']);
  expect(outcomeOf(await receive(there, id))).toEqual([404, 'pledge-not-found']);
  expect(outcomeOf(await withdraw(there, id, true))).toEqual([404, 'pledge-not-found']);
  expect(await entriesOf(here.orgid)).toEqual([]);
});

test('a check over $25,000 needs a recent confirmation; twenty ordinary ones don’t', async () => {
  const here = await fund();
  const before = new Date(clock.now().getTime() - 61 * MINUTE);
  const aged = db.kysely.updateTable('sessions').set({ proven_at: before });
  await aged.where('id', '=', here.edith.sessionId).execute();
  const received = { receivedOn: '2026-03-12', checkNumber: '', note: '' };
  for (let number = 1; number <= 20; number += 1) {
    const body = { name: `Donor ${number}`, email: '', amount: 25_000, received };
    expect(outcomeOf(await record(here, newId(), body))).toEqual([200]);
  }
  const large = { name: 'Large', email: '', amount: 25_001 };
  expect(outcomeOf(await record(here, newId(), { ...large, received }))).toEqual([401, 'proof-required']);
  expect(outcomeOf(await record(here, newId(), large))).toEqual([200]);
  const id = await addPledge(db, here.orgid);
  expect(outcomeOf(await receive(here, id, { amount: 25_001 }))).toEqual([401, 'proof-required']);
  expect(outcomeOf(await receive(here, id))).toEqual([200]);
});
