// @spec decisions.5
import { expect, test } from 'vitest';
import type { Activity } from '#contract/schemas/activity.ts';
import type { Giving } from '#contract/schemas/users.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { sendDeclinedStoryEmail, sendStoryClaimEmail } from '#server/features/stories/claim-story.ts';
import { assignOffsetters } from '#server/features/stories/offsetters.ts';
import { sendStoryEmail } from '#server/features/stories/send-story-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { buildTestApp, createTestDeps, PARENT } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const queuedJobs: [string, object][] = [];
const deps = await createTestDeps(db, {
  jobs: {
    enqueue: async () => {},
    enqueueAll: async (_tx, { name }, items) =>
      void queuedJobs.push(...items.map((data): [string, object] => [name, data])),
  },
});
const app = await buildTestApp(deps);
const sentEmails: Email[] = [];
const emailDeps = {
  db,
  parent: PARENT,
  publicUrl: () => 'https://fund.example',
  mailer: { send: async (email: Email) => void sentEmails.push(email) },
};

/** Adds a story that was submitted under a user's email address by someone who wasn't logged in. */
async function addUnclaimedStory() {
  const orgId = await addOrg(db);
  const owner = await signIn(deps);
  const offsetterId = await addOffsetter(db, orgId, { email: owner.email, claim: 'pending' });
  return { orgid: orgId, owner, offsetterid: offsetterId };
}

