// @spec decisions.3
import { beforeEach, expect, test } from 'vitest';
import { reverseLines } from '#domain/books.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { announceHomes, sendGrantEmail } from '#server/features/allocation/send-grant-email.job.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { type Mail, MailRejected } from '#server/gateways/mail/mailer.ts';
import { testDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { testDatabase } from '#test/support/database.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';

const HOUR = 60 * 60 * 1000;
const db = await testDatabase();
const later = (hours: number) => () => new Date(Date.now() + hours * HOUR);
const deps = await testDeps(db, { now: later(2) });

let orgid: string;

beforeEach(async () => {
  orgid = await addOrg(db, { place: 'Ithaca' });
});

/** A $25 gift of real money. */
async function give(email: string, overrides: Parameters<typeof addGift>[2] = {}) {
  const gift = await addGift(db, orgid, { email, ...overrides });
  await db.kysely.updateTable('payments').set({ livemode: true }).where('entry_id', '=', gift.ledgerEntryId).execute();
  return gift;
}

async function addHome(cents: number, name = 'The Okafor family') {
  const awardeeId = await addStory(db, 'awardees', orgid, { name });
  const id = await addGrant(db, orgid, { awardeeId, stage: 'paid', cents, on: '2026-03-20' });
  const change = { published_fields: ['measures' as const, 'dates' as const], done_on: '2026-04-01' };
  await db.kysely.updateTable('grants').set(change).where('id', '=', id).execute();
  return id;
}

/** Runs the search for homes. @returns this organization's queued emails */
async function announce({ now = deps.now } = {}) {
  const jobs = jobRecorder();
  await announceHomes({ db, now, jobs });
  return jobs.dataOf(sendGrantEmail).filter(({ orgId }) => orgId === orgid);
}

async function send(mailings: Awaited<ReturnType<typeof announce>>, others: Partial<typeof deps> = {}) {
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  for (const data of mailings) await sendGrantEmail.run({ ...deps, ...others, mailer }, data);
  return sent;
}

const statuses = async () => {
  const rows = await db.kysely.selectFrom('grant_emails').select('status').where('org_id', '=', orgid).execute();
  return rows.map(({ status }) => status).toSorted();
};

test('each donor gets one email when gifts find a home, an hour after the payment was recorded', async () => {
  await give('ada@example.org');
  await give('ada@example.org');
  await give('ben@example.org');
  await addHome(6000);
  expect(await announce({ now: later(0.9) })).toEqual([]);
  const mailings = await announce();
  expect(mailings).toHaveLength(2);
  const sentMails = await send(mailings);
  expect(sentMails.map(({ to }) => to).toSorted()).toEqual(['ada@example.org', 'ben@example.org']);
  const adas = sentMails.find(({ to }) => to === 'ada@example.org');
  expect(adas?.subject).toContain('found a home');
  expect(adas?.text).toMatch(/helped insulate the Okafor family’s attic/);
  expect(adas?.text).toMatch(/https:\/\/fund\.example\/orgs\/[\w-]+\/gifts\/[\w-]+\/homes\n/);
  // Gifts of the same moment are sorted by id.
  expect(sentMails.map(({ text }) => text).join()).toMatch(
    /Of your \$(?:25\.00, \$10|50\.00, \$35)\.00 helped insulate/,
  );
  expect(await send(mailings)).toEqual([]);
  expect(await announce()).toEqual([]);
  expect(await statuses()).toEqual(['sent', 'sent', 'sent']);
});

test('several processes queue one home email', async () => {
  await give('ada@example.org');
  await addHome(2500);
  const queuedCounts = await Promise.all([announce(), announce(), announce()]);
  expect(queuedCounts.flat()).toHaveLength(1);
});

test('a home left before the email was sent isn’t mentioned, and finding it again sends no second email', async () => {
  await give('ada@example.org');
  const grantId = await addHome(2500);
  const mailings = await announce();
  const { paid_entry_id: entry } = await db.kysely
    .selectFrom('grants')
    .select('paid_entry_id')
    .where('id', '=', grantId)
    .executeTakeFirstOrThrow();
  const back = { orgId: orgid, kind: 'grant', fact: `grant-reversal:${entry}`, amount: 0, carbon: 0 } as const;
  const reversal = {
    currency: 'usd',
    occurredAt: new Date(),
    lines: reverseLines({ bank: -2500, grants: 2500 }),
    grantId,
  };
  await inTransaction(db, (tx) => postEntry(tx, { ...back, ...reversal }));
  expect(await send(mailings)).toEqual([]);
  expect(await statuses()).toEqual(['skipped']);
  const secondPayment = { orgId: orgid, kind: 'grant', fact: `test:again-${grantId}`, amount: 0, carbon: 0 } as const;
  const payment = { currency: 'usd', occurredAt: new Date(), lines: { bank: -2500, grants: 2500 }, grantId };
  await inTransaction(db, (tx) => postEntry(tx, { ...secondPayment, ...payment }));
  expect(await announce()).toEqual([]);
});

test('test payments, erased donors, and rejecting addresses get no home email', async () => {
  await addGift(db, orgid, { email: 'test@example.org' });
  await give('forgotten@example.org', { payer_erased_at: new Date() });
  const rejectedGift = await give('rejected@example.org');
  const erasedGift = await give('erased@example.org');
  const change = (entryId: string, values: { delivery: 'rejected' } | { email: null }) =>
    db.kysely.updateTable('receipts').set(values).where('ledger_entry_id', '=', entryId).execute();
  await change(rejectedGift.ledgerEntryId, { delivery: 'rejected' });
  await addHome(10_000);
  const mailings = await announce();
  await change(erasedGift.ledgerEntryId, { email: null });
  expect(mailings).toHaveLength(2);
  expect(await send(mailings)).toEqual([]);
  expect(await statuses()).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
});

test('the development mailbox gets home emails for test payments', async () => {
  await addGift(db, orgid, { email: 'test@example.org' });
  await addHome(10_000);
  const mailbox = { list: async () => [], read: async () => undefined };
  expect(await send(await announce(), { mailbox })).toMatchObject([{ to: 'test@example.org' }]);
});

test('a household hidden before the email is sent isn’t named', async () => {
  await give('ada@example.org');
  await addHome(2500);
  const mailings = await announce();
  await db.kysely.updateTable('awardees').set({ status: 'hidden' }).where('org_id', '=', orgid).execute();
  const [mail] = await send(mailings);
  expect(mail?.text).toContain('went to a home in Ithaca.');
  expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toMatch(/Okafor|attic/);
});

test('a permanently rejected home email isn’t retried, and is noted', async () => {
  await give('ada@example.org');
  await addHome(2500);
  const [mailing] = await announce();
  const reject = async () => {
    throw new MailRejected('550');
  };
  const rejectingDeps = { ...deps, mailer: { send: reject, close: async () => {} } };
  if (mailing) await expect(sendGrantEmail.run(rejectingDeps, mailing)).rejects.toThrow(MailRejected);
  expect(await statuses()).toEqual(['rejected']);
});
