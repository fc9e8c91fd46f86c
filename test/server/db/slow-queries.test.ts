import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { normalizeQuery, warnAboutSlowQueries } from '#server/db/slow-queries.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { createLogger, runWithRequestId } from '#server/log.ts';
import { createTestDatabase } from '#test/support/database.ts';

/** Creates a database whose queries take a given time on the test's clock. */
async function createSlowDatabase(limit = 1000) {
  const db = await createTestDatabase();
  const clock = { now: 0, queryMs: 0 };
  let slowCount = 0;
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
  warnAboutSlowQueries(db.pool, {
    log,
    limit,
    onQuery: (milliseconds) => (slowCount += milliseconds < limit ? 0 : 1),
    time: () => (clock.now += clock.queryMs),
  });
  const runSlowly = async (run: () => Promise<unknown>, milliseconds = 1500) => {
    clock.queryMs = milliseconds;
    await run();
    clock.queryMs = 0;
  };
  return { db, clock, runSlowly, lines, slowCount: () => slowCount };
}

const SECRET = 'hunter2';

test('a slow query is logged without its values, however it was sent', async () => {
  const { db, clock, runSlowly, lines } = await createSlowDatabase();
  await runSlowly(() => sql`select ${SECRET}::text as a, 'hunter2' as b, 41 as c`.execute(db.kysely));
  clock.now += 10_000;
  await runSlowly(() => db.pool.query('select $1::text as pooled', [SECRET]));
  clock.now += 10_000;
  await runSlowly(() => inTransaction(db, (tx) => sql`select ${SECRET}::text as inside`.execute(tx)));
  clock.now += 10_000;
  await runSlowly(() => db.pool.query(`select 1 / 0 as 'hunter2'`).catch(() => {}));
  const queries = lines.map(({ query, milliseconds, msg }) => [query, milliseconds, msg]);
  const logEntry = (query: string) => [query, 1500, 'a query was slow'];
  expect(queries).toContainEqual(logEntry('select $1::text as a, ? as b, ? as c'));
  expect(queries).toContainEqual(logEntry('select $1::text as pooled'));
  expect(queries).toContainEqual(logEntry('select $1::text as inside'));
  expect(queries).toContainEqual(logEntry('select ? / ? as ?'));
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

test('a query within the limit isn’t logged', async () => {
  const { db, runSlowly, lines, slowCount } = await createSlowDatabase(1501);
  await runSlowly(() => db.pool.query('select 1'));
  expect([lines, slowCount()]).toEqual([[], 0]);
});

test('the same slow query is logged once in ten seconds with a count', async () => {
  const { db, clock, runSlowly, lines, slowCount } = await createSlowDatabase();
  for (let round = 0; round < 3; round += 1) await runSlowly(() => db.pool.query('select 1'));
  expect([lines.length, slowCount()]).toEqual([1, 3]);
  clock.now += 10_000;
  await runSlowly(() => db.pool.query('select 2'));
  expect(lines.slice(1)).toMatchObject([{ query: 'select ?', unloggedSinceLast: 2 }]);
});

test('a slow query is attributed to the request that waited, not the one that opened the connection', async () => {
  const { db, runSlowly, lines } = await createSlowDatabase();
  const runDuring = (id: string, run: () => Promise<unknown>) =>
    new Promise((resolve) => {
      const response = { once: () => response };
      runWithRequestId(id, response as never, () => void runSlowly(run).then(resolve));
    });
  await runDuring('the-first', () => db.pool.query('select 1 as first'));
  await runDuring('the-second', () => db.pool.query('select 1 as second'));
  await runDuring('the-third', () => sql`select 1 as third`.execute(db.kysely));
  expect(lines.map(({ query, reqId }) => [query, reqId])).toEqual([
    ['select ? as first', 'the-first'],
    ['select ? as second', 'the-second'],
    ['select ? as third', 'the-third'],
  ]);
});

test.each([
  [`select 'a''b -- c', "it's"`, `select ?, "it's"`],
  [`select e'a\\'b', E'x' from t`, 'select ?, ? from t'],
  ['select $$secret$$, $tag$se$cret$tag$', 'select ?, ?'],
  [`select '/*', 'secret', '*/'`, 'select ?, ?, ?'],
  ['select 1 -- secret\nfrom t1', 'select ? from t1'],
  ['select /* secret\n */ -1.5e3, a.b2', 'select -?, a.b2'],
  ['insert into t values ($1, $2,\n$3)', 'insert into t values ($…)'],
  ['select $1', 'select $1'],
  [`a${'b'.repeat(700)}`, `a${'b'.repeat(599)}…`],
])('%s is logged without values', (query, shape) => expect(normalizeQuery(query)).toBe(shape));
