// @spec decisions.3
import { expect, test } from 'vitest';
import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import { newId } from '#server/db/new-id.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { sendReceiptRedirectEmail } from '#server/features/receipts/send-receipt-redirect-email.job.ts';
import { countUndeliveredReceipts } from '#server/features/receipts/undelivered-receipts.ts';
import { type Email, EmailRejectedError } from '#server/gateways/email/mailer.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { HOUR } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { signIn } from '#test/support/sign-in.ts';

const jobs = createJobRecorder();
const setup: DonationSetup = await startDonationSetup({ jobs });
const { db, deps, app, clock } = setup;

/** Creates an organization with an editor. */
async function createFund() {
  const orgId = await addOrg(db);
  return { orgid: orgId, edith: await signIn(deps, { editorOf: [orgId] }) };
}
type Fund = Awaited<ReturnType<typeof createFund>>;

const requestUndelivered = async ({ orgid: orgId, edith }: Fund, query: Readonly<Record<string, string>> = {}) =>
  call(app, 'readUndelivered', { params: { orgid: orgId }, as: edith, query });
const listUndelivered = async (testFund: Fund) => (await requestUndelivered(testFund)).json<UndeliveredReceipt[]>();
const receiptJobs = ({ orgid: fundOrgId }: Fund) =>
  jobs.findPayloads(sendReceiptEmail).filter(({ orgId }) => orgId === fundOrgId);
const sendTo = ({ orgid: orgId, edith }: Fund, entryId: string, email: string) =>
  call(app, 'sendReceiptTo', { params: { orgid: orgId, entryid: entryId }, as: edith, body: { email } });
const markMailed = ({ orgid: orgId, edith }: Fund, entryids: string[]) =>
  call(app, 'markReceiptsMailed', { params: { orgid: orgId }, as: edith, body: { entryids } });

async function runReceiptJob(
  job: { readonly orgId: string; readonly receiptNumber: number },
  send: (email: Email) => Promise<void>,
  isLastAttempt = false,
) {
  await sendReceiptEmail.run({ ...deps, mailer: { send } }, job, { isLastAttempt }).catch(() => {});
}

/** Runs all jobs of an organization. @returns the emails they sent */
async function sendReceipts(testFund: Fund): Promise<Email[]> {
  const sentEmails: Email[] = [];
  for (const job of receiptJobs(testFund)) await runReceiptJob(job, async (email) => void sentEmails.push(email));
  return sentEmails;
}

async function rejectReceipt(testFund: Fund): Promise<void> {
  for (const job of receiptJobs(testFund)) {
    await runReceiptJob(job, async () => {
      throw new EmailRejectedError('550');
    });
  }
}

test('a delivered receipt isn’t listed', async () => {
  const testFund = await createFund();
  await setup.openAndPay({ orgId: testFund.orgid });
  expect(await sendReceipts(testFund)).toHaveLength(1);
  expect(await listUndelivered(testFund)).toEqual([]);
});

