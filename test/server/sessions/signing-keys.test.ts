import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { openSession } from '#server/features/sessions/open-session.ts';
import { libraryIdentity } from '#server/gateways/identity/library-identity.ts';
import { addUser } from '#test/support/builders/user.ts';
import { testDatabase } from '#test/support/database.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const db = await testDatabase();
const { log } = watchedLog();
const now = () => new Date();
const publicUrl = () => 'https://fund.example';
/** A process of the program, on the same database as the others. */
const process = (secret?: string) => libraryIdentity({ db, publicUrl, secret, now, log });
const ONE_SECRET = 'the first secret of an operator, long enough';
const ANOTHER_SECRET = 'another secret of an operator, long enough';

async function session() {
  const userId = await addUser(db);
  return inTransaction(db, (tx) => openSession(tx, userId, now()));
}
async function tokenFrom(identity: ReturnType<typeof process>, sessionId: string): Promise<string> {
  return (await identity.issueToken(sessionId))?.token ?? '';
}
async function secretAfter(from: ReturnType<typeof process>, to: ReturnType<typeof process>, secret: string) {
  const [cookie] = await from.cookies.remember(secret);
  return to.cookies.secretIn(cookie?.split(';')[0]);
}

test('processes that begin at the same time agree on the secret and take each other’s tokens and cookies', async () => {
  const processes = [process(), process(), process()];
  const { id, secret } = await session();
  const tokens = await Promise.all(processes.map((each) => tokenFrom(each, id)));
  for (const each of processes) {
    for (const token of tokens) expect(await each.actorOf(token)).toMatchObject({ sessionId: id });
    for (const other of processes) expect(await secretAfter(other, each, secret)).toBe(secret);
  }
});

test('a process takes tokens of a key that was made after it had read the keys', async () => {
  const [early, late] = [process(), process()];
  const { id } = await session();
  await early.actorOf(await tokenFrom(early, id));
  await db.kysely
    .updateTable('signing_keys')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute();
  expect(await early.actorOf(await tokenFrom(late, id))).toMatchObject({ sessionId: id });
});

test('with another secret cookies are worth nothing any more, and tokens are issued with a new key', async () => {
  const [before, after] = [process(ONE_SECRET), process(ANOTHER_SECRET)];
  const { id, secret } = await session();
  await db.kysely.deleteFrom('signing_keys').execute();
  await tokenFrom(before, id);
  expect(await secretAfter(before, before, secret)).toBe(secret);
  expect(await secretAfter(before, after, secret)).toBeUndefined();
  expect(await after.actorOf(await tokenFrom(after, id))).toMatchObject({ sessionId: id });
});

test('the private part of a key is not kept as it is', async () => {
  const { id } = await session();
  await db.kysely.deleteFrom('signing_keys').execute();
  await tokenFrom(process(ONE_SECRET), id);
  const key = await db.kysely.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
  expect(key.public_key).toContain('"kty":"EC"');
  expect(key.private_key).not.toContain('"d"');
});

test('nothing is kept of a session that was never signed in to', async () => {
  const identity = process();
  expect(await identity.issueToken('no such session')).toBeUndefined();
  expect(await identity.cookies.secretIn(undefined)).toBeUndefined();
  expect(await identity.cookies.secretIn('__Secure-fund.session_token=made.up')).toBeUndefined();
});
