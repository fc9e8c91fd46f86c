// @spec decisions.4
import { beforeEach, expect, test } from 'vitest';
import type { Role } from '#domain/permissions.ts';
import { MOVEMENT_TITLES } from '#domain/statement.ts';
import { DEFAULT_EMAIL_CHOICES, type EmailChoices } from '#domain/team-emails.ts';
import { queueTeamEmails } from '#server/features/team-emails/queue-team-emails.ts';
import { sendTeamEmail } from '#server/features/team-emails/send-team-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addAttentionItem } from '#test/support/builders/attention.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { extractLinks } from '#test/support/email-text.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const DAY = 24 * 60 * 60_000;
const db = await createTestDatabase();
const deps = await createTestDeps(db, { now: () => new Date() });
const app = await buildTestApp(deps);

let mainOrgId: string;
let team: Record<Role, SignedInPerson>;

beforeEach(async () => {
  mainOrgId = await addOrg(db, { name: 'Ithaca Fund' });
  const addMember = (role: Role) => signIn(deps, { editorOf: [mainOrgId], role });
  team = {
    editor: await addMember('editor'),
    texts: await addMember('texts'),
    stories: await addMember('stories'),
    money: await addMember('money'),
    reader: await addMember('reader'),
  };
});

type TeamEmail = ReturnType<typeof sendTeamEmail.payload.parse>;

/** Looks for events to email the team about. @returns this organization's queued emails */
async function queueEmails({ now = deps.now } = {}): Promise<TeamEmail[]> {
  const jobs = createJobRecorder();
  await queueTeamEmails({ db, now, jobs });
  return jobs.findPayloads(sendTeamEmail).filter(({ orgId }) => orgId === mainOrgId);
}

async function sendEmails(emails: readonly TeamEmail[]): Promise<Email[]> {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  for (const email of emails) await sendTeamEmail.run({ ...deps, mailer }, email);
  return sentEmails;
}

/** The kinds of emails for each role. */
function groupKindsByRole(emails: readonly TeamEmail[]): Partial<Record<string, string[]>> {
  const findRole = ({ userId }: TeamEmail) => Object.entries(team).find(([, person]) => person.userId === userId)?.[0];
  const byRole = Map.groupBy(emails, (email) => findRole(email) ?? 'stranger');
  return Object.fromEntries([...byRole].map(([role, list]) => [role, list.map(({ kind }) => kind).toSorted()]));
}

const saveChoices = (person: SignedInPerson, choices: Partial<EmailChoices>) =>
  call(app, 'saveEmailChoices', {
    params: { orgid: mainOrgId },
    body: { ...DEFAULT_EMAIL_CHOICES, ...choices },
    as: person,
  });

const addDraft = () => addOffsetter(db, mainOrgId, { status: 'draft', name: 'Ada Lovelace' });

async function addBouncedReceipt(): Promise<void> {
  const { ledgerEntryId } = await addGift(db, mainOrgId);
  const bounce = { delivery: 'rejected', delivery_at: deps.now() } as const;
  await db.kysely.updateTable('receipts').set(bounce).where('ledger_entry_id', '=', ledgerEntryId).execute();
}

async function addFailedRenewal(): Promise<void> {
  const { giftkey: giftKey } = await addRecurringGift(db, mainOrgId, { display_name: 'Felix Fails' });
  const state = { status: 'past_due' } as const;
  const { id } = await db.kysely
    .updateTable('subscriptions')
    .set(state)
    .where('page_key', '=', giftKey)
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
  const { giftkey: giftKey } = await addRecurringGift(db, mainOrgId, { display_name: 'Felix Fails' });
  const endedState = { status: 'canceled', canceled_at: deps.now(), ended_unpaid: unpaid } as const;
  await db.kysely.updateTable('subscriptions').set(endedState).where('page_key', '=', giftKey).execute();
}

test('each role is emailed about the problems and stories it can act on, and no role is emailed about gifts', async () => {
  await addDraft();
  await addAttentionItem(db, mainOrgId);
  await addBouncedReceipt();
  await addFailedRenewal();
  await endGift();
  const problems = ['attention', 'ended', 'receipt', 'renewal'];
  expect(groupKindsByRole(await queueEmails())).toEqual({
    editor: [...problems, 'story'],
    money: problems,
    stories: ['story'],
  });
});

