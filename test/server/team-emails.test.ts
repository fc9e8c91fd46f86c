// @spec decisions.4
import { beforeEach, expect, test } from 'vitest';
import type { Role } from '#domain/permissions.ts';
import { DEFAULT_EMAIL_CHOICES, type EmailChoices } from '#domain/team-emails.ts';
import { queueTeamEmails } from '#server/features/team-emails/queue-team-emails.ts';
import { sendTeamEmail } from '#server/features/team-emails/send-team-email.job.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addAttentionItem } from '#test/support/builders/attention.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { linksOf } from '#test/support/mail-text.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const DAY = 24 * 60 * 60_000;
const db = await testDatabase();
const deps = await testDeps(db, { now: () => new Date() });
const app = await buildTestApp(deps);

let orgid: string;
let team: Record<Role, SignedInPerson>;

beforeEach(async () => {
  orgid = await addOrg(db, { name: 'Ithaca Fund' });
  const member = (role: Role) => signIn(deps, { editorOf: [orgid], role });
  team = {
    editor: await member('editor'),
    texts: await member('texts'),
    stories: await member('stories'),
    money: await member('money'),
    reader: await member('reader'),
  };
});

type TeamEmail = ReturnType<typeof sendTeamEmail.payload.parse>;

/** Runs the search for new subjects. @returns this organization's queued emails */
async function queue({ now = deps.now } = {}): Promise<TeamEmail[]> {
  const jobs = jobRecorder();
  await queueTeamEmails({ db, now, jobs });
  return jobs.dataOf(sendTeamEmail).filter(({ orgId }) => orgId === orgid);
}

async function send(emails: readonly TeamEmail[]): Promise<Mail[]> {
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  for (const email of emails) await sendTeamEmail.run({ ...deps, mailer }, email);
  return sent;
}

/** The kinds of emails for each role. */
function kindsByRole(emails: readonly TeamEmail[]): Partial<Record<string, string[]>> {
  const roleOf = ({ userId }: TeamEmail) => Object.entries(team).find(([, person]) => person.userId === userId)?.[0];
  const byRole = Map.groupBy(emails, (email) => roleOf(email) ?? 'stranger');
  return Object.fromEntries([...byRole].map(([role, list]) => [role, list.map(({ kind }) => kind).toSorted()]));
}

const choose = (person: SignedInPerson, choices: Partial<EmailChoices>) =>
  call(app, 'saveEmailChoices', { params: { orgid }, body: { ...DEFAULT_EMAIL_CHOICES, ...choices }, as: person });

const addDraft = () => addOffsetter(db, orgid, { status: 'draft', name: 'Ada Lovelace' });

async function addBouncedReceipt(): Promise<void> {
  const { ledgerEntryId } = await addGift(db, orgid);
  const bounce = { delivery: 'rejected', delivery_at: deps.now() } as const;
  await db.kysely.updateTable('receipts').set(bounce).where('ledger_entry_id', '=', ledgerEntryId).execute();
}

async function addFailedRenewal(): Promise<void> {
  const { giftkey } = await addRecurringGift(db, orgid, { display_name: 'Felix Fails' });
  const change = { status: 'past_due' } as const;
  const { id } = await db.kysely
    .updateTable('subscriptions')
    .set(change)
    .where('page_key', '=', giftkey)
    .returning('id')
    .executeTakeFirstOrThrow();
  const attempt = { invoice_id: `in_${id}`, subscription_id: id, amount_cents: 1000, failed_at: deps.now() };
  const retryAt = new Date('2026-12-06T18:00:00Z');
  const attempts = [
    { ...attempt, attempt: 1, retry_at: new Date('2026-12-02T18:00:00Z') },
    { ...attempt, attempt: 2, retry_at: retryAt },
  ];
  await db.kysely.insertInto('failed_renewals').values(attempts).execute();
}

async function endGift({ unpaid = true } = {}): Promise<void> {
  const { giftkey } = await addRecurringGift(db, orgid, { display_name: 'Felix Fails' });
  const end = { status: 'canceled', canceled_at: deps.now(), ended_unpaid: unpaid } as const;
  await db.kysely.updateTable('subscriptions').set(end).where('page_key', '=', giftkey).execute();
}

test('each role is emailed about problems and stories that it can act on, and nobody about gifts', async () => {
  await addDraft();
  await addAttentionItem(db, orgid);
  await addBouncedReceipt();
  await addFailedRenewal();
  await endGift();
  const problems = ['attention', 'ended', 'receipt', 'renewal'];
  expect(kindsByRole(await queue())).toEqual({ editor: [...problems, 'story'], money: problems, stories: ['story'] });
});

test('concurrent processes send each email once', async () => {
  await addDraft();
  const emails = (await Promise.all([queue(), queue(), queue()])).flat();
  expect(kindsByRole(emails)).toEqual({ editor: ['story'], stories: ['story'] });
  expect(await send([...emails, ...emails])).toHaveLength(2);
  expect(await queue()).toEqual([]);
});

