// @spec decisions.5
import { expect, test } from 'vitest';
import type { Activity } from '#contract/schemas/activity.ts';
import type { Giving } from '#contract/schemas/users.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { sendDeclinedStoryEmail, sendStoryClaimEmail } from '#server/features/stories/claim-story.ts';
import { assignOffsetters } from '#server/features/stories/offsetters.ts';
import { sendStoryEmail } from '#server/features/stories/send-story-email.job.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { buildTestApp, PARENT, testDeps } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const queued: [string, object][] = [];
const deps = await testDeps(db, {
  jobs: {
    enqueue: async () => {},
    enqueueAll: async (_tx, { name }, all) => void queued.push(...all.map((data): [string, object] => [name, data])),
  },
});
const app = await buildTestApp(deps);
const sent: Mail[] = [];
const mailing = {
  db,
  parent: PARENT,
  publicUrl: () => 'https://fund.example',
  mailer: { send: async (mail: Mail) => void sent.push(mail), close: async () => {} },
};

/** A story that was sent without a login, with the address of `me`. */
async function askOwner() {
  const orgid = await addOrg(db);
  const me = await signIn(deps);
  const offsetterid = await addOffsetter(db, orgid, { email: me.email, claim: 'pending' });
  return { orgid, me, offsetterid };
}

