// @spec decisions.3
import { expect, test } from 'vitest';
import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { sendReceiptRedirectEmail } from '#server/features/receipts/send-receipt-redirect-email.job.ts';
import { type Mail, MailRejected } from '#server/gateways/mail/mailer.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { HOUR } from '#test/support/clock.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { signIn } from '#test/support/sign-in.ts';

const jobs = jobRecorder();
const giving: Giving = await startGiving({ jobs });
const { db, deps, app, clock } = giving;

/** An organization with an editor. */
async function fund() {
  const orgid = await addOrg(db);
  return { orgid, edith: await signIn(deps, { editorOf: [orgid] }) };
}
type Fund = Awaited<ReturnType<typeof fund>>;

const listOf = async ({ orgid, edith }: Fund, query: Readonly<Record<string, string>> = {}) =>
  call(app, 'readUndelivered', { params: { orgid }, as: edith, query });
const undelivered = async (here: Fund) => (await listOf(here)).json<UndeliveredReceipt[]>();
const jobsOf = ({ orgid }: Fund) => jobs.dataOf(sendReceiptEmail).filter(({ orgId }) => orgId === orgid);
const sendTo = ({ orgid, edith }: Fund, entryid: string, email: string) =>
  call(app, 'sendReceiptTo', { params: { orgid, entryid }, as: edith, body: { email } });

async function mail(
  job: { readonly orgId: string; readonly receiptNumber: number },
  send: (mail: Mail) => Promise<void>,
  isLast = false,
) {
  await sendReceiptEmail.run({ ...deps, mailer: { send, close: async () => {} } }, job, { isLast }).catch(() => {});
}

/** Runs all jobs of an organization. @returns the emails they sent */
async function sendReceipts(here: Fund): Promise<Mail[]> {
  const sent: Mail[] = [];
  for (const job of jobsOf(here)) await mail(job, async (each) => void sent.push(each));
  return sent;
}

async function rejectReceipt(here: Fund): Promise<void> {
  for (const job of jobsOf(here)) {
    await mail(job, async () => {
      throw new MailRejected('550');
    });
  }
}

test('a delivered receipt isn’t listed', async () => {
  const testFund = await fund();
  await giving.openPaid({ orgId: testFund.orgid });
  expect(await sendReceipts(testFund)).toHaveLength(1);
  expect(await undelivered(testFund)).toEqual([]);
});