test('concurrent processes send each email once', async () => {
  await addDraft();
  const emails = (await Promise.all([queueEmails(), queueEmails(), queueEmails()])).flat();
  expect(groupKindsByRole(emails)).toEqual({ editor: ['story'], stories: ['story'] });
  expect(await sendEmails([...emails, ...emails])).toHaveLength(2);
  expect(await queueEmails()).toEqual([]);
});

test('people choose an email for each gift, one a day, or none', async () => {
  expect(readOutcome(await saveChoices(team.reader, { gifts: 'each' }))).toEqual([200]);
  await saveChoices(team.money, { gifts: 'daily', problems: 'never' });
  await saveChoices(team.stories, { stories: 'daily', gifts: 'each' });
  await saveChoices(team.editor, { stories: 'never' });
  const response = await call(app, 'readEmailChoices', { params: { orgid: mainOrgId }, as: team.money });
  expect(response.json()).toEqual({ gifts: 'daily', stories: 'each', problems: 'never', statements: 'each' });
  await addGift(db, mainOrgId);
  await addGift(db, mainOrgId);
  await addDraft();
  await addAttentionItem(db, mainOrgId);
  expect(groupKindsByRole(await queueEmails())).toEqual({ editor: ['attention'], reader: ['gift', 'gift'] });
  const tomorrow = () => new Date(Date.now() + DAY);
  // The gifts and the story are from the day before.
  const dailyEmails = (await queueEmails({ now: tomorrow })).filter(({ kind }) => kind === 'daily');
  expect(groupKindsByRole(dailyEmails)).toEqual({ money: ['daily'], stories: ['daily'] });
  const [first, second] = await sendEmails(dailyEmails.toSorted((a) => (a.userId === team.money.userId ? -1 : 1)));
  expect(first?.text).toMatch(/Gifts: 2\nTotal given: \$50\.00/);
  expect(first?.text).not.toContain('Stories');
  expect(second?.text).toContain('Stories to review: 1');
  expect(second?.text).not.toContain('Gifts');
});

test('an email is skipped if the person lost the role or the problem is resolved', async () => {
  const itemId = await addAttentionItem(db, mainOrgId);
  await addDraft();
  const emails = await queueEmails();
  await db.kysely.deleteFrom('org_editors').where('user_id', '=', team.stories.userId).execute();
  const resolution = { resolved_at: deps.now(), resolution: 'manual', note: 'Refunded' } as const;
  await db.kysely.updateTable('attention_items').set(resolution).where('id', '=', itemId).execute();
  expect((await sendEmails(emails)).map(({ to }) => to)).toEqual([team.editor.email]);
});

test('people are not emailed about events from before they got their role', async () => {
  await addDraft();
  await db.kysely
    .updateTable('org_editors')
    .set({ created_at: new Date(Date.now() + 60_000) })
    .where('org_id', '=', mainOrgId)
    .execute();
  expect(await queueEmails()).toEqual([]);
});

test('a new choice applies only to later events, and the other choices still apply to earlier ones', async () => {
  await addGift(db, mainOrgId);
  await addDraft();
  await saveChoices(team.editor, { gifts: 'each', stories: 'never' });
  await saveChoices(team.money, { gifts: 'daily' });
  await saveChoices(team.stories, { gifts: 'each' });
  await saveChoices(team.editor, { gifts: 'each' });
  expect(groupKindsByRole(await queueEmails())).toEqual({ stories: ['story'] });
  await saveChoices(team.editor, { gifts: 'each', problems: 'never' });
  await addGift(db, mainOrgId);
  await addDraft();
  expect(groupKindsByRole(await queueEmails())).toEqual({ editor: ['gift', 'story'], stories: ['story'] });
});

