import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withLongTimeout } from '#server/db/limits.ts';
import { readOperationEvents } from '#server/features/operation/operation.store.ts';
import { filterUnexpectedLines, OUTAGE_MESSAGE, RECOVERY_MESSAGE, startServer } from './relayed-server.ts';

test('while the database is cut off, calls return Retry-After, and the outage is logged once', async () => {
  const { server, relay, lines, orgId, call, callStatus, readStatus, db } = await startServer();
  const messages: (string | undefined)[] = [];
  await db.listen('org_changed', (payload) => messages.push(payload));
  expect(await callStatus()).toBe(404);
  await relay.cut();
  for (let attempt = 0; attempt < 15; attempt += 1) {
    const response = await call();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await response.json()).toMatchObject({ code: 'database-unavailable' });
    // Pauses longer than the jobs' checks take.
    await pause(30);
  }
  expect([await readStatus('/healthz'), await readStatus('/readyz')]).toEqual([200, 503]);
  expect(filterUnexpectedLines(lines)).toEqual([OUTAGE_MESSAGE]);
  await relay.restore();
  await expect.poll(() => callStatus()).toBe(404);
  expect(await readStatus('/readyz')).toBe(200);
  // Pages and caches reload and receive the change.
  await expect.poll(() => messages).toContain(undefined);
  await db.pool.query(`select pg_notify('org_changed', $1)`, [`${orgId} 77`]);
  await expect.poll(() => messages).toContain(`${orgId} 77`);
  expect(filterUnexpectedLines(lines)).toEqual([OUTAGE_MESSAGE, RECOVERY_MESSAGE]);
  expect(await server.deps.metrics.text()).toContain('\nfund_database_outages_total 1\n');
  // The recovery triggers the alarm email to operators.
  await expect.poll(async () => (await readOperationEvents(db.kysely)).has('database-recovered')).toBe(true);
});

test('work that exceeds its time limit is ended unless it has a longer limit', async () => {
  const { relay, db, lines } = await startServer({
    responseMs: 10_000,
    // Longer than an ordinary query takes on a busy machine.
    queryMs: 1500,
    lockMs: 500,
    idleInTransactionMs: 1500,
  });
  await expect(db.pool.query('select pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
  await withLongTimeout(() => db.pool.query('select pg_sleep(2)'));
  await expect(db.pool.query('select pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
  const lockHolder = await db.pool.connect();
  await lockHolder.query('begin');
  await lockHolder.query('lock table orgs');
  await expect(db.pool.query('select id from orgs')).rejects.toMatchObject({ code: '55P03' });
  // The idle transaction blocks this query until the transaction times out.
  await expect.poll(async () => (await db.pool.query('select id from orgs')).rowCount).toBe(1);
  await expect(lockHolder.query('select 1')).rejects.toThrow();
  lockHolder.release();
  expect(filterUnexpectedLines(lines)).toEqual([]);
  await relay.close();
});