const readRow = (id: string) =>
  db.kysely
    .selectFrom('offsetters')
    .select(['user_id', 'email', 'claim', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();

async function readGiving({ owner }: Awaited<ReturnType<typeof addUnclaimedStory>>): Promise<Giving> {
  return (await call(app, 'readGiving', { params: { userid: owner.userId }, as: owner })).json<Giving>();
}

test('a story submitted with someone’s address isn’t theirs until they claim it, even after they log in', async () => {
  const story = await addUnclaimedStory();
  const { orgid: orgId, owner, offsetterid: offsetterId } = story;
  await inTransaction(db, (tx) => assignOffsetters(tx, owner.email, owner.userId));
  expect(await readGiving(story)).toMatchObject({ offsetters: [], claims: [{ id: offsetterId }] });
  const params = { orgid: orgId, offsetterid: offsetterId };
  const stranger = await signIn(deps);
  expect(readOutcome(await call(app, 'claimOffsetter', { params, body: { mine: true }, as: stranger }))).toEqual([
    403,
    'forbidden',
  ]);
  expect(readOutcome(await call(app, 'claimOffsetter', { params, body: { mine: true }, as: owner }))).toEqual([200]);
  expect(await readGiving(story)).toMatchObject({ offsetters: [{ id: offsetterId }], claims: [] });
  expect(await readRow(offsetterId)).toMatchObject({ user_id: owner.userId, claim: null });
});

test('the claim email is in the account’s language', async () => {
  const { orgid: orgId, owner, offsetterid: offsetterId } = await addUnclaimedStory();
  await db.kysely.updateTable('users').set({ language: 'es' }).where('id', '=', owner.userId).execute();
  await sendStoryClaimEmail.run(emailDeps, { orgId, offsetterId });
  expect(sentEmails.at(-1)?.subject).toBe('¿Es suya esta historia en Ithaca Climate Fund?');
  expect(sentEmails.at(-1)?.text).toContain('\nhttps://fund.example/es/login?return_to=%2Fuser-home\n');
});

test('“Not me” removes the email address but keeps the story, and notifies each editor', async () => {
  const story = await addUnclaimedStory();
  const { orgid: orgId, owner, offsetterid: offsetterId } = story;
  const editors = [await signIn(deps), await signIn(deps)];
  for (const { userId } of editors) await addEditor(db, orgId, userId);
  const body = { mine: false };
  expect(
    readOutcome(
      await call(app, 'claimOffsetter', { params: { orgid: orgId, offsetterid: offsetterId }, body, as: owner }),
    ),
  ).toEqual([200]);
  expect(await readRow(offsetterId)).toEqual({ user_id: null, email: '', claim: 'declined', status: 'published' });
  expect(await readGiving(story)).toMatchObject({ offsetters: [], claims: [] });
  for (const { userId, email } of editors) {
    const data = { orgId, offsetterId, userId };
    expect(queuedJobs).toContainEqual([sendDeclinedStoryEmail.name, data]);
    await sendDeclinedStoryEmail.run(emailDeps, data);
    expect(sentEmails.at(-1)).toMatchObject({
      to: email,
      text: expect.stringContaining(`/orgs/${orgId}/editor/offsetters`),
    });
    expect(sentEmails.at(-1)?.text).not.toContain(owner.email);
  }
  // The claim was already declined.
  const secondClaim = await call(app, 'claimOffsetter', {
    params: { orgid: orgId, offsetterid: offsetterId },
    body: { mine: true },
    as: owner,
  });
  expect(readOutcome(secondClaim)).toEqual([403, 'forbidden']);
});

test.each([
  'Your account was suspended. Confirm it at https://evil.example/login today.',
  'Your account was suspended.\nConfirm it at evil.example/login, or call 607 555 0123.',
  `${'We gave, and so can you. '.repeat(5)}Now log in at www.evil.example`,
])('the claim email doesn’t quote a deceptive story: %j', async (story) => {
  const { orgid: orgId, owner, offsetterid: offsetterId } = await addUnclaimedStory();
  await db.kysely.updateTable('offsetters').set({ story }).where('id', '=', offsetterId).execute();
  await sendStoryClaimEmail.run(emailDeps, { orgId, offsetterId });
  expect(sentEmails.at(-1)).toMatchObject({
    to: owner.email,
    text: expect.stringContaining('a story with your email address'),
  });
  for (const part of [sentEmails.at(-1)?.text, sentEmails.at(-1)?.html]) expect(part).not.toMatch(/evil|suspended|607/);
});

test('editors see “It’s mine” in the activity; only the user and admins see “Not me”', async () => {
  const admin = await signIn(deps, { admin: true });
  for (const [mine, response, editorActivityCount] of [
    [true, 'It’s mine', 1],
    [false, 'Not me', 0],
  ] as const) {
    const { orgid: orgId, owner, offsetterid: offsetterId } = await addUnclaimedStory();
    const edith = await signIn(deps, { editorOf: [orgId] });
    await call(app, 'claimOffsetter', {
      params: { orgid: orgId, offsetterid: offsetterId },
      body: { mine },
      as: owner,
    });
    const readClaims = async (pendingResponse: ReturnType<typeof call>) =>
      (await pendingResponse).json<Activity[]>().filter(({ name }) => name === 'claim.done');
    const ownActivity = await readClaims(call(app, 'readOwnActivity', { params: { userid: owner.userId }, as: owner }));
    expect(ownActivity).toMatchObject([
      { actorKind: 'you', ipAddress: '127.0.0.1', changes: [{ before: '', after: response }] },
    ]);
    expect(await readClaims(call(app, 'readActivity', { params: { orgid: orgId }, as: edith }))).toHaveLength(
      editorActivityCount,
    );
    expect((await readClaims(call(app, 'readAllActivity', { params: {}, as: admin }))).at(0)?.id).toBe(
      ownActivity[0]?.id,
    );
  }
});

test('the owner gets no "story is live" email before claiming the story', async () => {
  const { orgid: orgId, owner, offsetterid: offsetterId } = await addUnclaimedStory();
  const sentCount = sentEmails.length;
  const sendLiveEmail = () => sendStoryEmail.run(emailDeps, { orgId, offsetterId, changedAt: null });
  await sendLiveEmail();
  expect(sentEmails).toHaveLength(sentCount);
  await call(app, 'claimOffsetter', {
    params: { orgid: orgId, offsetterid: offsetterId },
    body: { mine: true },
    as: owner,
  });
  await sendLiveEmail();
  expect(sentEmails.at(-1)).toMatchObject({ to: owner.email, text: expect.stringContaining('Your story is live') });
});

test('the owner gets one email with the story, and none after responding', async () => {
  const { orgid: orgId, owner, offsetterid: offsetterId } = await addUnclaimedStory();
  await sendStoryClaimEmail.run(emailDeps, { orgId, offsetterId });
  expect(sentEmails.at(-1)).toMatchObject({ to: owner.email, text: expect.stringContaining('Is this your story?') });
  expect(sentEmails.at(-1)?.text).toContain('https://fund.example/login?return_to=%2Fuser-home');
  expect(sentEmails.at(-1)?.text).toContain('submitted this story with your email address');
  const sentCount = sentEmails.length;
  await call(app, 'claimOffsetter', {
    params: { orgid: orgId, offsetterid: offsetterId },
    body: { mine: true },
    as: owner,
  });
  await sendStoryClaimEmail.run(emailDeps, { orgId, offsetterId });
  expect(sentEmails).toHaveLength(sentCount);
});