test('the emails name the donor and link to the relevant page', async () => {
  await saveChoices(team.money, { gifts: 'each' });
  await db.kysely.updateTable('users').set({ language: 'es' }).where('id', '=', team.editor.userId).execute();
  const gift = await addGift(db, mainOrgId);
  await addDraft();
  await addFailedRenewal();
  await endGift();
  await endGift({ unpaid: false });
  await addAttentionItem(db, mainOrgId);
  const emails = await sendEmails(await queueEmails());
  const listSubjects = ({ email }: SignedInPerson) =>
    emails.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(listSubjects(team.money).toSorted()).toEqual([
    '$25.00 for Ithaca Fund needs your attention',
    'Paula Payer gave $25.00 to Ithaca Fund',
    'The recurring gift from Felix Fails ended',
    'The recurring gift from Felix Fails ended',
    'We couldn’t charge $10.00 for the recurring gift from Felix Fails',
  ]);
  expect(listSubjects(team.editor).toSorted()).toEqual([
    '$25.00 para Ithaca Fund: requiere su atención',
    'Ada Lovelace envió una historia a Ithaca Fund',
    'No pudimos cobrar $10.00 de la donación recurrente de Felix Fails',
    'Terminó la donación recurrente de Felix Fails',
    'Terminó la donación recurrente de Felix Fails',
  ]);
  const findEmail = (subject: string) => emails.find((email) => email.subject.startsWith(subject));
  const findLinks = (subject: string) =>
    extractLinks(findEmail(subject)?.html ?? '')
      .map(decodeURIComponent)
      .join('\n');
  expect(findLinks('Paula Payer gave')).toContain(`/orgs/${mainOrgId}/editor/checkouts?gift=${gift.checkoutId}`);
  expect(findLinks('Ada Lovelace envió')).toContain(`/es/login?return_to=/orgs/${mainOrgId}/editor/offsetters`);
  expect(findEmail('We couldn’t charge')?.text).toContain('Next attempt: December 6, 2026');
  for (const { html } of emails)
    expect(extractLinks(html).join()).toContain(encodeURIComponent(`/orgs/${mainOrgId}/editor/editors`));
});

test('closing a month emails the statement to people who may read the books, once per closing', async () => {
  await db.kysely.insertInto('payment_mode').values({ livemode: false }).execute();
  await addGift(db, mainOrgId);
  await db.kysely
    .updateTable('org_editors')
    .set({ created_at: new Date('2026-01-01') })
    .where('org_id', '=', mainOrgId)
    .execute();
  const closedAt = new Date('2026-04-03T08:00:00Z');
  const changeMonth = (action: 'closed' | 'reopened') =>
    db.kysely
      .insertInto('month_changes')
      .values({
        org_id: mainOrgId,
        month: '2026-03',
        action,
        reason: action === 'closed' ? null : 'A check was missing',
        created_at: closedAt,
      })
      .execute();
  const queueStatements = async () =>
    (await queueEmails({ now: () => closedAt })).filter(({ kind }) => kind === 'statement');
  // The books agree with the provider but weren't compared with the bank.
  await db.kysely.insertInto('operation_events').values({ name: 'provider-agreed-test', at: closedAt }).execute();
  expect(await queueStatements()).toEqual([]);
  await changeMonth('closed');
  const statements = await queueStatements();
  expect(groupKindsByRole(statements)).toEqual({ editor: ['statement'], money: ['statement'], reader: ['statement'] });
  const [email] = await sendEmails(statements.slice(0, 1));
  expect(email?.subject).toBe('Ithaca Fund: your statement for March 2026');
  expect(email?.text).toContain('Gifts: $25.00');
  // The same names as on the statement's page.
  expect(email?.text).toContain(`${MOVEMENT_TITLES.refunds}: $0.00`);
  expect(email?.text).toContain('agree with the card processor');
  expect(decodeURIComponent(extractLinks(email?.html ?? '').join())).toContain(
    `/orgs/${mainOrgId}/editor/statement?period=2026-03`,
  );
  expect(await queueStatements()).toEqual([]);
  await changeMonth('reopened');
  expect(await sendEmails(statements)).toEqual([]);
  await changeMonth('closed');
  const newStatements = await queueStatements();
  expect(newStatements).toHaveLength(3);
  expect(await sendEmails(newStatements)).toHaveLength(3);
});
