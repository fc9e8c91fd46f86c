import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startNetworkRelay } from '#scripts/network-relay.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { createLogger, runWithRequestId } from '#server/log.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const location = await createTestDatabaseLocation();

/** Collects the messages on a channel. `next` returns them one at a time. */
async function startListener(db: Database, channel: string) {
  const messages: (string | undefined)[] = [];
  let arrival = Promise.withResolvers<void>();
  const stop = await db.listen(channel, (payload) => {
    messages.push(payload);
    arrival.resolve();
  });
  const nextMessage = async () => {
    while (messages.length === 0) {
      arrival = Promise.withResolvers();
      await arrival.promise;
    }
    return messages.shift();
  };
  return { next: nextMessage, messages, stop };
}

const notify = (db: Database, channel: string, payload: string) =>
  db.pool.query('select pg_notify($1, $2)', [channel, payload]);

test('listeners receive only their channel’s notifications, until they stop', async () => {
  const db = await openDatabase({ ...location, log: createLogSpy().log });
  const [firstListener, secondListener, weatherListener] = [
    await startListener(db, 'news'),
    await startListener(db, 'news'),
    await startListener(db, 'weather'),
  ];
  await notify(db, 'news', 'first');
  expect([await firstListener.next(), await secondListener.next()]).toEqual(['first', 'first']);
  firstListener.stop();
  await notify(db, 'news', 'second');
  await notify(db, 'weather', 'rain');
  expect([await secondListener.next(), await weatherListener.next()]).toEqual(['second', 'rain']);
  expect(firstListener.messages).toEqual([]);
  // A reconnected listener receives messages without another query.
  const newListener = await startListener(db, 'news');
  await notify(db, 'news', 'third');
  expect(await newListener.next()).toBe('third');
  await db.close();
});

test('a notification in a transaction is delivered once, at commit', async () => {
  const db = await openDatabase({ ...location, log: createLogSpy().log });
  const { next, messages } = await startListener(db, 'news');
  const client = await db.pool.connect();
  await client.query('begin');
  await client.query(`select pg_notify('news', 'rolled back')`);
  await client.query('rollback');
  await client.query('begin');
  for (let count = 0; count < 3; count += 1) await client.query(`select pg_notify('news', 'committed')`);
  await client.query('commit');
  client.release();
  await notify(db, 'news', 'after');
  expect([await next(), await next(), messages]).toEqual(['committed', 'after', []]);
  await db.close();
});

const dropListeners = (db: Database) =>
  db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`,
  );

test('after a dropped connection, a listener is notified of a possible gap and keeps listening', async () => {
  const { log, loggedProblems } = createLogSpy();
  const db = await openDatabase({ ...location, log });
  const [news, weather] = [await startListener(db, 'news'), await startListener(db, 'weather')];
  for (let round = 0; round < 2; round += 1) {
    await dropListeners(db);
    expect([await news.next(), await weather.next()]).toEqual([undefined, undefined]);
    await notify(db, 'news', 'again');
    await notify(db, 'weather', 'sun');
    expect([await news.next(), await weather.next()]).toEqual(['again', 'sun']);
  }
  const lostMessage = 'the database connection that listens for notifications was lost';
  expect(loggedProblems).toEqual([lostMessage, lostMessage]);
  await db.close();
});

test('an outage is logged without a request id, even if a request detected it', async () => {
  const relay = await startNetworkRelay(location.databaseUrl ?? '');
  const lines: { readonly msg: string; readonly reqId?: string }[] = [];
  const log = createLogger('warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const limits = { responseMs: 1000, checkEveryMs: 600_000, retryEveryMs: 20 };
  const db = await openDatabase({ databaseUrl: relay.url, dataDir: location.dataDir, log, limits });
  await startListener(db, 'news');
  relay.freeze();
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  await new Promise<void>((resolve) => {
    runWithRequestId('the-request', response, () => void db.availability.check().then(() => resolve()));
  });
  relay.thaw();
  await expect.poll(() => lines.length).toBe(2);
  expect(lines.map(({ reqId }) => reqId)).toEqual([undefined, undefined]);
  await db.close();
  await relay.close();
});

test('a database closed while it reconnects its listener closes without waiting', async () => {
  const { log, loggedProblems } = createLogSpy();
  const db = await openDatabase({ ...location, log });
  await startListener(db, 'news');
  await dropListeners(db);
  const closing = Promise.race([db.close().then(() => 'closed'), pause(10_000, 'still open', { ref: false })]);
  expect(await closing).toBe('closed');
  expect(loggedProblems.length).toBeLessThanOrEqual(1);
});

test('behind a proxy that accepts and then closes connections, reconnects happen one at a time until the database is back', async () => {
  const relay = await startNetworkRelay(location.databaseUrl ?? '');
  const { log, loggedProblems } = createLogSpy();
  const [retryEveryMs, attempts] = [100, 15];
  const limits = { retryEveryMs };
  const db = await openDatabase({ databaseUrl: relay.url, dataDir: location.dataDir, log, limits });
  const { next } = await startListener(db, 'news');
  relay.disconnectServer();
  await expect.poll(() => db.availability.isDown()).toBe(true);
  const [acceptedBefore, start] = [relay.countAccepted(), performance.now()];
  await expect.poll(() => relay.countAccepted() - acceptedBefore).toBeGreaterThanOrEqual(attempts);
  const maxAttempts = (performance.now() - start) / retryEveryMs + 1;
  expect(relay.countAccepted() - acceptedBefore).toBeLessThanOrEqual(maxAttempts);
  relay.reconnectServer();
  expect(await next()).toBeUndefined();
  expect(await db.availability.check()).toBe(true);
  expect(loggedProblems.filter((line) => line.includes('is unreachable'))).toHaveLength(1);
  await db.close();
  await relay.close();
});