test('people choose an email for each gift, one a day, or none', async () => {
  expect(outcomeOf(await choose(team.reader, { gifts: 'each' }))).toEqual([200]);
  await choose(team.money, { gifts: 'daily', problems: 'never' });
  await choose(team.stories, { stories: 'daily', gifts: 'each' });
  await choose(team.editor, { stories: 'never' });
  const read = await call(app, 'readEmailChoices', { params: { orgid }, as: team.money });
  expect(read.json()).toEqual({ gifts: 'daily', stories: 'each', problems: 'never', statements: 'each' });
  await addGift(db, orgid);
  await addGift(db, orgid);
  await addDraft();
  await addAttentionItem(db, orgid);
  expect(kindsByRole(await queue())).toEqual({ editor: ['attention'], reader: ['gift', 'gift'] });
  const tomorrow = () => new Date(Date.now() + DAY);
  // The gifts and the story are of the day before.
  const daily = (await queue({ now: tomorrow })).filter(({ kind }) => kind === 'daily');
  expect(kindsByRole(daily)).toEqual({ money: ['daily'], stories: ['daily'] });
  const [first, second] = await send(daily.toSorted((a) => (a.userId === team.money.userId ? -1 : 1)));
  expect(first?.text).toMatch(/Gifts: 2\nTotal given: \$50\.00/);
  expect(first?.text).not.toContain('Stories');
  expect(second?.text).toContain('Stories to review: 1');
  expect(second?.text).not.toContain('Gifts');
});

test('an email is skipped if the person lost the role or the problem is settled', async () => {
  const itemId = await addAttentionItem(db, orgid);
  await addDraft();
  const emails = await queue();
  await db.kysely.deleteFrom('org_editors').where('user_id', '=', team.stories.userId).execute();
  const settled = { settled_at: deps.now(), note: 'Refunded' };
  await db.kysely.updateTable('attention_items').set(settled).where('id', '=', itemId).execute();
  expect((await send(emails)).map(({ to }) => to)).toEqual([team.editor.email]);
});

test('people are not emailed about anything before they got their role', async () => {
  await addDraft();
  await db.kysely
    .updateTable('org_editors')
    .set({ created_at: new Date(Date.now() + 60_000) })
    .where('org_id', '=', orgid)
    .execute();
  expect(await queue()).toEqual([]);
});

test('the emails name the donor and link to the exact place', async () => {
  await choose(team.money, { gifts: 'each' });
  await db.kysely.updateTable('users').set({ language: 'es' }).where('id', '=', team.editor.userId).execute();
  const gift = await addGift(db, orgid);
  await addDraft();
  await addFailedRenewal();
  await endGift();
  await endGift({ unpaid: false });
  await addAttentionItem(db, orgid);
  const mails = await send(await queue());
  const subjectsOf = ({ email }: SignedInPerson) =>
    mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(subjectsOf(team.money).toSorted()).toEqual([
    '$25.00 for Ithaca Fund needs your attention',
    'Paula Payer gave $25.00 to Ithaca Fund',
    'The recurring gift from Felix Fails ended',
    'The recurring gift from Felix Fails ended',
    'We couldn’t charge $10.00 for the recurring gift from Felix Fails',
  ]);
  expect(subjectsOf(team.editor).toSorted()).toEqual([
    '$25.00 para Ithaca Fund: requiere su atención',
    'Ada Lovelace envió una historia a Ithaca Fund',
    'No pudimos cobrar $10.00 de la donación periódica de Felix Fails',
    'Terminó la donación periódica de Felix Fails',
    'Terminó la donación periódica de Felix Fails',
  ]);
  const mailAbout = (subject: string) => mails.find((mail) => mail.subject.startsWith(subject));
  const linksAbout = (subject: string) =>
    linksOf(mailAbout(subject)?.html ?? '')
      .map(decodeURIComponent)
      .join('\n');
  expect(linksAbout('Paula Payer gave')).toContain(`/orgs/${orgid}/editor/checkouts?gift=${gift.checkoutId}`);
  expect(linksAbout('Ada Lovelace envió')).toContain(`/es/login?return_to=/orgs/${orgid}/editor/offsetters`);
  expect(mailAbout('We couldn’t charge')?.text).toContain('Next attempt: December 6, 2026');
  for (const { html } of mails)
    expect(linksOf(html).join()).toContain(encodeURIComponent(`/orgs/${orgid}/editor/editors`));
});

test('a closed month is emailed to people who may read the books, once', async () => {
  await db.kysely.insertInto('payment_mode').values({ livemode: false }).execute();
  await addGift(db, orgid);
  await db.kysely
    .updateTable('org_editors')
    .set({ created_at: new Date('2026-01-01') })
    .where('org_id', '=', orgid)
    .execute();
  const closedAt = new Date('2026-04-03T08:00:00Z');
  await db.kysely.insertInto('operation_events').values({ name: 'provider-agreed-test', at: closedAt }).execute();
  const emails = await queue({ now: () => closedAt });
  const statements = emails.filter(({ kind }) => kind === 'statement');
  expect(kindsByRole(statements)).toEqual({ editor: ['statement'], money: ['statement'], reader: ['statement'] });
  const [mail] = await send(statements);
  expect(mail?.subject).toBe('Ithaca Fund: your statement for March 2026');
  expect(mail?.text).toContain('Gifts: $25.00');
  expect(decodeURIComponent(linksOf(mail?.html ?? '').join())).toContain(
    `/orgs/${orgid}/editor/statement?month=2026-03`,
  );
  expect((await queue({ now: () => closedAt })).filter(({ kind }) => kind === 'statement')).toEqual([]);
});
