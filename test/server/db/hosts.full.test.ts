import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { startPostgresServer } from '#scripts/postgres/start-postgres.ts';
import { openDatabase } from '#server/db/connection.ts';
import { splitHosts } from '#server/db/hosts.ts';
import { DEFAULT_LIMITS } from '#server/db/limits.ts';
import { openNotifications } from '#server/db/notifications.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { runStatements } from '#test/support/postgres-server.ts';

const LIMITS = { retryEveryMs: 20 };
const standby = await startPostgresServer({
  isStandby: true,
  settings: { wal_level: 'replica', max_wal_senders: '10' },
});
const primary = await startPostgresServer();
afterAll(() => Promise.all([standby.stop(), primary.stop()]));
const { password } = new URL(standby.url);
await runStatements(primary.url, `alter role postgres password '${password}'`);
const hosts = [standby, primary].map(({ url }) => new URL(url).host);

const openHosts = (host: string) => {
  const databaseUrl = `postgres://postgres:${password}@${host}/postgres?target_session_attrs=read-write`;
  return openDatabase({ databaseUrl, dataDir: '', log: createLogSpy().log, limits: LIMITS });
};

test('a connection string with several hosts is split into one per host', () => {
  const url = 'postgres://fund:p%40ss@one,two:5433,[::1]:5434/fund?sslmode=require';
  expect(splitHosts(url)).toEqual([
    'postgres://fund:p%40ss@one/fund?sslmode=require',
    'postgres://fund:p%40ss@two:5433/fund?sslmode=require',
    'postgres://fund:p%40ss@[::1]:5434/fund?sslmode=require',
  ]);
  expect(splitHosts('postgres:///fund')).toEqual(['postgres:///fund']);
});

test('a standby alone is rejected', async () => {
  await expect(openHosts(hosts[0] ?? '')).rejects.toThrow(
    'cannot be used: the server is a standby, which accepts no writes.',
  );
});

test('too many connections to the primary don’t lead to another host', async () => {
  const url = new URL(primary.url);
  Object.assign(url, { username: 'limited', password: 'of-the-role' });
  await runStatements(primary.url, `create role limited login password '${url.password}'`);
  const hostsSpy = {
    current: vi.fn(() => url.href),
    skip: vi.fn(),
    tryEach: () => Promise.reject(new Error('unused')),
  };
  const limits = { ...DEFAULT_LIMITS, ...LIMITS };
  const notifications = openNotifications(hostsSpy, limits, createLogSpy().log, () => {});
  onTestFinished(() => notifications.close());
  const onNotification = vi.fn();
  await notifications.listen('news', onNotification);
  await runStatements(
    primary.url,
    'alter role limited connection limit 0',
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'limited'`,
  );
  await expect.poll(() => hostsSpy.current.mock.calls.length).toBeGreaterThan(2);
  await runStatements(primary.url, 'alter role limited connection limit -1');
  await expect.poll(() => onNotification.mock.calls).toEqual([[undefined]]);
  expect(hostsSpy.skip).not.toHaveBeenCalled();
});

test('of several hosts, the one that accepts writes is used, even after a failover', async () => {
  const db = await openHosts(hosts.join(','));
  const createTable = () => db.pool.query('create table if not exists written (number int4)');
  await createTable();
  const notifications: unknown[] = [];
  await db.listen('news', (payload) => notifications.push(payload));
  await primary.stop();
  await expect.poll(() => db.availability.isDown()).toBe(true);
  await expect(createTable()).rejects.toThrow('unreachable');
  await runStatements(standby.url, 'select pg_promote()');
  await expect.poll(() => db.availability.isDown()).toBe(false);
  await createTable();
  expect(notifications).toEqual([undefined]);
  await db.close();
});
