import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { payByCard } from '#scripts/crash-test/donors.ts';
import { startEmailSink } from '#scripts/crash-test/email-sink.ts';
import { startNetworkRelay } from '#scripts/network-relay.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { readConfig } from '#server/config.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { serve } from '#server/main.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createWebFolder } from '#test/support/web-folder.ts';
import {
  filterUnexpectedLines,
  MINUTE_MS,
  OUTAGE_MESSAGE,
  outageReasons,
  RECOVERY_MESSAGE,
  startServer,
  startServerAt,
} from './relayed-server.ts';

test('no request hangs while the database is frozen, and the program recovers afterward', async () => {
  const { relay, lines, callStatus, readStatus, db } = await startServer({ connectMs: MINUTE_MS });
  relay.freeze();
  // Sends more requests than there are connections, each for different data.
  const statuses = Array.from({ length: 10 }, (_, number) => readStatus(`/api/orgs/nobody-${number}`));
  const lostTransaction = inTransaction(db, async (tx) => {
    await tx.selectFrom('orgs').select('id').execute();
  }).catch((error: Error) => error);
  expect(await readStatus('/healthz')).toBe(200);
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([503]));
  expect(await lostTransaction).toBeInstanceOf(Error);
  expect(await readStatus('/readyz')).toBe(503);
  // No request is waiting for a connection anymore.
  for (let attempt = 0; attempt < 10; attempt += 1) expect(await callStatus()).toBe(503);
  await pause(1000);
  expect(filterUnexpectedLines(lines)).toEqual([OUTAGE_MESSAGE]);
  expect(outageReasons.at(-1)).toBe('the server does not respond');
  relay.thaw();
  await expect.poll(() => callStatus()).toBe(404);
  expect(filterUnexpectedLines(lines)).toEqual([OUTAGE_MESSAGE, RECOVERY_MESSAGE]);
});

test('behind a proxy that accepts and then closes connections, the program reconnects at a steady rate, and is ready at the first success', async () => {
  const retryEveryMs = 100;
  const { relay, lines, callStatus, readStatus } = await startServer({ retryEveryMs });
  relay.disconnectServer();
  await expect.poll(() => callStatus()).toBe(503);
  const [acceptedBefore, start] = [relay.countAccepted(), performance.now()];
  // Neither requests nor jobs open further connections.
  while (relay.countAccepted() - acceptedBefore < 15) expect(await readStatus('/readyz')).toBe(503);
  expect(relay.countAccepted() - acceptedBefore).toBeLessThanOrEqual((performance.now() - start) / retryEveryMs + 1);
  expect(relay.countConnections()).toBeLessThanOrEqual(2);
  relay.reconnectServer();
  const attempts = relay.countAccepted();
  await expect.poll(() => readStatus('/readyz'), { interval: 10 }).toBe(200);
  expect(await callStatus()).toBe(404);
  // The listener and the pool's four, each with one connection to the relay and one to the server.
  expect(relay.countAccepted() - attempts).toBeLessThanOrEqual(5);
  expect(relay.countConnections()).toBeLessThanOrEqual(10);
  expect(filterUnexpectedLines(lines)).toEqual([OUTAGE_MESSAGE, RECOVERY_MESSAGE]);
});

/**
 * Ends the listening connection first. Otherwise, the program would query that connection, get a response, and also log
 * its loss.
 */
const TERMINATE_CONNECTIONS = `
  select pg_terminate_backend(pid) from (
    select pid from pg_stat_activity where usename = $1
    order by query = 'select 1' or query like 'listen%' desc
  ) connections`;

test('a rejected database login is treated as an outage', async () => {
  const { databaseUrl } = await createTestDatabaseLocation();
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  const role = `locked_out_${Date.now()}`;
  await owner.query(`create role ${role} superuser login password 'a'`);
  const { lines, callStatus, readStatus } = await startServerAt(
    Object.assign(new URL(databaseUrl), { username: role, password: 'a' }).href,
  );
  expect(await callStatus()).toBe(404);
  await owner.query(`alter role ${role} password 'b'`);
  await owner.query(TERMINATE_CONNECTIONS, [role]);
  await expect.poll(() => filterUnexpectedLines(lines)).toContain(OUTAGE_MESSAGE);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    expect(await callStatus()).toBe(503);
    await pause(30);
  }
  expect(await readStatus('/readyz')).toBe(503);
  expect(filterUnexpectedLines(lines)).toEqual([OUTAGE_MESSAGE]);
  await owner.query(`alter role ${role} password 'a'`);
  await expect.poll(() => callStatus()).toBe(404);
  expect(filterUnexpectedLines(lines)).toEqual([OUTAGE_MESSAGE, RECOVERY_MESSAGE]);
  await owner.end();
});

test('gifts succeed while the mail server is down, and each gets one email once it’s back', async () => {
  const emailSink = await startEmailSink();
  const relay = await startNetworkRelay(emailSink.url);
  const { databaseUrl } = await createTestDatabaseLocation();
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '4',
    DATA_DIR: await createScratchFolder('outage'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    SMTP_URL: relay.url,
  });
  // Opening a connection is slow on a busy machine.
  const server = await serve(config, { webFolder: await createWebFolder(), limits: { connectMs: MINUTE_MS } });
  onTestFinished(async () => {
    await server.close();
    await relay.close();
    await emailSink.close();
  });
  const orgId = await addOrg(server.deps.db);
  const giveAndPoll = async () => {
    const { checkoutId = '' } = (await payByCard(server.url, orgId, 5)) ?? {};
    return async () => {
      const response = await fetch(server.url + callPath('readCheckout', { orgid: orgId, checkoutid: checkoutId }));
      return ((await response.json()) as Checkout).paymentStatus;
    };
  };
  relay.freeze();
  await expect.poll(await giveAndPoll()).toBe('paid');
  await expect.poll(() => relay.countConnections()).toBeGreaterThan(0);
  await relay.cut();
  await expect.poll(await giveAndPoll()).toBe('paid');
  expect(emailSink.countEmails().emails).toBe(0);
  relay.thaw();
  await relay.restore();
  await expect.poll(() => emailSink.countEmails()).toEqual({ emails: 2, duplicates: [] });
});
