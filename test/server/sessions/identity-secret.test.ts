// @spec decisions.4
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { openSession } from '#server/features/sessions/session-lifecycle.ts';
import { createIdentity } from '#server/gateways/identity/create-identity.ts';
import type { Identity } from '#server/gateways/identity/identity.ts';
import { addUser } from '#test/support/builders/user.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { createEmailLogin } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const { log } = createLogSpy();
const now = () => new Date();
const publicUrl = () => 'https://fund.example';
/** Starts one of several processes that share the database. */
const startProcess = (secret?: string) => createIdentity({ db, publicUrl, secret, now, log });
const FIRST_SECRET = 'the first secret of an operator, long enough';
const SECOND_SECRET = 'another secret of an operator, long enough';

async function newSession() {
  const userId = await addUser(db);
  return inTransaction(db, (tx) => openSession(tx, createEmailLogin(userId), now()));
}
const newToken = async (identity: Identity, sessionId: string) => (await identity.issueToken(sessionId))?.token ?? '';

/** Sets a cookie with one process and reads it with another. */
async function readCookie(reader: Identity, writer: Identity, secret: string) {
  const [cookie] = await writer.cookies.set(secret);
  return reader.cookies.read(cookie?.split(';')[0]);
}

test('processes starting together agree on the secret and accept each other’s tokens and cookies', async () => {
  const processes = [startProcess(), startProcess(), startProcess()];
  const { id, secret } = await newSession();
  const tokens = await Promise.all(processes.map((identity) => newToken(identity, id)));
  for (const reader of processes) {
    for (const token of tokens) expect(await reader.findActor(token)).toMatchObject({ sessionId: id });
    for (const writer of processes) expect(await readCookie(reader, writer, secret)).toBe(secret);
  }
});

// @asvs 11.2.2
test('with another secret, neither cookies nor tokens are accepted', async () => {
  const [firstProcess, secondProcess] = [startProcess(FIRST_SECRET), startProcess(SECOND_SECRET)];
  const { id, secret } = await newSession();
  expect(await readCookie(firstProcess, firstProcess, secret)).toBe(secret);
  expect(await readCookie(secondProcess, firstProcess, secret)).toBeUndefined();
  const token = await newToken(firstProcess, id);
  expect(await firstProcess.findActor(token)).toMatchObject({ sessionId: id });
  expect(await secondProcess.findActor(token)).toBeUndefined();
});

test('cookies with a changed secret or signature aren’t accepted', async () => {
  const identity = startProcess(FIRST_SECRET);
  const [cookie = ''] = await identity.cookies.set('the-secret');
  const cookiePair = cookie.split(';')[0] ?? '';
  expect(await identity.cookies.read(cookiePair)).toBe('the-secret');
  expect(await identity.cookies.read(`theme=dark; ${cookiePair}; other=1`)).toBe('the-secret');
  const changes = [
    cookiePair.replace('the-', 'my-'),
    cookiePair.slice(0, -4),
    `${cookiePair}a`,
    cookiePair.split('.')[0],
    `x${cookiePair}`,
    `${cookiePair}%`,
  ];
  for (const changedCookie of changes) {
    expect([changedCookie, await identity.cookies.read(changedCookie)]).toEqual([changedCookie, undefined]);
  }
});

test('a token requires a session, and a cookie requires a signature', async () => {
  const identity = startProcess();
  expect(await identity.issueToken('no such session')).toBeUndefined();
  expect(await identity.cookies.read(undefined)).toBeUndefined();
  expect(await identity.cookies.read('__Host-fund.session_token=made.up')).toBeUndefined();
});
