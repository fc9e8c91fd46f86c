import { expect, test } from 'vitest';
import { startNetworkRelay } from '#scripts/network-relay.ts';
import { openDatabase } from '#server/db/connection.ts';
import { DEFAULT_LIMITS, withLongTimeout } from '#server/db/limits.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { runStatements } from '#test/support/postgres-server.ts';

const { databaseUrl: directUrl } = await createTestDatabaseLocation();
const role = `pooled_${Date.now()}`;
const ROLE_SETTINGS = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  statement_timeout: '30s',
  lock_timeout: '15s',
  idle_in_transaction_session_timeout: '60s',
};

test('behind a pooler, the role sets the time limits, and listening and long-running work use the server’s own address', async () => {
  await runStatements(directUrl, `create role ${role} superuser login password 'a'`);
  const roleUrl = Object.assign(new URL(directUrl), { username: role, password: 'a' }).href;
  const [poolerRelay, directRelay] = [await startNetworkRelay(roleUrl), await startNetworkRelay(roleUrl)];
  const { log } = createLogSpy();
  const location = { databaseUrl: poolerRelay.url, databaseListenUrl: directRelay.url, dataDir: '', log };
  await expect(openDatabase(location)).rejects.toThrow('its role lacks the settings that a pooler requires');
  for (const [name, value] of Object.entries(ROLE_SETTINGS))
    await runStatements(directUrl, `alter role ${role} set ${name} = '${value}'`);
  expect(directRelay.countAccepted()).toBe(0);

  const db = await openDatabase({ ...location, limits: { retryEveryMs: 20 } });
  const readLimit = async () => {
    const { rows } = await db.pool.query<{ ms: number }>(
      `select setting::int as ms from pg_settings where name = 'statement_timeout'`,
    );
    return rows[0]?.ms;
  };
  expect(await readLimit()).toBe(DEFAULT_LIMITS.queryMs);
  expect(directRelay.countAccepted()).toBe(0);
  expect(await withLongTimeout(readLimit)).toBe(DEFAULT_LIMITS.longQueryMs);
  expect(directRelay.countAccepted()).toBe(1);
  expect(await readLimit()).toBe(DEFAULT_LIMITS.queryMs);

  const messages: unknown[] = [];
  await db.listen('news', (payload) => messages.push(payload));
  expect(directRelay.countAccepted()).toBe(2);
  await db.pool.query(`select pg_notify('news', 'first')`);
  await expect.poll(() => messages).toEqual(['first']);

  // Only the pooler is down.
  await poolerRelay.cut();
  expect([await db.availability.check(), db.availability.isDown()]).toEqual([false, false]);
  await poolerRelay.restore();
  expect(await db.availability.check()).toBe(true);
  await db.close();
  await Promise.all([poolerRelay.close(), directRelay.close()]);
  await runStatements(directUrl, `drop role ${role}`);
});
