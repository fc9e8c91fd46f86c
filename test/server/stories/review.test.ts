// @spec 2.editor 8.strings decisions.5
import { expect, test } from 'vitest';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import { sendStoryEmail } from '#server/features/stories/send-story-email.job.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const jobs = jobRecorder();
const deps = await testDeps(db, { jobs });
const app = await buildTestApp(deps);

async function fund(overrides: Parameters<typeof addOrg>[1] = {}) {
  const orgid = await addOrg(db, overrides);
  return { orgid, edith: await signIn(deps, { editorOf: [orgid] }) };
}

const listStories = async (as: SignedInPerson, orgid: string, query: Record<string, string> = {}) =>
  (await call(app, 'readOffsettersToReview', { params: { orgid }, as, query })).json<ReviewedOffsetter[]>();
const idsOf = async (...query: Parameters<typeof listStories>) => (await listStories(...query)).map(({ id }) => id);
const setStatus = (as: SignedInPerson, orgid: string, offsetterid: string, status: string) =>
  call(app, 'setOffsetterStatus', { params: { orgid, offsetterid }, as, body: { status } });
const isShown = async (orgid: string, offsetterid: string) =>
  (await call(app, 'readOffsetter', { params: { orgid, offsetterid } })).statusCode === 200;
const mailsAsked = (id: string) => jobs.dataOf(sendStoryEmail).filter(({ offsetterId }) => offsetterId === id);

/** Runs the jobs that send emails about a publication. @returns the emails they sent */
async function sentMails(id: string): Promise<Mail[]> {
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  for (const job of mailsAsked(id)) await sendStoryEmail.run({ ...deps, mailer }, job);
  return sent;
}

const timeAt = (minutes: number) => new Date(Date.UTC(2026, 2, 14, 9, minutes));

test('pending and decided stories are two lists, newest first, without hidden donors', async () => {
  const { orgid, edith } = await fund();
  const published = await addOffsetter(db, orgid, { name: 'Paul Public', created_at: timeAt(1) });
  const hiddenOffsetter = await addOffsetter(db, orgid, {
    name: 'Hilda Hidden',
    status: 'hidden',
    created_at: timeAt(2),
  });
  const draft = await addOffsetter(db, orgid, { name: 'Wanda Waiting', status: 'draft', created_at: timeAt(3) });
  await addOffsetter(db, orgid, { status: 'draft', shown_as: 'none' });
  await addOffsetter(db, orgid, { shown_as: 'none' });
  expect(await idsOf(edith, orgid)).toEqual([hiddenOffsetter, published]);
  expect(await idsOf(edith, orgid, { state: 'waiting' })).toEqual([draft]);
  expect(await idsOf(edith, orgid, { state: 'published' })).toEqual([published]);
  expect(await idsOf(edith, orgid, { state: 'hidden' })).toEqual([hiddenOffsetter]);
  expect(await idsOf(edith, orgid, { query: 'PUBLIC' })).toEqual([published]);
  expect(await idsOf(edith, orgid, { query: '_' })).toEqual([]);
});

test('editors see the full name and email, and the public doesn’t', async () => {
  const { orgid, edith } = await fund();
  const id = await addOffsetter(db, orgid, { name: 'Dora Donor', shown_as: 'first', email: 'dora@example.org' });
  expect((await listStories(edith, orgid))[0]).toMatchObject({
    name: 'Dora Donor',
    email: 'dora@example.org',
    shownAs: 'first',
    refunded: false,
  });
  const { body } = await call(app, 'readOffsetter', { params: { orgid, offsetterid: id } });
  expect(body).not.toContain('Donor');
  expect(body).not.toContain('dora@');
});

test('the queue reports whether review is on and the number of waiting stories', async () => {
  const { orgid, edith } = await fund({ review_stories: true });
  const review = async (as: SignedInPerson, id: string) =>
    (await call(app, 'readReview', { params: { orgid: id }, as })).json();
  expect(await review(edith, orgid)).toEqual({ on: true, waiting: 0 });
  await addOffsetter(db, orgid, { status: 'draft' });
  await addOffsetter(db, orgid, { status: 'draft', shown_as: 'none' });
  await addOffsetter(db, orgid);
  expect(await review(edith, orgid)).toEqual({ on: true, waiting: 1 });
  const otherFund = await fund();
  expect(await review(otherFund.edith, otherFund.orgid)).toEqual({ on: false, waiting: 0 });
});

test('a story is published, hidden, and returned to review', async () => {
  const { orgid, edith } = await fund();
  const id = await addOffsetter(db, orgid, { status: 'draft' });
  for (const [status, shown] of [
    ['published', true],
    ['hidden', false],
    ['published', true],
    ['draft', false],
  ] as const) {
    const response = await setStatus(edith, orgid, id, status);
    expect(response.json()).toMatchObject({ id, status });
    expect(await isShown(orgid, id)).toBe(shown);
  }
  expect(outcomeOf(await setStatus(edith, orgid, id, 'gone'))).toEqual([400, 'invalid-input']);
});

