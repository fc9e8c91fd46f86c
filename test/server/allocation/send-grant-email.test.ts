// @spec decisions.3
import { beforeEach, expect, test } from 'vitest';
import { reverseLines } from '#domain/books.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { announceHomes, sendGrantEmail } from '#server/features/allocation/send-grant-email.job.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { type Email, EmailRejectedError } from '#server/gateways/email/mailer.ts';
import { createTestDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const HOUR = 60 * 60 * 1000;
const db = await createTestDatabase();
const clockAhead = (hours: number) => () => new Date(Date.now() + hours * HOUR);
const deps = await createTestDeps(db, { now: clockAhead(2) });

let testOrgId: string;

beforeEach(async () => {
  testOrgId = await addOrg(db, { place: 'Ithaca' });
});

/** Adds a $25 gift in live mode. */
async function addLiveGift(email: string, overrides: Parameters<typeof addGift>[2] = {}) {
  const gift = await addGift(db, testOrgId, { email, ...overrides });
  await db.kysely.updateTable('payments').set({ livemode: true }).where('entry_id', '=', gift.ledgerEntryId).execute();
  return gift;
}

async function addHome(cents: number, name = 'The Okafor family') {
  const awardeeId = await addStory(db, 'awardees', testOrgId, { name });
  const id = await addGrant(db, testOrgId, { awardeeId, stage: 'paid', cents, stageDate: '2026-03-20' });
  const grantChange = { published_fields: ['measures' as const, 'dates' as const], done_on: '2026-04-01' };
  await db.kysely.updateTable('grants').set(grantChange).where('id', '=', id).execute();
  return id;
}

/** Looks for gifts that found a home. @returns this organization's queued emails */
async function findMailings({ now = deps.now } = {}) {
  const jobs = createJobRecorder();
  await announceHomes({ db, now, jobs, log: createLogSpy().log });
  return jobs.findPayloads(sendGrantEmail).filter(({ orgId }) => orgId === testOrgId);
}

async function sendMailings(mailings: Awaited<ReturnType<typeof findMailings>>, overrides: Partial<typeof deps> = {}) {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  for (const data of mailings) await sendGrantEmail.run({ ...deps, ...overrides, mailer }, data);
  return sentEmails;
}

const readStatuses = async () => {
  const rows = await db.kysely.selectFrom('grant_emails').select('status').where('org_id', '=', testOrgId).execute();
  return rows.map(({ status }) => status).toSorted();
};

test('each donor gets one email about gifts that found a home, an hour after the payment was recorded', async () => {
  await addLiveGift('ada@example.org');
  await addLiveGift('ada@example.org');
  await addLiveGift('ben@example.org');
  await addHome(6000);
  expect(await findMailings({ now: clockAhead(0.9) })).toEqual([]);
  const mailings = await findMailings();
  expect(mailings).toHaveLength(2);
  const sentEmails = await sendMailings(mailings);
  expect(sentEmails.map(({ to }) => to).toSorted()).toEqual(['ada@example.org', 'ben@example.org']);
  const adaEmail = sentEmails.find(({ to }) => to === 'ada@example.org');
  expect(adaEmail?.subject).toContain('found a home');
  expect(adaEmail?.text).toMatch(/helped insulate the attic of the Okafor family/);
  expect(adaEmail?.text).toMatch(/https:\/\/fund\.example\/orgs\/[\w-]+\/gifts\/[\w-]+\/homes\n/);
  // Simultaneous gifts are sorted by id.
  expect(sentEmails.map(({ text }) => text).join()).toMatch(
    /Of your \$(?:25\.00, \$10|50\.00, \$35)\.00 helped insulate/,
  );
  expect(await sendMailings(mailings)).toEqual([]);
  expect(await findMailings()).toEqual([]);
  expect(await readStatuses()).toEqual(['sent', 'sent', 'sent']);
});

test('one email covers all of a donor’s gifts that found a home, even with other donors’ gifts in between', async () => {
  const donors = ['ada@example.org', 'ben@example.org', 'ada@example.org', 'cleo@example.org', 'ada@example.org'];
  for (const email of donors) await addLiveGift(email);
  await addHome(12_500);
  const sentEmails = await sendMailings(await findMailings());
  expect(sentEmails.map(({ to }) => to).toSorted()).toEqual([...new Set(donors)]);
  expect(sentEmails.find(({ to }) => to === 'ada@example.org')?.text).toContain('$75');
  expect(await findMailings()).toEqual([]);
});

test('an email about several gifts has the language and the link of the newest', async () => {
  for (let i = 0; i < 9; i += 1) await addLiveGift('ada@example.org');
  const { ledgerEntryId } = await addLiveGift('ada@example.org', { language: 'es' });
  await addHome(25_000);
  const { key } = await db.kysely
    .selectFrom('receipts')
    .select('key')
    .where('ledger_entry_id', '=', ledgerEntryId)
    .executeTakeFirstOrThrow();
  const [email] = await sendMailings(await findMailings());
  expect(email?.text).toContain(`https://fund.example/es/orgs/${testOrgId}/gifts/${key}/homes\n`);
});

test('several processes queue only one home email', async () => {
  await addLiveGift('ada@example.org');
  await addHome(2500);
  const queuedMailings = await Promise.all([findMailings(), findMailings(), findMailings()]);
  expect(queuedMailings.flat()).toHaveLength(1);
});

test('an organization whose emails can’t be queued doesn’t delay the others', async () => {
  const otherOrgId = await addOrg(db);
  for (const orgId of [testOrgId, otherOrgId]) {
    testOrgId = orgId;
    await addLiveGift('ada@example.org');
    await addHome(2500);
  }
  const { log, loggedProblems } = createLogSpy();
  const jobs = createJobRecorder();
  let isFull = true;
  const enqueue: typeof jobs.enqueue = async (tx, job, payload) => {
    if (!isFull) return jobs.enqueue(tx, job, payload);
    isFull = false;
    throw new Error('The queue is full.');
  };
  const announce = () => announceHomes({ ...deps, log, jobs: { enqueue } });
  await announce();
  expect(loggedProblems).toEqual(['home emails could not be queued: The queue is full.']);
  expect(jobs.recordedJobs).toHaveLength(1);
  await announce();
  expect(jobs.recordedJobs).toHaveLength(2);
});

test('a stopping program queues no more emails, and the next run queues the rest', async () => {
  await addLiveGift('ada@example.org');
  await addLiveGift('ben@example.org');
  await addHome(5000);
  const stop = new AbortController();
  const recorder = createJobRecorder();
  const jobs: Pick<typeof recorder, 'enqueue'> = {
    enqueue: async (tx, job, payload) => {
      await recorder.enqueue(tx, job, payload);
      stop.abort();
    },
  };
  await announceHomes({ ...deps, log: createLogSpy().log, jobs }, stop.signal);
  expect(recorder.recordedJobs).toHaveLength(1);
  expect(await findMailings()).toHaveLength(1);
});

test('a grant reversed before the email was sent isn’t mentioned, and paying it again sends no second email', async () => {
  await addLiveGift('ada@example.org');
  const grantId = await addHome(2500);
  const mailings = await findMailings();
  const { paid_entry_id: entry } = await db.kysely
    .selectFrom('grants')
    .select('paid_entry_id')
    .where('id', '=', grantId)
    .executeTakeFirstOrThrow();
  const reversalEntry = {
    orgId: testOrgId,
    kind: 'grant',
    fact: `grant-reversal:${entry}`,
    reversedEntryId: entry ?? '',
    amount: 0,
    carbon: 0,
  } as const;
  const reversal = {
    currency: 'usd',
    occurredAt: new Date(),
    lines: reverseLines({ bank: -2500, grants: 2500 }),
    grantId,
  };
  await inTransaction(db, (tx) => postEntry(tx, { ...reversalEntry, ...reversal }));
  expect(await sendMailings(mailings)).toEqual([]);
  expect(await readStatuses()).toEqual(['skipped']);
  const secondPayment = {
    orgId: testOrgId,
    kind: 'grant',
    fact: `test:again-${grantId}`,
    amount: 0,
    carbon: 0,
  } as const;
  const payment = { currency: 'usd', occurredAt: new Date(), lines: { bank: -2500, grants: 2500 }, grantId };
  await inTransaction(db, (tx) => postEntry(tx, { ...secondPayment, ...payment }));
  expect(await findMailings()).toEqual([]);
});

test('test payments, erased donors, and addresses that reject email get no home email', async () => {
  await addGift(db, testOrgId, { email: 'test@example.org' });
  await addLiveGift('forgotten@example.org', { payer_erased_at: new Date() });
  const rejectedGift = await addLiveGift('rejected@example.org');
  const erasedGift = await addLiveGift('erased@example.org');
  const updateReceipt = (entryId: string, values: { delivery: 'rejected' } | { email: null }) =>
    db.kysely.updateTable('receipts').set(values).where('ledger_entry_id', '=', entryId).execute();
  await updateReceipt(rejectedGift.ledgerEntryId, { delivery: 'rejected' });
  await addHome(10_000);
  const mailings = await findMailings();
  await updateReceipt(erasedGift.ledgerEntryId, { email: null });
  expect(mailings).toHaveLength(2);
  expect(await sendMailings(mailings)).toEqual([]);
  expect(await readStatuses()).toEqual(['skipped', 'skipped']);
});

test('a gift whose address rejected email gets its home email once the address is corrected', async () => {
  const { ledgerEntryId } = await addLiveGift('ada@example.org');
  const setDelivery = (delivery: 'rejected' | 'sent') =>
    db.kysely.updateTable('receipts').set({ delivery }).where('ledger_entry_id', '=', ledgerEntryId).execute();
  await setDelivery('rejected');
  await addHome(2500);
  expect(await findMailings()).toEqual([]);
  expect(await readStatuses()).toEqual([]);
  await setDelivery('sent');
  expect(await sendMailings(await findMailings())).toMatchObject([{ to: 'ada@example.org' }]);
});

test('the development mailbox gets home emails for test payments', async () => {
  await addGift(db, testOrgId, { email: 'test@example.org' });
  await addHome(10_000);
  const mailbox = { list: async () => [], read: async () => undefined };
  expect(await sendMailings(await findMailings(), { mailbox })).toMatchObject([{ to: 'test@example.org' }]);
});

test('a household hidden before the email is sent isn’t named', async () => {
  await addLiveGift('ada@example.org');
  await addHome(2500);
  const mailings = await findMailings();
  await db.kysely.updateTable('awardees').set({ status: 'hidden' }).where('org_id', '=', testOrgId).execute();
  const [email] = await sendMailings(mailings);
  expect(email?.text).toContain('went to a home in Ithaca.');
  expect(`${email?.subject}${email?.text}${email?.html}`).not.toMatch(/Okafor|attic/);
});

test('a permanently rejected home email is recorded and not retried', async () => {
  await addLiveGift('ada@example.org');
  await addHome(2500);
  const [mailing] = await findMailings();
  const reject = async () => {
    throw new EmailRejectedError('550');
  };
  const rejectingDeps = { ...deps, mailer: { send: reject } };
  if (mailing) await expect(sendGrantEmail.run(rejectingDeps, mailing)).rejects.toThrow(EmailRejectedError);
  expect(await readStatuses()).toEqual(['rejected']);
});