const rowOf = (id: string) =>
  db.kysely
    .selectFrom('offsetters')
    .select(['user_id', 'email', 'claim', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();

async function givingOf({ me }: Awaited<ReturnType<typeof askOwner>>): Promise<Giving> {
  return (await call(app, 'readGiving', { params: { userid: me.userId }, as: me })).json<Giving>();
}

test('a story with another’s address isn’t theirs until they claim it, even after another login', async () => {
  const story = await askOwner();
  const { orgid, me, offsetterid } = story;
  await inTransaction(db, (tx) => assignOffsetters(tx, me.email, me.userId));
  expect(await givingOf(story)).toMatchObject({ offsetters: [], claims: [{ id: offsetterid }] });
  const params = { orgid, offsetterid };
  const stranger = await signIn(deps);
  expect(outcomeOf(await call(app, 'claimOffsetter', { params, body: { mine: true }, as: stranger }))).toEqual([
    403,
    'forbidden',
  ]);
  expect(outcomeOf(await call(app, 'claimOffsetter', { params, body: { mine: true }, as: me }))).toEqual([200]);
  expect(await givingOf(story)).toMatchObject({ offsetters: [{ id: offsetterid }], claims: [] });
  expect(await rowOf(offsetterid)).toMatchObject({ user_id: me.userId, claim: null });
});

test('the address’s owner is asked in their account’s language', async () => {
  const { orgid, me, offsetterid } = await askOwner();
  await db.kysely.updateTable('users').set({ language: 'es' }).where('id', '=', me.userId).execute();
  await sendStoryClaimEmail.run(mailing, { orgId: orgid, offsetterId: offsetterid });
  expect(sent.at(-1)?.subject).toBe('¿Es suya esta historia en Ithaca Climate Fund?');
  expect(sent.at(-1)?.text).toContain('\nhttps://fund.example/es/login?return_to=%2Fuser-home\n');
});

test('“Not me” removes the address from the story, which stays, and emails each editor', async () => {
  const story = await askOwner();
  const { orgid, me, offsetterid } = story;
  const editors = [await signIn(deps), await signIn(deps)];
  for (const { userId } of editors) await addEditor(db, orgid, userId);
  const body = { mine: false };
  expect(outcomeOf(await call(app, 'claimOffsetter', { params: { orgid, offsetterid }, body, as: me }))).toEqual([200]);
  expect(await rowOf(offsetterid)).toEqual({ user_id: null, email: '', claim: 'declined', status: 'published' });
  expect(await givingOf(story)).toMatchObject({ offsetters: [], claims: [] });
  for (const { userId, email } of editors) {
    const data = { orgId: orgid, offsetterId: offsetterid, userId };
    expect(queued).toContainEqual([sendDeclinedStoryEmail.name, data]);
    await sendDeclinedStoryEmail.run(mailing, data);
    expect(sent.at(-1)).toMatchObject({ to: email, text: expect.stringContaining(`/orgs/${orgid}/editor/offsetters`) });
    expect(sent.at(-1)?.text).not.toContain(me.email);
  }
  // The request got a response.
  const secondClaim = await call(app, 'claimOffsetter', {
    params: { orgid, offsetterid },
    body: { mine: true },
    as: me,
  });
  expect(outcomeOf(secondClaim)).toEqual([403, 'forbidden']);
});

test.each([
  'Your account was suspended. Confirm it at https://evil.example/login today.',
  'Your account was suspended.\nConfirm it at evil.example/login, or call 607 555 0123.',
  `${'We gave, and so can you. '.repeat(5)}Now log in at www.evil.example`,
])('the claim email doesn’t quote a deceptive story: %j', async (story) => {
  const { orgid, me, offsetterid } = await askOwner();
  await db.kysely.updateTable('offsetters').set({ story }).where('id', '=', offsetterid).execute();
  await sendStoryClaimEmail.run(mailing, { orgId: orgid, offsetterId: offsetterid });
  expect(sent.at(-1)).toMatchObject({ to: me.email, text: expect.stringContaining('a story with your email address') });
  for (const written of [sent.at(-1)?.text, sent.at(-1)?.html]) expect(written).not.toMatch(/evil|suspended|607/);
});

test('claims are recorded: “It’s mine” for editors too, “Not me” for the person and admins only', async () => {
  const admin = await signIn(deps, { admin: true });
  for (const [mine, response, seenByEditors] of [
    [true, 'It’s mine', 1],
    [false, 'Not me', 0],
  ] as const) {
    const { orgid, me, offsetterid } = await askOwner();
    const edith = await signIn(deps, { editorOf: [orgid] });
    await call(app, 'claimOffsetter', { params: { orgid, offsetterid }, body: { mine }, as: me });
    const claims = async (answered: ReturnType<typeof call>) =>
      (await answered).json<Activity[]>().filter(({ name }) => name === 'claim.done');
    const ownActivity = await claims(call(app, 'readOwnActivity', { params: { userid: me.userId }, as: me }));
    expect(ownActivity).toMatchObject([{ by: 'you', client: '127.0.0.1', changes: [{ before: '', after: response }] }]);
    expect(await claims(call(app, 'readActivity', { params: { orgid }, as: edith }))).toHaveLength(seenByEditors);
    expect((await claims(call(app, 'readAllActivity', { params: {}, as: admin }))).at(0)?.id).toBe(ownActivity[0]?.id);
  }
});

test('the owner gets no "story is live" email before claiming the story', async () => {
  const { orgid, me, offsetterid } = await askOwner();
  const sentCount = sent.length;
  const live = () => sendStoryEmail.run(mailing, { orgId: orgid, offsetterId: offsetterid, changedAt: null });
  await live();
  expect(sent).toHaveLength(sentCount);
  await call(app, 'claimOffsetter', { params: { orgid, offsetterid }, body: { mine: true }, as: me });
  await live();
  expect(sent.at(-1)).toMatchObject({ to: me.email, text: expect.stringContaining('Your story is live') });
});

test('the owner gets one email with the story, and none after responding', async () => {
  const { orgid, me, offsetterid } = await askOwner();
  await sendStoryClaimEmail.run(mailing, { orgId: orgid, offsetterId: offsetterid });
  expect(sent.at(-1)).toMatchObject({ to: me.email, text: expect.stringContaining('Is this your story?') });
  expect(sent.at(-1)?.text).toContain('https://fund.example/login?return_to=%2Fuser-home');
  expect(sent.at(-1)?.text).toContain('submitted this story with your email address');
  const sentCount = sent.length;
  await call(app, 'claimOffsetter', { params: { orgid, offsetterid }, body: { mine: true }, as: me });
  await sendStoryClaimEmail.run(mailing, { orgId: orgid, offsetterId: offsetterid });
  expect(sent).toHaveLength(sentCount);
});
