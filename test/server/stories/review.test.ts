// @spec 2.editor 8.strings decisions.5
import { expect, test } from 'vitest';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import { sendStoryEmail } from '#server/features/stories/send-story-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { jobs });
const app = await buildTestApp(deps);

async function createFund(overrides: Parameters<typeof addOrg>[1] = {}) {
  const orgId = await addOrg(db, overrides);
  return { orgid: orgId, edith: await signIn(deps, { editorOf: [orgId] }) };
}

const listStories = async (as: SignedInPerson, orgId: string, query: Record<string, string> = {}) =>
  (await call(app, 'readOffsettersToReview', { params: { orgid: orgId }, as, query })).json<ReviewedOffsetter[]>();
const listIds = async (...query: Parameters<typeof listStories>) => (await listStories(...query)).map(({ id }) => id);
const setStatus = (as: SignedInPerson, orgId: string, offsetterId: string, status: string) =>
  call(app, 'setOffsetterStatus', { params: { orgid: orgId, offsetterid: offsetterId }, as, body: { status } });
const isShown = async (orgId: string, offsetterId: string) =>
  (await call(app, 'readOffsetter', { params: { orgid: orgId, offsetterid: offsetterId } })).statusCode === 200;
const emailJobs = (id: string) => jobs.findPayloads(sendStoryEmail).filter(({ offsetterId }) => offsetterId === id);

/** Runs the jobs that email an author about publication. @returns the emails they sent */
async function sendEmails(id: string): Promise<Email[]> {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  for (const job of emailJobs(id)) await sendStoryEmail.run({ ...deps, mailer }, job);
  return sentEmails;
}

const timeAt = (minutes: number) => new Date(Date.UTC(2026, 2, 14, 9, minutes));

test('pending and decided stories are two lists, newest first, without hidden donors', async () => {
  const { orgid: orgId, edith } = await createFund();
  const publishedOffsetter = await addOffsetter(db, orgId, { name: 'Paul Public', created_at: timeAt(1) });
  const hiddenOffsetter = await addOffsetter(db, orgId, {
    name: 'Hilda Hidden',
    status: 'hidden',
    created_at: timeAt(2),
  });
  const draftOffsetter = await addOffsetter(db, orgId, {
    name: 'Wanda Waiting',
    status: 'draft',
    created_at: timeAt(3),
  });
  await addOffsetter(db, orgId, { status: 'draft', shown_as: 'none' });
  await addOffsetter(db, orgId, { shown_as: 'none' });
  expect(await listIds(edith, orgId)).toEqual([hiddenOffsetter, publishedOffsetter]);
  expect(await listIds(edith, orgId, { state: 'waiting' })).toEqual([draftOffsetter]);
  expect(await listIds(edith, orgId, { state: 'published' })).toEqual([publishedOffsetter]);
  expect(await listIds(edith, orgId, { state: 'hidden' })).toEqual([hiddenOffsetter]);
  expect(await listIds(edith, orgId, { query: 'PUBLIC' })).toEqual([publishedOffsetter]);
  expect(await listIds(edith, orgId, { query: '_' })).toEqual([]);
});

test('editors see the full name and email, and the public doesn’t', async () => {
  const { orgid: orgId, edith } = await createFund();
  const id = await addOffsetter(db, orgId, { name: 'Dora Donor', shown_as: 'first', email: 'dora@example.org' });
  expect((await listStories(edith, orgId))[0]).toMatchObject({
    name: 'Dora Donor',
    email: 'dora@example.org',
    shownAs: 'first',
    refunded: false,
  });
  const { body } = await call(app, 'readOffsetter', { params: { orgid: orgId, offsetterid: id } });
  expect(body).not.toContain('Donor');
  expect(body).not.toContain('dora@');
});

test('the queue reports whether review is on and the number of waiting stories', async () => {
  const { orgid: orgId, edith } = await createFund({ review_stories: true });
  const readReview = async (as: SignedInPerson, id: string) =>
    (await call(app, 'readReview', { params: { orgid: id }, as })).json();
  expect(await readReview(edith, orgId)).toEqual({ on: true, waiting: 0 });
  await addOffsetter(db, orgId, { status: 'draft' });
  await addOffsetter(db, orgId, { status: 'draft', shown_as: 'none' });
  await addOffsetter(db, orgId);
  expect(await readReview(edith, orgId)).toEqual({ on: true, waiting: 1 });
  const otherFund = await createFund();
  expect(await readReview(otherFund.edith, otherFund.orgid)).toEqual({ on: false, waiting: 0 });
});

test('a story is published, hidden, and returned to review', async () => {
  const { orgid: orgId, edith } = await createFund();
  const id = await addOffsetter(db, orgId, { status: 'draft' });
  for (const [status, isVisible] of [
    ['published', true],
    ['hidden', false],
    ['published', true],
    ['draft', false],
  ] as const) {
    const response = await setStatus(edith, orgId, id, status);
    expect(response.json()).toMatchObject({ id, status });
    expect(await isShown(orgId, id)).toBe(isVisible);
  }
  expect(readOutcome(await setStatus(edith, orgId, id, 'gone'))).toEqual([400, 'invalid-input']);
});

