// @spec 6.token decisions.4
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { createTestDeps } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestClock, HOUR } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const deps = await createTestDeps(db, { now: clock.now });

test('a token identifies its bearer and their permissions', async () => {
  const orgId = await addOrg(db);
  const { token, userId, sessionId } = await signIn(deps, { admin: true, editorOf: [orgId] });
  expect(await deps.identity.findActor(token)).toEqual({
    kind: 'user',
    userId,
    sessionId,
    issuedAt: clock.now(),
    authenticatedAt: clock.now(),
    hasStaleToken: false,
    hasSecondFactor: false,
    admin: true,
    emailVerified: true,
    roles: { [orgId]: 'editor' },
  });
});

test('the token of an editor of 200 organizations fits into a header', async () => {
  const ids = await Promise.all(Array.from({ length: 200 }, () => addOrg(db)));
  const { token } = await signIn(deps, { editorOf: ids });
  expect(token.length).toBeLessThan(4096);
  expect(await deps.identity.findActor(token)).toMatchObject({
    roles: Object.fromEntries(ids.map((id) => [id, 'editor'])),
  });
});

test('the token’s `orgs` claim lists only organizations in which the user is an editor', async () => {
  const [editedOrgId, readOnlyOrgId] = [await addOrg(db), await addOrg(db)];
  const { token, userId } = await signIn(deps, { editorOf: [editedOrgId] });
  await addEditor(db, readOnlyOrgId, userId, { role: 'reader' });
  const readClaims = (jwt: string): unknown => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
  expect(readClaims(token)).toMatchObject({ orgs: [editedOrgId] });
  expect(await deps.identity.findActor(token)).toMatchObject({
    roles: { [editedOrgId]: 'editor', [readOnlyOrgId]: 'reader' },
  });
});

// @asvs 7.2.1
test('permissions come from the database, not the token', async () => {
  const { token, userId } = await signIn(deps, { admin: true });
  await db.kysely.updateTable('users').set({ admin: false, email_verified: false }).where('id', '=', userId).execute();
  expect(await deps.identity.findActor(token)).toMatchObject({ admin: false, emailVerified: false });
});

// @asvs 9.2.1
test('a token expires after an hour', async () => {
  const { token } = await signIn(deps);
  clock.advance(HOUR - 1000);
  expect(await deps.identity.findActor(token)).toBeDefined();
  clock.advance(1000);
  expect(await deps.identity.findActor(token)).toBeUndefined();
});

// @asvs 7.4.1
test('a token ends with its session', async () => {
  const { token, userId } = await signIn(deps);
  await inTransaction(db, (tx) => endSessions(tx, userId));
  expect(await deps.identity.findActor(token)).toBeUndefined();
});

test('a token is rejected once its session has expired', async () => {
  const { token, sessionId } = await signIn(deps);
  const expiresAt = new Date(clock.now().getTime() + 1000);
  await db.kysely.updateTable('sessions').set({ expires_at: expiresAt }).where('id', '=', sessionId).execute();
  expect(await deps.identity.findActor(token)).toBeDefined();
  clock.advance(1000);
  expect(await deps.identity.findActor(token)).toBeUndefined();
  expect(await deps.identity.issueToken(sessionId)).toBeUndefined();
});

test('all of a user’s sessions can be ended except one', async () => {
  const excludedSession = await signIn(deps);
  const endedSession = await signIn(deps, { userId: excludedSession.userId });
  await inTransaction(db, (tx) => endSessions(tx, excludedSession.userId, { except: excludedSession.sessionId }));
  expect(await deps.identity.findActor(excludedSession.token)).toBeDefined();
  expect(await deps.identity.findActor(endedSession.token)).toBeUndefined();
});
