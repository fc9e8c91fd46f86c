import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { claimWhatWaits, type ProvenPerson } from '#server/features/users/claim-what-waits.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { addUser } from '#test/support/builders/user.ts';
import { testDatabase } from '#test/support/database.ts';

const db = await testDatabase();

const claim = (person: ProvenPerson, adminEmails: readonly string[] = []) =>
  inTransaction(db, (tx) => claimWhatWaits(tx, person, adminEmails));

const ownerOf = async (id: string) =>
  (await db.kysely.selectFrom('offsetters').select('user_id').where('id', '=', id).executeTakeFirstOrThrow()).user_id;
const editors = async (orgId: string) =>
  db.kysely.selectFrom('org_editors').select(['user_id', 'display_name']).where('org_id', '=', orgId).execute();
const invitations = (orgId: string) =>
  db.kysely.selectFrom('invitations').select('email').where('org_id', '=', orgId).execute();
const isAdmin = async (id: string) =>
  (await db.kysely.selectFrom('users').select('admin').where('id', '=', id).executeTakeFirstOrThrow()).admin;

test('offsetters made signed out with the address become its owner’s, in every organization, however it is written', async () => {
  const email = 'wanda@example.org';
  const userId = await addUser(db, { email });
  const first = await addOffsetter(db, await addOrg(db), { email });
  const second = await addOffsetter(db, await addOrg(db), { email: 'Wanda@Example.ORG' });
  await claim({ userId, email: 'WANDA@example.org' });
  expect([await ownerOf(first), await ownerOf(second)]).toEqual([userId, userId]);
});

test('nobody else’s offsetters are taken, neither those of another address nor those that have an owner', async () => {
  const email = 'xenia@example.org';
  const [userId, other] = [await addUser(db, { email }), await addUser(db)];
  const orgId = await addOrg(db);
  const another = await addOffsetter(db, orgId, { email: 'xenia@example.com' });
  const owned = await addOffsetter(db, orgId, { email, user_id: other });
  await claim({ userId, email });
  expect([await ownerOf(another), await ownerOf(owned)]).toEqual([null, other]);
});

test('an invitation becomes a role, and is gone', async () => {
  const email = 'yara@example.org';
  const userId = await addUser(db, { email, display_name: 'Yara' });
  const [invited, elsewhere] = [await addOrg(db), await addOrg(db)];
  await addInvitation(db, invited, { email });
  await addInvitation(db, invited, { email: 'somebody@example.org' });
  await claim({ userId, email });
  expect(await editors(invited)).toEqual([{ user_id: userId, display_name: 'Yara' }]);
  expect(await editors(elsewhere)).toEqual([]);
  expect(await invitations(invited)).toEqual([{ email: 'somebody@example.org' }]);
});

test('an invitation of somebody who is an editor already goes, and changes nothing', async () => {
  const email = 'zoe@example.org';
  const userId = await addUser(db, { email });
  const orgId = await addOrg(db);
  await addEditor(db, orgId, userId, { display_name: 'Zoe, as kept' });
  await addInvitation(db, orgId, { email });
  await claim({ userId, email });
  expect(await editors(orgId)).toEqual([{ user_id: userId, display_name: 'Zoe, as kept' }]);
  expect(await invitations(orgId)).toEqual([]);
});

test('an address that the configuration names makes an admin, another does not', async () => {
  const named = { userId: await addUser(db, { email: 'ada@example.org' }), email: 'ada@example.org' };
  const other = { userId: await addUser(db, { email: 'bea@example.org' }), email: 'bea@example.org' };
  for (const person of [named, other]) await claim(person, ['Ada@Example.org']);
  expect([await isAdmin(named.userId), await isAdmin(other.userId)]).toEqual([true, false]);
});

test('claimed many times at once, everything is there once', async () => {
  const email = 'carla@example.org';
  const userId = await addUser(db, { email });
  const orgId = await addOrg(db);
  await addInvitation(db, orgId, { email });
  const offsetter = await addOffsetter(db, orgId, { email });
  await Promise.all(Array.from({ length: 10 }, () => claim({ userId, email })));
  expect(await editors(orgId)).toHaveLength(1);
  expect(await ownerOf(offsetter)).toBe(userId);
});