test('a newly published author gets an email with the link; hiding and showing again send none', async () => {
  const { orgid, edith } = await fund({ name: 'Fund of the Hill' });
  const waitingStory = { status: 'draft', name: 'Dora Donor', shown_as: 'first', email: 'dora@example.org' } as const;
  const id = await addOffsetter(db, orgid, waitingStory);
  await setStatus(edith, orgid, id, 'published');
  const [mail, ...more] = await sentMails(id);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: 'dora@example.org', subject: 'Your story is live at Fund of the Hill' });
  const link = `https://fund.example/orgs/${orgid}/offsetters/${id}/`;
  for (const part of [mail?.text, mail?.html]) expect(part).toContain(link);
  expect(mail?.text).toContain('Dear Dora,');
  await setStatus(edith, orgid, id, 'hidden');
  await setStatus(edith, orgid, id, 'published');
  expect(mailsAsked(id)).toHaveLength(1);
});

test('the email is in the author’s account language, or else the checkout’s', async () => {
  const { orgid, edith } = await fund();
  const [spanish, english] = [await signIn(deps), await signIn(deps)];
  await db.kysely.updateTable('users').set({ language: 'es' }).where('id', '=', spanish.userId).execute();
  const subjects = async (user_id: string | null, language: string | null) => {
    const checkout_id = await addCheckout(db, orgid, { language });
    const id = await addOffsetter(db, orgid, { status: 'draft', user_id, checkout_id });
    await setStatus(edith, orgid, id, 'published');
    return (await sentMails(id)).map(({ subject, text }) => [subject.slice(0, 11), text.includes('/es/orgs/')]);
  };
  expect(await subjects(null, 'es')).toEqual([['Su historia', true]]);
  expect(await subjects(spanish.userId, null)).toEqual([['Su historia', true]]);
  expect(await subjects(english.userId, 'es')).toEqual([['Your story ', false]]);
  expect(await subjects(null, null)).toEqual([['Your story ', false]]);
});

test('a publication undone before its email is sent sends none; the next one sends one', async () => {
  const { orgid, edith } = await fund();
  const id = await addOffsetter(db, orgid, { status: 'draft' });
  await setStatus(edith, orgid, id, 'published');
  await setStatus(edith, orgid, id, 'draft');
  expect(await sentMails(id)).toEqual([]);
  await setStatus(edith, orgid, id, 'published');
  expect(mailsAsked(id)).toHaveLength(2);
  expect(await sentMails(id)).toHaveLength(1);
  await db.kysely.deleteFrom('offsetters').where('id', '=', id).execute();
  expect(await sentMails(id)).toEqual([]);
});

test('the story of a fully refunded gift stays hidden', async () => {
  const { orgid, edith } = await fund();
  const checkout = await addCheckout(db, orgid, { payment_status: 'refunded' });
  const id = await addOffsetter(db, orgid, { status: 'hidden', checkout_id: checkout });
  expect((await listStories(edith, orgid))[0]).toMatchObject({ id, refunded: true });
  for (const status of ['published', 'draft']) {
    expect(outcomeOf(await setStatus(edith, orgid, id, status))).toEqual([422, 'story-refunded']);
  }
  expect(await isShown(orgid, id)).toBe(false);
});

test('a hidden donor isn’t published', async () => {
  const { orgid, edith } = await fund();
  const id = await addOffsetter(db, orgid, { status: 'draft', shown_as: 'none' });
  expect(outcomeOf(await setStatus(edith, orgid, id, 'published'))).toEqual([422, 'story-not-to-be-shown']);
});

test('another organization’s offsetter is not found and unchanged', async () => {
  const { orgid, edith } = await fund();
  const otherOrg = (await fund()).orgid;
  const id = await addOffsetter(db, otherOrg);
  expect(outcomeOf(await setStatus(edith, orgid, id, 'hidden'))).toEqual([404, 'offsetter-not-found']);
  expect(await isShown(otherOrg, id)).toBe(true);
});

test('an editor who isn’t an admin can’t delete an offsetter and reads that only admins can', async () => {
  const { orgid, edith } = await fund();
  const id = await addOffsetter(db, orgid);
  const response = await call(app, 'deleteOffsetter', { params: { orgid, offsetterid: id }, as: edith });
  expect(response.json()).toMatchObject({ status: 403, code: 'only-admins', detail: 'Only admins can do that.' });
  expect(await isShown(orgid, id)).toBe(true);
});
