import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { queryShape, warnOfSlowQueries } from '#server/db/slow-queries.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { createLogger, logAsRequest } from '#server/log.ts';
import { testDatabase } from '#test/support/database.ts';

/** Creates a database whose queries take a given time on the test's clock. */
async function createSlowDatabase(limit = 1000) {
  const db = await testDatabase();
  const clock = { now: 0, each: 0 };
  let queryCount = 0;
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
  warnOfSlowQueries(db.pool, {
    log,
    limit,
    onQuery: (milliseconds) => (queryCount += milliseconds < limit ? 0 : 1),
    time: () => (clock.now += clock.each),
  });
  const runSlowly = async (run: () => Promise<unknown>, milliseconds = 1500) => {
    clock.each = milliseconds;
    await run();
    clock.each = 0;
  };
  return { db, clock, slow: runSlowly, lines, counted: () => queryCount };
}

const SECRET = 'hunter2';

test('a slow query is logged without its values, however it was sent', async () => {
  const { db, clock, slow, lines } = await createSlowDatabase();
  await slow(() => sql`select ${SECRET}::text as a, 'hunter2' as b, 41 as c`.execute(db.kysely));
  clock.now += 10_000;
  await slow(() => db.pool.query('select $1::text as pooled', [SECRET]));
  clock.now += 10_000;
  await slow(() => inTransaction(db, (tx) => sql`select ${SECRET}::text as inside`.execute(tx)));
  clock.now += 10_000;
  await slow(() => db.pool.query(`select 1 / 0 as 'hunter2'`).catch(() => {}));
  const queries = lines.map(({ query, milliseconds, msg }) => [query, milliseconds, msg]);
  const logEntry = (query: string) => [query, 1500, 'a query was slow'];
  expect(queries).toContainEqual(logEntry('select $1::text as a, ? as b, ? as c'));
  expect(queries).toContainEqual(logEntry('select $1::text as pooled'));
  expect(queries).toContainEqual(logEntry('select $1::text as inside'));
  expect(queries).toContainEqual(logEntry('select ? / ? as ?'));
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

test('a query within the limit isn’t logged', async () => {
  const { db, slow, lines, counted: slowCount } = await createSlowDatabase(1501);
  await slow(() => db.pool.query('select 1'));
  expect([lines, slowCount()]).toEqual([[], 0]);
});

test('the same slow query is logged once in ten seconds with a count', async () => {
  const { db, clock, slow, lines, counted } = await createSlowDatabase();
  for (let round = 0; round < 3; round += 1) await slow(() => db.pool.query('select 1'));
  expect([lines.length, counted()]).toEqual([1, 3]);
  clock.now += 10_000;
  await slow(() => db.pool.query('select 2'));
  expect(lines.slice(1)).toMatchObject([{ query: 'select ?', unloggedSinceLast: 2 }]);
});

test('a slow query is attributed to the request that waited, not the one that opened the connection', async () => {
  const { db, slow, lines } = await createSlowDatabase();
  const runDuring = (id: string, run: () => Promise<unknown>) =>
    new Promise((resolve) => {
      const response = { once: () => response };
      logAsRequest(id, response as never, () => void slow(run).then(resolve));
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
])('%s is logged without values', (query, shape) => expect(queryShape(query)).toBe(shape));