test('a rejected receipt is listed with the reason until it’s sent to another address', async () => {
  const testFund = await createFund();
  await setup.openAndPay({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  const [undeliveredReceipt] = await listUndelivered(testFund);
  expect(undeliveredReceipt).toMatchObject({
    reason: 'rejected',
    code: '550',
    name: 'Paula Payer',
    email: 'payer@example.org',
    amount: 25,
    number: expect.any(Number),
  });
  const entryId = undeliveredReceipt?.id ?? '';
  const response = await sendTo(testFund, entryId, ' paula@elsewhere.example ');
  expect(response.json()).toEqual({ number: undeliveredReceipt?.number, email: 'paula@elsewhere.example' });
  expect(await listUndelivered(testFund)).toEqual([]);
  // The first email job has ended, so only the second email is sent, with the same content.
  const sentEmails = await sendReceipts(testFund);
  expect(sentEmails).toMatchObject([
    { to: 'paula@elsewhere.example', subject: expect.stringContaining(`no. ${undeliveredReceipt?.number}`) },
  ]);
  expect(await sendReceipts(testFund)).toEqual([]);
  expect(await listUndelivered(testFund)).toEqual([]);
});

test('a receipt without an address is neither listed nor counted once its checkout is deleted', async () => {
  const testFund = await createFund();
  await setup.openAndPay({ orgId: testFund.orgid });
  const setReceipt = (change: { erase_payer_after_delivery: boolean }) =>
    db.kysely
      .updateTable('receipts')
      .set({ ...change, email: null, delivery: 'no-address' })
      .where('org_id', '=', testFund.orgid)
      .execute();
  const count = () => countUndeliveredReceipts({ db, now: clock.now }, testFund.orgid);
  await setReceipt({ erase_payer_after_delivery: false });
  expect([await count(), (await listUndelivered(testFund)).length]).toEqual([1, 1]);
  await setReceipt({ erase_payer_after_delivery: true });
  expect([await count(), (await listUndelivered(testFund)).length]).toEqual([0, 0]);
});

test('a resent receipt that is rejected is listed again', async () => {
  const testFund = await createFund();
  await setup.openAndPay({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  const [firstReceipt] = await listUndelivered(testFund);
  await sendTo(testFund, firstReceipt?.id ?? '', 'wrong@example.org');
  await rejectReceipt(testFund);
  expect(await listUndelivered(testFund)).toMatchObject([{ reason: 'rejected', email: 'wrong@example.org' }]);
});

test('a receipt is listed once it is overdue or its last attempt fails', async () => {
  const testFund = await createFund();
  await setup.openAndPay({ orgId: testFund.orgid });
  const failToSend = async () => {
    throw Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' });
  };
  for (const job of receiptJobs(testFund)) await runReceiptJob(job, failToSend);
  expect(await listUndelivered(testFund)).toEqual([]);
  clock.advance(3 * HOUR);
  const laterFund = { ...testFund, edith: await signIn(deps, { editorOf: [testFund.orgid] }) };
  expect(await listUndelivered(laterFund)).toMatchObject([{ reason: 'pending', code: null }]);
  for (const job of receiptJobs(testFund)) await runReceiptJob(job, failToSend, true);
  expect(await listUndelivered(laterFund)).toMatchObject([{ reason: 'failed', code: 'ETIMEDOUT' }]);
});

test('a receipt without an address is listed until it’s marked as mailed', async () => {
  const testFund = await createFund();
  const pledgeId = await addPledge(db, testFund.orgid, { email: null });
  const body = { amount: 25, receivedOn: '2026-03-12' };
  await call(app, 'receivePledge', { params: { orgid: testFund.orgid, pledgeid: pledgeId }, as: testFund.edith, body });
  expect(receiptJobs(testFund)).toEqual([]);
  const [undeliveredReceipt] = await listUndelivered(testFund);
  expect(undeliveredReceipt).toMatchObject({ reason: 'no-address', email: null, givenOn: '2026-03-12' });
  expect(
    (await call(app, 'readOverview', { params: { orgid: testFund.orgid }, as: testFund.edith })).json(),
  ).toMatchObject({
    pendingCounts: { receipts: 1 },
  });
  expect(readOutcome(await markMailed(testFund, [undeliveredReceipt?.id ?? '']))).toEqual([200]);
  expect(await listUndelivered(testFund)).toEqual([]);
  expect(
    (await call(app, 'readOverview', { params: { orgid: testFund.orgid }, as: testFund.edith })).json(),
  ).toMatchObject({
    pendingCounts: { receipts: 0 },
  });
});

test('receipts are marked as mailed together, or none if one isn’t found', async () => {
  const testFund = await createFund();
  for (let n = 0; n < 2; n += 1) await setup.openAndPay({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  const receiptIds = (await listUndelivered(testFund)).map(({ id }) => id);
  expect(readOutcome(await markMailed(testFund, [...receiptIds, newId()]))).toEqual([404, 'receipt-not-found']);
  expect(await listUndelivered(testFund)).toHaveLength(2);
  expect(readOutcome(await markMailed(testFund, receiptIds))).toEqual([200]);
  expect(await listUndelivered(testFund)).toEqual([]);
});

test('a deleted checkout’s payer data is erased once the rejected receipt is resent to another address', async () => {
  const testFund = await createFund();
  const { id } = await setup.openAndPay({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  await call(app, 'deleteCheckout', { params: { orgid: testFund.orgid, checkoutid: id }, as: testFund.edith });
  const [undeliveredReceipt] = await listUndelivered(testFund);
  expect(undeliveredReceipt).toMatchObject({ name: 'Paula Payer', email: 'payer@example.org' });
  await sendTo(testFund, undeliveredReceipt?.id ?? '', 'paula@elsewhere.example');
  expect(await sendReceipts(testFund)).toMatchObject([{ to: 'paula@elsewhere.example' }]);
  const receipt = await db.kysely
    .selectFrom('receipts')
    .selectAll()
    .where('checkout_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(receipt).toMatchObject({ email: null, name: null, document: { donor: null } });
  expect(await listUndelivered(testFund)).toEqual([]);
});

test('the list is paginated', async () => {
  const testFund = await createFund();
  for (let n = 0; n < 3; n += 1) await setup.openAndPay({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  const firstPage = await requestUndelivered(testFund, { max: '2' });
  const [newestReceipt, secondReceipt] = firstPage.json<UndeliveredReceipt[]>();
  expect(newestReceipt?.number).toBeGreaterThan(secondReceipt?.number ?? 0);
  const nextPage = await requestUndelivered(testFund, {
    max: '2',
    cursorRef: String(firstPage.headers['x-next-cursor']),
  });
  expect(nextPage.json<UndeliveredReceipt[]>()).toHaveLength(1);
  expect(nextPage.headers['x-next-cursor']).toBeUndefined();
});

test.each([
  ['', 'no-email'],
  ['nobody', 'invalid-email'],
  ['a@example.org\r\nBcc: b@example.org', 'invalid-email'],
])('a receipt isn’t sent to the address %j', async (email, code) => {
  const testFund = await createFund();
  await setup.openAndPay({ orgId: testFund.orgid });
  await rejectReceipt(testFund);
  const [undeliveredReceipt] = await listUndelivered(testFund);
  expect(readOutcome(await sendTo(testFund, undeliveredReceipt?.id ?? '', email))).toEqual([422, code]);
  expect(await listUndelivered(testFund)).toEqual([undeliveredReceipt]);
});

test('another organization’s receipt is not found', async () => {
  const [ownFund, otherFund] = [await createFund(), await createFund()];
  await setup.openAndPay({ orgId: otherFund.orgid });
  await rejectReceipt(otherFund);
  const [undeliveredReceipt] = await listUndelivered(otherFund);
  const entryId = undeliveredReceipt?.id ?? '';
  expect(readOutcome(await sendTo(ownFund, entryId, 'eve@example.org'))).toEqual([404, 'receipt-not-found']);
  expect(readOutcome(await markMailed(ownFund, [entryId]))).toEqual([404, 'receipt-not-found']);
});

test('a receipt sent to another address has no links, and its donor is notified', async () => {
  const testFund = await createFund();
  await setup.openAndPay({ orgId: testFund.orgid });
  expect(await sendReceipts(testFund)).toHaveLength(1);
  const { ledger_entry_id: entryId, key } = await db.kysely
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', testFund.orgid)
    .executeTakeFirstOrThrow();
  const thief = await signIn(deps, { email: 'thief@example.org' });
  expect(readOutcome(await sendTo(testFund, entryId, thief.email))).toEqual([200]);
  const [copy] = await sendReceipts(testFund);
  expect(copy?.to).toBe(thief.email);
  expect(copy?.attachments?.[0]?.type).toBe('application/pdf');
  expect(`${copy?.text}${copy?.html}`).not.toContain(key);
  expect(`${copy?.text}${copy?.html}`).not.toContain('/gifts/');
  const emails: Email[] = [];
  for (const data of jobs.findPayloads(sendReceiptRedirectEmail).filter(({ orgId }) => orgId === testFund.orgid)) {
    await sendReceiptRedirectEmail.run({ ...deps, mailer: { send: async (email) => void emails.push(email) } }, data);
  }
  expect(emails.map(({ to }) => to)).toEqual(['payer@example.org']);
  expect(emails[0]?.text).not.toContain(thief.email);
  const thiefGifts = await call(app, 'readGiving', { params: { userid: thief.userId }, as: thief });
  expect(thiefGifts.body).not.toContain(testFund.orgid);
  // An email to the donor's own address contains the links again.
  expect(readOutcome(await sendTo(testFund, entryId, 'payer@example.org'))).toEqual([200]);
  const [donorEmail] = await sendReceipts(testFund);
  expect(donorEmail?.text).toContain(key);
});

test('an undelivered check receipt shows the donor’s postal address', async () => {
  const { orgid, edith } = await createFund();
  const received = { receivedOn: '2026-03-02' };
  const body = { name: 'Dora Donor', email: '', postalAddress: '1 Elm St\nIthaca, NY', amount: 40, received };
  const params = { orgid, pledgeid: 'pledge-by-post' };
  expect(readOutcome(await call(app, 'recordPledge', { params, body, as: edith }))).toEqual([200]);
  expect(await listUndelivered({ orgid, edith })).toMatchObject([
    { name: 'Dora Donor', reason: 'no-address', postalAddress: '1 Elm St\nIthaca, NY' },
  ]);
});

test('undelivered receipts download as one printable file', async () => {
  const { orgid, edith } = await createFund();
  const download = () => call(app, 'downloadUndelivered', { params: { orgid }, as: edith });
  expect(readOutcome(await download())).toEqual([404, 'receipt-not-found']);
  for (const name of ['Dora Donor', 'Ben Giver']) {
    const received = { receivedOn: '2026-03-02' };
    const body = { name, email: '', postalAddress: '1 Elm St\nIthaca, NY', amount: 40, received };
    await call(app, 'recordPledge', { params: { orgid, pledgeid: newId() }, body, as: edith });
  }
  const { rawPayload } = await download();
  expect(rawPayload.toString('latin1').match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2);
});
