import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startNetworkRelay } from '#scripts/network-relay.ts';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { readConfig } from '#server/config.ts';
import { type DatabaseLimits, takingLong } from '#server/db/limits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { databaseBackAt } from '#server/features/operation/alarm-marks.ts';
import { serve } from '#server/main.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabasePlace } from '#test/support/database.ts';
import { makeWebFolder } from '#test/support/web-folder.ts';

/** The first is short, and yet longer than a busy machine takes for an answer. */
const SHORT = { answerMs: 4000, askEveryMs: 100, retryEveryMs: 20, giveUpMs: 100, connectMs: 5000 };
/** Longer than a call may take here, so that who waits for it fails. How soon all is back is measured by the crash test. */
const A_MINUTE_MS = 60_000;

/** The program with jobs and all, and the network between it and its database. */
async function program(limits: Partial<DatabaseLimits> = {}) {
  const { databaseUrl = '' } = await testDatabasePlace();
  return programAt(databaseUrl, limits);
}

async function programAt(databaseUrl: string, limits: Partial<DatabaseLimits> = {}) {
  const relay = await startNetworkRelay(databaseUrl);
  const lines: string[] = [];
  const serving = await serve(
    readConfig({
      ...{ DATABASE_URL: relay.url, DATA_DIR: await scratchFolder('outage'), PORT: '0', LOG_LEVEL: 'warn' },
      DATABASE_POOL: '4',
    }),
    {
      webFolder: await makeWebFolder(),
      output: { write: (line: string) => void lines.push(messageOf(line)) },
      limits: { ...SHORT, ...limits },
    },
  );
  afterAll(async () => {
    await serving.close();
    await relay.close();
  });
  const orgid = await addOrg(serving.deps.db);
  const get = (path: string) => fetch(serving.url + path, { signal: AbortSignal.timeout(A_MINUTE_MS / 2) });
  const statusOf = async (path: string) => (await get(path)).status;
  /** Asks the database, also where answers are kept: whose organization is there is not among them. */
  const call = () => get('/api/orgs/nobody');
  const callStatus = async () => (await call()).status;
  return { serving, relay, lines, orgid, call, callStatus, statusOf, db: serving.deps.db };
}

/** Why the database was said to be out of reach. */
const reasons: string[] = [];

function messageOf(line: string): string {
  const { msg, reason }: { msg: string; reason?: string } = JSON.parse(line);
  reasons.push(...(reason === undefined ? [] : [reason]));
  return msg;
}

/** Without what is about files that the build makes, and about a busy machine. */
function told(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== 'the places could not be read' && line !== 'a query was slow');
}

const OUT = 'the database is out of reach: what needs it is refused until it is back';
const BACK = 'the database answers again';

test('while the database is cut off, calls say to come back, and the log says so once', async () => {
  const { serving, relay, lines, orgid, call, callStatus, statusOf, db } = await program();
  const heard: (string | undefined)[] = [];
  await db.listen('org_changed', (payload) => heard.push(payload));
  expect(await callStatus()).toBe(404);
  await relay.cut();
  for (let time = 0; time < 40; time += 1) {
    const answer = await call();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await answer.json()).toMatchObject({ code: 'out-of-order' });
    // Longer than the jobs take to look.
    await pause(30);
  }
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
  expect(told(lines)).toEqual([OUT]);
  await relay.mend();
  await expect.poll(() => callStatus()).toBe(404);
  expect(await statusOf('/readyz')).toBe(200);
  // Pages and caches ask anew, and hear what comes.
  await expect.poll(() => heard).toContain(undefined);
  await db.pool.query(`select pg_notify('org_changed', $1)`, [`${orgid} 77`]);
  await expect.poll(() => heard).toContain(`${orgid} 77`);
  expect(told(lines)).toEqual([OUT, BACK]);
  expect(await serving.deps.metrics.text()).toContain('\nfund_database_outages_total 1\n');
  // By which operators are mailed.
  await expect.poll(() => databaseBackAt(db)).toBeInstanceOf(Date);
});

test('while the database is frozen nothing hangs, and afterwards everything works by itself', async () => {
  const { relay, lines, callStatus, statusOf, db } = await program({ connectMs: A_MINUTE_MS });
  relay.freeze();
  // More than there are connections, and each asks something else.
  const waiting = Array.from({ length: 10 }, (_, number) => statusOf(`/api/orgs/nobody-${number}`));
  const lost = inTransaction(db, async (tx) => {
    await tx.selectFrom('orgs').select('id').execute();
  }).catch((error: Error) => error);
  expect(await statusOf('/healthz')).toBe(200);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]));
  expect(await lost).toBeInstanceOf(Error);
  expect(await statusOf('/readyz')).toBe(503);
  // Nothing waits for a connection any more.
  for (let time = 0; time < 10; time += 1) expect(await callStatus()).toBe(503);
  await pause(1000);
  expect(told(lines)).toEqual([OUT]);
  expect(reasons.at(-1)).toBe('it does not answer');
  relay.thaw();
  await expect.poll(() => callStatus()).toBe(404);
  expect(told(lines)).toEqual([OUT, BACK]);
});

/** If another connection ended first, the program would ask the one that listens, get an answer, and log that loss too. */
const LISTENER_FIRST = `
  select pg_terminate_backend(pid) from (
    select pid from pg_stat_activity where usename = $1
    order by query = 'select 1' or query like 'listen%' desc
  ) connections`;

test('a database that does not let the program in any more is out as well: its password was changed, say', async () => {
  const { databaseUrl = '' } = await testDatabasePlace();
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  const role = `locked_out_${Date.now()}`;
  await owner.query(`create role ${role} superuser login password 'a'`);
  const { lines, callStatus, statusOf } = await programAt(
    Object.assign(new URL(databaseUrl), { username: role, password: 'a' }).href,
  );
  expect(await callStatus()).toBe(404);
  await owner.query(`alter role ${role} password 'b'`);
  await owner.query(LISTENER_FIRST, [role]);
  await expect.poll(() => told(lines)).toContain(OUT);
  for (let time = 0; time < 20; time += 1) {
    expect(await callStatus()).toBe(503);
    await pause(30);
  }
  expect(await statusOf('/readyz')).toBe(503);
  expect(told(lines)).toEqual([OUT]);
  await owner.query(`alter role ${role} password 'a'`);
  await expect.poll(() => callStatus()).toBe(404);
  expect(told(lines)).toEqual([OUT, BACK]);
  await owner.end();
});

test('what takes too long ends, unless it is known to take long', async () => {
  const { relay, db, lines } = await program({
    answerMs: 10_000,
    statementMs: 400,
    lockMs: 200,
    idleInTransactionMs: 600,
  });
  await expect(db.pool.query('select pg_sleep(3)')).rejects.toMatchObject({ code: '57014' });
  await takingLong(() => db.pool.query('select pg_sleep(0.8)'));
  await expect(db.pool.query('select pg_sleep(3)')).rejects.toMatchObject({ code: '57014' });
  const holder = await db.pool.connect();
  await holder.query('begin');
  await holder.query('lock table orgs');
  await expect(db.pool.query('select id from orgs')).rejects.toMatchObject({ code: '55P03' });
  // It asks for nothing, and holds up everybody.
  await expect.poll(async () => (await db.pool.query('select id from orgs')).rowCount).toBe(1);
  await expect(holder.query('select 1')).rejects.toThrow();
  holder.release();
  expect(told(lines)).toEqual([]);
  await relay.close();
});
