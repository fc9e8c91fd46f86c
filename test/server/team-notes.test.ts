// @spec 2.checkouts-screen decisions.4
import { expect, test } from 'vitest';
import type { CheckoutRecord, CheckRecord } from '#contract/schemas/checkout-records.ts';
import type { DonorRecord } from '#contract/schemas/donors.ts';
import { newId } from '#server/db/new-id.ts';
import { sweepTeamNotes } from '#server/features/team-notes/team-notes.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { DAY, MINUTE, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const deps = await testDeps(db, { now: clock.now });
const app = await buildTestApp(deps);
const orgid = await addOrg(db);
const treasurer = await signIn(deps, { name: 'Tom Treasurer', editorOf: [orgid], role: 'money' });
const viewer = await signIn(deps, { editorOf: [orgid], role: 'reader' });

const add = (subjectid: string, text: string, { noteid = newId(), as = treasurer, org = orgid } = {}) =>
  call(app, 'addTeamNote', { params: { orgid: org, noteid }, as, body: { subjectid, text } });
const remove = (noteid: string, as: SignedInPerson = treasurer) =>
  call(app, 'removeTeamNote', { params: { orgid, noteid }, as });
const checkoutNotes = async (checkoutid: string) =>
  (await call(app, 'readCheckoutRecord', { params: { orgid, checkoutid }, as: viewer })).json<CheckoutRecord>().notes;
const checkNotes = async (pledgeid: string) =>
  (await call(app, 'readCheckRecord', { params: { orgid, pledgeid }, as: viewer })).json<CheckRecord>().notes;

const donorNotes = async (donorid: string) =>
  (await call(app, 'readDonor', { params: { orgid, donorid }, as: viewer })).json<DonorRecord>().notes;
const donorOf = async (checkoutId: string) => {
  const checkout = db.kysely.selectFrom('checkouts').select('donor_id').where('id', '=', checkoutId);
  return (await checkout.executeTakeFirstOrThrow()).donor_id ?? '';
};

test('the team reads a note on a checkout or a check, and a treasurer adds and removes it', async () => {
  const { checkoutId } = await addGift(db, orgid);
  const pledgeId = await addPledge(db, orgid);
  const noteid = newId();
  await add(checkoutId, ' Asked to be called in May ', { noteid });
  // A repeated call adds no second note.
  await add(checkoutId, 'Asked to be called in May', { noteid });
  await add(pledgeId, 'Sends it in June');
  expect(await checkoutNotes(checkoutId)).toMatchObject([{ text: 'Asked to be called in May', by: 'Tom Treasurer' }]);
  expect(await checkNotes(pledgeId)).toMatchObject([{ text: 'Sends it in June', by: 'Tom Treasurer' }]);
  expect(outcomeOf(await remove(noteid, viewer))).toEqual([403, 'forbidden']);
  expect(outcomeOf(await remove(noteid))).toEqual([200]);
  expect(outcomeOf(await remove(noteid))).toEqual([404, 'note-not-found']);
  expect(await checkoutNotes(checkoutId)).toEqual([]);
});

test('undoing the deletion of a note keeps its author and time', async () => {
  const { checkoutId } = await addGift(db, orgid);
  const colleague = await signIn(deps, { name: 'Clara Colleague', editorOf: [orgid] });
  const noteid = newId();
  await add(checkoutId, 'Asked to be called in May', { noteid });
  const notes = await checkoutNotes(checkoutId);
  clock.pass(MINUTE);
  await remove(noteid, colleague);
  await sweepTeamNotes(deps);
  await add(checkoutId, 'Asked to be called in May', { noteid, as: colleague });
  expect(await checkoutNotes(checkoutId)).toEqual(notes);
});

test('a note about either of two merged donors is shown for both', async () => {
  const [nan, nanette] = [
    await donorOf((await addGift(db, orgid, { email: 'nan@example.org' })).checkoutId),
    await donorOf((await addGift(db, orgid, { email: 'nanette@example.org' })).checkoutId),
  ];
  await add(nan, 'Prefers letters');
  const body = { otherid: nan, reason: 'Same address' };
  await call(app, 'mergeDonor', { params: { orgid, donorid: nanette }, as: treasurer, body });
  await add(nan, 'Moved to Elm Street');
  const texts = (await donorNotes(nanette)).map(({ text }) => text);
  expect(texts.toSorted()).toEqual(['Moved to Elm Street', 'Prefers letters']);
});

test('a note needs a gift or donor in the organization and is limited to 2,000 characters', async () => {
  const { checkoutId } = await addGift(db, await addOrg(db));
  const pledgeId = await addPledge(db, orgid);
  expect(outcomeOf(await add(checkoutId, 'Elsewhere'))).toEqual([404, 'note-subject-not-found']);
  expect(outcomeOf(await add(pledgeId, 'x'.repeat(2001)))).toEqual([422, 'note-too-long']);
  expect(outcomeOf(await add(pledgeId, ' '))).toEqual([422, 'no-note']);
  expect(outcomeOf(await add(pledgeId, 'Hello', { as: viewer }))).toEqual([403, 'forbidden']);
});

test('notes are erased with their donor', async () => {
  const { checkoutId } = await addGift(db, orgid);
  const pledgeId = await addPledge(db, orgid);
  await add(checkoutId, 'About Paula');
  await add(pledgeId, 'About Dora');
  const checkout = db.kysely.updateTable('checkouts').set({ payer_erased_at: new Date() });
  await checkout.where('id', '=', checkoutId).execute();
  await db.kysely.updateTable('pledges').set({ name: null, email: null }).where('id', '=', pledgeId).execute();
  expect([await checkoutNotes(checkoutId), await checkNotes(pledgeId)]).toEqual([[], []]);
});

test('a deleted note is removed after a day', async () => {
  const { checkoutId } = await addGift(db, orgid);
  const noteid = newId();
  const isStored = async () =>
    (await db.kysely.selectFrom('team_notes').select('id').where('id', '=', noteid).execute()).length > 0;
  await add(checkoutId, 'Asked to be called in May', { noteid });
  await remove(noteid);
  clock.pass(DAY - 1);
  await sweepTeamNotes(deps);
  expect(await isStored()).toBe(true);
  clock.pass(1);
  await sweepTeamNotes(deps);
  expect(await isStored()).toBe(false);
});
