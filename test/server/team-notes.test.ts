// @spec 2.checkouts-screen decisions.4
import { expect, test } from 'vitest';
import type { CheckoutRecord, CheckRecord } from '#contract/schemas/checkout-records.ts';
import type { DonorRecord } from '#contract/schemas/donors.ts';
import { newId } from '#server/db/new-id.ts';
import { sweepTeamNotes } from '#server/features/team-notes/team-notes.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, DAY, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const deps = await createTestDeps(db, { now: clock.now });
const app = await buildTestApp(deps);
const orgid = await addOrg(db);
const treasurer = await signIn(deps, { name: 'Tom Treasurer', editorOf: [orgid], role: 'money' });
const viewer = await signIn(deps, { editorOf: [orgid], role: 'reader' });

const addNote = (subjectid: string, text: string, { noteid = newId(), as = treasurer, org = orgid } = {}) =>
  call(app, 'addTeamNote', { params: { orgid: org, noteid }, as, body: { subjectid, text } });
const removeNote = (noteid: string, as: SignedInPerson = treasurer) =>
  call(app, 'removeTeamNote', { params: { orgid, noteid }, as });
const readCheckoutNotes = async (checkoutid: string) =>
  (await call(app, 'readCheckoutRecord', { params: { orgid, checkoutid }, as: viewer })).json<CheckoutRecord>().notes;
const readCheckNotes = async (pledgeid: string) =>
  (await call(app, 'readCheckRecord', { params: { orgid, pledgeid }, as: viewer })).json<CheckRecord>().notes;

const readDonorNotes = async (donorid: string) =>
  (await call(app, 'readDonor', { params: { orgid, donorid }, as: viewer })).json<DonorRecord>().notes;
const readDonorId = async (checkoutId: string) => {
  const checkout = db.kysely.selectFrom('checkouts').select('donor_id').where('id', '=', checkoutId);
  return (await checkout.executeTakeFirstOrThrow()).donor_id ?? '';
};

test('the team reads a note on a checkout or a check, and a treasurer adds and removes it', async () => {
  const { checkoutId } = await addGift(db, orgid);
  const pledgeId = await addPledge(db, orgid);
  const noteid = newId();
  await addNote(checkoutId, ' Asked to be called in May ', { noteid });
  // A repeated call adds no second note.
  await addNote(checkoutId, 'Asked to be called in May', { noteid });
  await addNote(pledgeId, 'Sends it in June');
  expect(await readCheckoutNotes(checkoutId)).toMatchObject([
    { text: 'Asked to be called in May', by: 'Tom Treasurer' },
  ]);
  expect(await readCheckNotes(pledgeId)).toMatchObject([{ text: 'Sends it in June', by: 'Tom Treasurer' }]);
  expect(readOutcome(await removeNote(noteid, viewer))).toEqual([403, 'forbidden']);
  expect(readOutcome(await removeNote(noteid))).toEqual([200]);
  expect(readOutcome(await removeNote(noteid))).toEqual([404, 'note-not-found']);
  expect(await readCheckoutNotes(checkoutId)).toEqual([]);
});

test('the author repeats a note with a corrected text; a colleague can’t change it', async () => {
  const { checkoutId } = await addGift(db, orgid);
  const colleague = await signIn(deps, { name: 'Clara Colleague', editorOf: [orgid] });
  const noteid = newId();
  await addNote(checkoutId, 'Asked to be called in May', { noteid });
  const corrected = { text: 'Asked to be called in June', by: 'Tom Treasurer' };
  expect((await addNote(checkoutId, corrected.text, { noteid })).json()).toMatchObject(corrected);
  await addNote(checkoutId, 'Asked not to be called', { noteid, as: colleague });
  expect(await readCheckoutNotes(checkoutId)).toMatchObject([corrected]);
});

test('undoing the deletion of a note keeps its author and time', async () => {
  const { checkoutId } = await addGift(db, orgid);
  const colleague = await signIn(deps, { name: 'Clara Colleague', editorOf: [orgid] });
  const noteid = newId();
  await addNote(checkoutId, 'Asked to be called in May', { noteid });
  const notes = await readCheckoutNotes(checkoutId);
  clock.advance(MINUTE);
  await removeNote(noteid, colleague);
  await sweepTeamNotes(deps);
  await addNote(checkoutId, 'Asked to be called in May', { noteid, as: colleague });
  expect(await readCheckoutNotes(checkoutId)).toEqual(notes);
});

test('a note about either of two merged donors is shown for both', async () => {
  const [nan, nanette] = [
    await readDonorId((await addGift(db, orgid, { email: 'nan@example.org' })).checkoutId),
    await readDonorId((await addGift(db, orgid, { email: 'nanette@example.org' })).checkoutId),
  ];
  await addNote(nan, 'Prefers letters');
  const body = { otherid: nan, reason: 'Same address' };
  await call(app, 'mergeDonor', { params: { orgid, donorid: nanette }, as: treasurer, body });
  await addNote(nan, 'Moved to Elm Street');
  const texts = (await readDonorNotes(nanette)).map(({ text }) => text);
  expect(texts.toSorted()).toEqual(['Moved to Elm Street', 'Prefers letters']);
});

test('a note needs a gift or donor in the organization and is limited to 2,000 characters', async () => {
  const { checkoutId } = await addGift(db, await addOrg(db));
  const pledgeId = await addPledge(db, orgid);
  expect(readOutcome(await addNote(checkoutId, 'Elsewhere'))).toEqual([404, 'note-subject-not-found']);
  expect(readOutcome(await addNote(pledgeId, 'x'.repeat(2001)))).toEqual([422, 'note-too-long']);
  expect(readOutcome(await addNote(pledgeId, ' '))).toEqual([422, 'no-note']);
  expect(readOutcome(await addNote(pledgeId, 'Hello', { as: viewer }))).toEqual([403, 'forbidden']);
});

test('notes are erased with their donor', async () => {
  const { checkoutId } = await addGift(db, orgid);
  const pledgeId = await addPledge(db, orgid);
  await addNote(checkoutId, 'About Paula');
  await addNote(pledgeId, 'About Dora');
  const checkout = db.kysely.updateTable('checkouts').set({ payer_erased_at: new Date() });
  await checkout.where('id', '=', checkoutId).execute();
  await db.kysely.updateTable('pledges').set({ name: null, email: null }).where('id', '=', pledgeId).execute();
  expect([await readCheckoutNotes(checkoutId), await readCheckNotes(pledgeId)]).toEqual([[], []]);
});

test('a deleted note is removed after a day', async () => {
  const { checkoutId } = await addGift(db, orgid);
  const noteid = newId();
  const isStored = async () =>
    (await db.kysely.selectFrom('team_notes').select('id').where('id', '=', noteid).execute()).length > 0;
  await addNote(checkoutId, 'Asked to be called in May', { noteid });
  await removeNote(noteid);
  clock.advance(DAY - 1);
  await sweepTeamNotes(deps);
  expect(await isStored()).toBe(true);
  clock.advance(1);
  await sweepTeamNotes(deps);
  expect(await isStored()).toBe(false);
});