test('a rejected receipt is listed with the reason until it’s sent to another address', async () => {
  const testFund = await fund();
  await giving.openPaid({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  const [listed] = await undelivered(testFund);
  expect(listed).toMatchObject({
    reason: 'rejected',
    code: '550',
    name: 'Paula Payer',
    email: 'payer@example.org',
    amount: 25,
    number: expect.any(Number),
  });
  const entryid = listed?.id ?? '';
  const response = await sendTo(testFund, entryid, ' paula@elsewhere.example ');
  expect(response.json()).toEqual({ number: listed?.number, email: 'paula@elsewhere.example' });
  expect(await undelivered(testFund)).toEqual([]);
  // The first email job has ended, so only the second email is sent, with the same content.
  const sentMails = await sendReceipts(testFund);
  expect(sentMails).toMatchObject([
    { to: 'paula@elsewhere.example', subject: expect.stringContaining(`no. ${listed?.number}`) },
  ]);
  expect(await sendReceipts(testFund)).toEqual([]);
  expect(await undelivered(testFund)).toEqual([]);
});

test('a resent receipt that is rejected is listed again', async () => {
  const testFund = await fund();
  await giving.openPaid({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  const [first] = await undelivered(testFund);
  await sendTo(testFund, first?.id ?? '', 'wrong@example.org');
  await rejectReceipt(testFund);
  expect(await undelivered(testFund)).toMatchObject([{ reason: 'rejected', email: 'wrong@example.org' }]);
});

test('a receipt is listed after the last try, or when overdue', async () => {
  const testFund = await fund();
  await giving.openPaid({ orgId: testFund.orgid });
  const fails = async () => {
    throw Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' });
  };
  for (const job of jobsOf(testFund)) await mail(job, fails);
  expect(await undelivered(testFund)).toEqual([]);
  clock.pass(3 * HOUR);
  const later = { ...testFund, edith: await signIn(deps, { editorOf: [testFund.orgid] }) };
  expect(await undelivered(later)).toMatchObject([{ reason: 'pending', code: null }]);
  for (const job of jobsOf(testFund)) await mail(job, fails, true);
  expect(await undelivered(later)).toMatchObject([{ reason: 'failed', code: 'ETIMEDOUT' }]);
});

test('a receipt without an address is listed until it’s sent by mail', async () => {
  const testFund = await fund();
  const pledgeid = await addPledge(db, testFund.orgid, { email: null });
  const body = { amount: 25, receivedOn: '2026-03-12' };
  await call(app, 'receivePledge', { params: { orgid: testFund.orgid, pledgeid }, as: testFund.edith, body });
  expect(jobsOf(testFund)).toEqual([]);
  const [listed] = await undelivered(testFund);
  expect(listed).toMatchObject({ reason: 'no-address', email: null, givenOn: '2026-03-12' });
  const params = { orgid: testFund.orgid, entryid: listed?.id ?? '' };
  expect(
    (await call(app, 'readOverview', { params: { orgid: testFund.orgid }, as: testFund.edith })).json(),
  ).toMatchObject({
    waiting: { receipts: 1 },
  });
  expect(outcomeOf(await call(app, 'noteReceiptPosted', { params, as: testFund.edith }))).toEqual([200]);
  expect(await undelivered(testFund)).toEqual([]);
  expect(
    (await call(app, 'readOverview', { params: { orgid: testFund.orgid }, as: testFund.edith })).json(),
  ).toMatchObject({
    waiting: { receipts: 0 },
  });
});

test('a payer awaiting erasure is erased once the rejected receipt was sent elsewhere', async () => {
  const testFund = await fund();
  const { id } = await giving.openPaid({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  await call(app, 'deleteCheckout', { params: { orgid: testFund.orgid, checkoutid: id }, as: testFund.edith });
  const [listed] = await undelivered(testFund);
  expect(listed).toMatchObject({ name: 'Paula Payer', email: 'payer@example.org' });
  await sendTo(testFund, listed?.id ?? '', 'paula@elsewhere.example');
  expect(await sendReceipts(testFund)).toMatchObject([{ to: 'paula@elsewhere.example' }]);
  const receipt = await db.kysely
    .selectFrom('receipts')
    .selectAll()
    .where('checkout_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(receipt).toMatchObject({ email: null, name: null, document: { donor: null } });
  expect(await undelivered(testFund)).toEqual([]);
});

test('the list is paged', async () => {
  const testFund = await fund();
  for (let n = 0; n < 3; n += 1) await giving.openPaid({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  const first = await listOf(testFund, { max: '2' });
  const [newest, second] = first.json<UndeliveredReceipt[]>();
  expect(newest?.number).toBeGreaterThan(second?.number ?? 0);
  const next = await listOf(testFund, { max: '2', cursorRef: String(first.headers['x-next-cursor']) });
  expect(next.json<UndeliveredReceipt[]>()).toHaveLength(1);
  expect(next.headers['x-next-cursor']).toBeUndefined();
});

test.each([
  ['', 'no-email'],
  ['nobody', 'invalid-email'],
  ['a@example.org\r\nBcc: b@example.org', 'invalid-email'],
])('a receipt isn’t sent to the address %j', async (email, code) => {
  const testFund = await fund();
  await giving.openPaid({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  const [listed] = await undelivered(testFund);
  expect(outcomeOf(await sendTo(testFund, listed?.id ?? '', email))).toEqual([422, code]);
  expect(await undelivered(testFund)).toEqual([listed]);
});

test('another organization’s receipt is not found', async () => {
  const [here, there] = [await fund(), await fund()];
  await giving.openPaid({ orgId: there.orgid });
  await rejectReceipt(there);
  const [listed] = await undelivered(there);
  const entryid = listed?.id ?? '';
  expect(outcomeOf(await sendTo(here, entryid, 'eve@example.org'))).toEqual([404, 'receipt-not-found']);
  const params = { orgid: here.orgid, entryid };
  expect(outcomeOf(await call(app, 'noteReceiptPosted', { params, as: here.edith }))).toEqual([
    404,
    'receipt-not-found',
  ]);
});

test('a receipt sent to another address has no links, and its donor is notified', async () => {
  const testFund = await fund();
  await giving.openPaid({ orgId: testFund.orgid });
  expect(await sendReceipts(testFund)).toHaveLength(1);
  const { ledger_entry_id: entryid, key } = await db.kysely
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', testFund.orgid)
    .executeTakeFirstOrThrow();
  const thief = await signIn(deps, { email: 'thief@example.org' });
  expect(outcomeOf(await sendTo(testFund, entryid, thief.email))).toEqual([200]);
  const [copy] = await sendReceipts(testFund);
  expect(copy?.to).toBe(thief.email);
  expect(copy?.attachments?.[0]?.type).toBe('application/pdf');
  expect(`${copy?.text}${copy?.html}`).not.toContain(key);
  expect(`${copy?.text}${copy?.html}`).not.toContain('/gifts/');
  const mails: Mail[] = [];
  for (const data of jobs.dataOf(sendReceiptRedirectEmail).filter(({ orgId }) => orgId === testFund.orgid)) {
    await sendReceiptRedirectEmail.run(
      { ...deps, mailer: { send: async (each) => void mails.push(each), close: async () => {} } },
      data,
    );
  }
  expect(mails.map(({ to }) => to)).toEqual(['payer@example.org']);
  expect(mails[0]?.text).not.toContain(thief.email);
  const thiefGifts = await call(app, 'readGiving', { params: { userid: thief.userId }, as: thief });
  expect(thiefGifts.body).not.toContain(testFund.orgid);
  // Sent to the donor again, the email has its links.
  expect(outcomeOf(await sendTo(testFund, entryid, 'payer@example.org'))).toEqual([200]);
  const [own] = await sendReceipts(testFund);
  expect(own?.text).toContain(key);
});
