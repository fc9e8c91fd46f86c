import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { payByCard } from '#scripts/crash-test/donors.ts';
import { startEmailSink } from '#scripts/crash-test/email-sink.ts';
import { startNetworkRelay } from '#scripts/network-relay.ts';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { readConfig } from '#server/config.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { serve } from '#server/main.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabaseLocation } from '#test/support/database.ts';
import { createWebFolder } from '#test/support/web-folder.ts';
import {
  MINUTE_MS,
  OUTAGE_MESSAGE,
  outageReasons,
  RECOVERY_MESSAGE,
  startServer,
  startServerAt,
  unexpectedLines,
} from './relayed-server.ts';

test('no request hangs while the database is frozen, and the program recovers afterwards', async () => {
  const { relay, lines, callStatus, statusOf, db } = await startServer({ connectMs: MINUTE_MS });
  relay.freeze();
  // Sends more requests than there are connections, each for different data.
  const statuses = Array.from({ length: 10 }, (_, number) => statusOf(`/api/orgs/nobody-${number}`));
  const lostTransaction = inTransaction(db, async (tx) => {
    await tx.selectFrom('orgs').select('id').execute();
  }).catch((error: Error) => error);
  expect(await statusOf('/healthz')).toBe(200);
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([503]));
  expect(await lostTransaction).toBeInstanceOf(Error);
  expect(await statusOf('/readyz')).toBe(503);
  // No request is waiting for a connection anymore.
  for (let attempt = 0; attempt < 10; attempt += 1) expect(await callStatus()).toBe(503);
  await pause(1000);
  expect(unexpectedLines(lines)).toEqual([OUTAGE_MESSAGE]);
  expect(outageReasons.at(-1)).toBe('the server does not respond');
  relay.thaw();
  await expect.poll(() => callStatus()).toBe(404);
  expect(unexpectedLines(lines)).toEqual([OUTAGE_MESSAGE, RECOVERY_MESSAGE]);
});

test('behind a proxy that accepts and then closes connections, the program reconnects at a steady rate, and is ready at the first success', async () => {
  const retryEveryMs = 100;
  const { relay, lines, callStatus, statusOf } = await startServer({ retryEveryMs });
  relay.loseServer();
  await expect.poll(() => callStatus()).toBe(503);
  const [acceptedBefore, start] = [relay.accepted(), performance.now()];
  // Neither requests nor jobs open further connections.
  while (relay.accepted() - acceptedBefore < 15) expect(await statusOf('/readyz')).toBe(503);
  expect(relay.accepted() - acceptedBefore).toBeLessThanOrEqual((performance.now() - start) / retryEveryMs + 1);
  expect(relay.connections()).toBeLessThanOrEqual(2);
  relay.findServer();
  const attempts = relay.accepted();
  await expect.poll(() => statusOf('/readyz'), { interval: 10 }).toBe(200);
  expect(await callStatus()).toBe(404);
  // The listener and the pool's four, each with one connection to the relay and one to the server.
  expect(relay.accepted() - attempts).toBeLessThanOrEqual(5);
  expect(relay.connections()).toBeLessThanOrEqual(10);
  expect(unexpectedLines(lines)).toEqual([OUTAGE_MESSAGE, RECOVERY_MESSAGE]);
});

/**
 * If another connection ended first, the program would query the listening one, get a response, and log that loss too.
 */
const LISTENER_FIRST = `
  select pg_terminate_backend(pid) from (
    select pid from pg_stat_activity where usename = $1
    order by query = 'select 1' or query like 'listen%' desc
  ) connections`;

test('a rejected database login is treated as an outage', async () => {
  const { databaseUrl } = await testDatabaseLocation();
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  const role = `locked_out_${Date.now()}`;
  await owner.query(`create role ${role} superuser login password 'a'`);
  const { lines, callStatus, statusOf } = await startServerAt(
    Object.assign(new URL(databaseUrl), { username: role, password: 'a' }).href,
  );
  expect(await callStatus()).toBe(404);
  await owner.query(`alter role ${role} password 'b'`);
  await owner.query(LISTENER_FIRST, [role]);
  await expect.poll(() => unexpectedLines(lines)).toContain(OUTAGE_MESSAGE);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    expect(await callStatus()).toBe(503);
    await pause(30);
  }
  expect(await statusOf('/readyz')).toBe(503);
  expect(unexpectedLines(lines)).toEqual([OUTAGE_MESSAGE]);
  await owner.query(`alter role ${role} password 'a'`);
  await expect.poll(() => callStatus()).toBe(404);
  expect(unexpectedLines(lines)).toEqual([OUTAGE_MESSAGE, RECOVERY_MESSAGE]);
  await owner.end();
});

test('gifts succeed while the mail server is down, and each gets one email once it’s back', async () => {
  const email = await startEmailSink();
  const relay = await startNetworkRelay(email.url);
  const { databaseUrl } = await testDatabaseLocation();
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '4',
    DATA_DIR: await scratchFolder('outage'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    SMTP_URL: relay.url,
  });
  // Opening a connection is slow on a busy machine.
  const server = await serve(config, { webFolder: await createWebFolder(), limits: { connectMs: MINUTE_MS } });
  afterAll(async () => {
    await server.close();
    await relay.close();
    await email.close();
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
  await expect.poll(() => relay.connections()).toBeGreaterThan(0);
  await relay.cut();
  await expect.poll(await giveAndPoll()).toBe('paid');
  expect(email.counts().emails).toBe(0);
  relay.thaw();
  await relay.restore();
  await expect.poll(() => email.counts()).toEqual({ emails: 2, duplicates: [] });
});