test('a newly published author gets an email with the link; hiding and showing again send none', async () => {
  const { orgid: orgId, edith } = await createFund({ name: 'Fund of the Hill' });
  const waitingStory = { status: 'draft', name: 'Dora Donor', shown_as: 'first', email: 'dora@example.org' } as const;
  const id = await addOffsetter(db, orgId, waitingStory);
  await setStatus(edith, orgId, id, 'published');
  const [email, ...otherEmails] = await sendEmails(id);
  expect(otherEmails).toEqual([]);
  expect(email).toMatchObject({ to: 'dora@example.org', subject: 'Your story is live at Fund of the Hill' });
  const link = `https://fund.example/orgs/${orgId}/offsetters/${id}/`;
  for (const part of [email?.text, email?.html]) expect(part).toContain(link);
  expect(email?.text).toContain('Dear Dora,');
  await setStatus(edith, orgId, id, 'hidden');
  await setStatus(edith, orgId, id, 'published');
  expect(emailJobs(id)).toHaveLength(1);
});

test('the email is in the author’s account language, or else the checkout’s', async () => {
  const { orgid: orgId, edith } = await createFund();
  const [spanishUser, englishUser] = [await signIn(deps), await signIn(deps)];
  await db.kysely.updateTable('users').set({ language: 'es' }).where('id', '=', spanishUser.userId).execute();
  const readSubjects = async (user_id: string | null, language: string | null) => {
    const checkout_id = await addCheckout(db, orgId, { language });
    const id = await addOffsetter(db, orgId, { status: 'draft', user_id, checkout_id });
    await setStatus(edith, orgId, id, 'published');
    return (await sendEmails(id)).map(({ subject, text }) => [subject.slice(0, 11), text.includes('/es/orgs/')]);
  };
  expect(await readSubjects(null, 'es')).toEqual([['Su historia', true]]);
  expect(await readSubjects(spanishUser.userId, null)).toEqual([['Su historia', true]]);
  expect(await readSubjects(englishUser.userId, 'es')).toEqual([['Your story ', false]]);
  expect(await readSubjects(null, null)).toEqual([['Your story ', false]]);
});

test('a publication undone before its email is sent sends none; the next one sends one', async () => {
  const { orgid: orgId, edith } = await createFund();
  const id = await addOffsetter(db, orgId, { status: 'draft' });
  await setStatus(edith, orgId, id, 'published');
  await setStatus(edith, orgId, id, 'draft');
  expect(await sendEmails(id)).toEqual([]);
  await setStatus(edith, orgId, id, 'published');
  expect(emailJobs(id)).toHaveLength(2);
  expect(await sendEmails(id)).toHaveLength(1);
  await db.kysely.deleteFrom('offsetters').where('id', '=', id).execute();
  expect(await sendEmails(id)).toEqual([]);
});

test('the story of a fully refunded gift stays hidden', async () => {
  const { orgid: orgId, edith } = await createFund();
  const checkout = await addCheckout(db, orgId, { payment_status: 'refunded' });
  const id = await addOffsetter(db, orgId, { status: 'hidden', checkout_id: checkout });
  expect((await listStories(edith, orgId))[0]).toMatchObject({ id, refunded: true });
  for (const status of ['published', 'draft']) {
    expect(readOutcome(await setStatus(edith, orgId, id, status))).toEqual([422, 'story-refunded']);
  }
  expect(await isShown(orgId, id)).toBe(false);
});

test('a hidden donor isn’t published', async () => {
  const { orgid: orgId, edith } = await createFund();
  const id = await addOffsetter(db, orgId, { status: 'draft', shown_as: 'none' });
  expect(readOutcome(await setStatus(edith, orgId, id, 'published'))).toEqual([422, 'story-not-to-be-shown']);
});

test('another organization’s offsetter is not found and unchanged', async () => {
  const { orgid: orgId, edith } = await createFund();
  const otherOrgId = (await createFund()).orgid;
  const id = await addOffsetter(db, otherOrgId);
  expect(readOutcome(await setStatus(edith, orgId, id, 'hidden'))).toEqual([404, 'offsetter-not-found']);
  expect(await isShown(otherOrgId, id)).toBe(true);
});

test('an editor who isn’t an admin can’t delete an offsetter and gets an error saying only admins can', async () => {
  const { orgid: orgId, edith } = await createFund();
  const id = await addOffsetter(db, orgId);
  const response = await call(app, 'deleteOffsetter', { params: { orgid: orgId, offsetterid: id }, as: edith });
  expect(response.json()).toMatchObject({ status: 403, code: 'only-admins', detail: 'Only admins can do that.' });
  expect(await isShown(orgId, id)).toBe(true);
});
