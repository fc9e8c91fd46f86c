// @spec 1.fund 3.profile
import fc from 'fast-check';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { buildPageQuery, findNeighbors, type ListOrder, type PageRequest, readPage } from '#server/db/keyset.ts';
import { createListPage } from '#server/http/list-page.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { pickRunCount } from '#test/support/run-count.ts';

type Story = { id: string; org_id: string; shown: boolean; created_at: Date };
type PlainRow = { id: string; created_at: Date };

const { pool } = await createTestDatabase();
const db = new Kysely<{ stories: Story; plains: PlainRow }>({ dialect: new PostgresDialect({ pool }) });
await pool.query(`
  create table stories (id text primary key, org_id text not null, shown boolean not null default true,
    created_at timestamptz(3) not null);
  create index stories_by_age on stories (org_id, created_at, id);
  create table plains (id text primary key, created_at timestamptz(3) not null)`);
beforeEach(() => pool.query('delete from stories; delete from plains'));

const START = Date.parse('2024-01-01T00:00:00Z');
const timeAt = (milliseconds: number) => new Date(START + milliseconds);
const storyRow = (id: string, age: number, org_id = 'ours', shown = true): Story => ({
  id,
  org_id,
  shown,
  created_at: timeAt(age),
});
const insertStories = (stories: readonly Story[]) => db.insertInto('stories').values(stories).execute();
const selectStories = () => db.selectFrom('stories').select('id');
const rowIds = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

/** The expected ids, ordered by time, then by id. */
const expectedIds = (rows: readonly Story[], order: ListOrder) => {
  const sorted = rows.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1));
  return rowIds(order === 'asc' ? sorted : sorted.reverse());
};

/** The ids of one page, and the cursor of the next. */
async function readList(page: PageRequest) {
  const rows = await readPage(selectStories(), 'stories', { ...page, max: page.max + 1 }, 'ours');
  return createListPage(rows, page.max, ({ id }) => id);
}

/** Reads all pages and runs a callback after each. */
async function readAll(max: number, order: ListOrder, afterPage: (page: number) => Promise<void> = async () => {}) {
  const ids: string[] = [];
  let cursorRef: string | undefined;
  do {
    const { items, nextCursor } = await readList({ max, order, cursorRef });
    ids.push(...items);
    cursorRef = nextCursor;
    await afterPage(ids.length);
  } while (cursorRef !== undefined);
  return ids;
}

// Few distinct times, so that many rows share one, and ids of different lengths.
const lists = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme-ascii' }), fc.nat(4)), {
  selector: ([id]) => id,
  maxLength: 25,
});
const orders = fc.constantFrom<ListOrder>('asc', 'desc');

test('the pages together form the complete list, for any times and page size', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 7 }), orders, async (list, max, order) => {
      await pool.query('delete from stories');
      const rows = list.map(([id, age]) => storyRow(id, age));
      if (rows.length > 0) await insertStories(rows);
      expect(await readAll(max, order)).toEqual(expectedIds(rows, order));
    }),
    { numRuns: pickRunCount(6, 40) },
  );
});

test('new rows do not shift a list read newest first', async () => {
  const rows = Array.from({ length: 12 }, (_, index) => storyRow(`s${index}`, Math.floor(index / 3)));
  await insertStories(rows);
  const ids = await readAll(5, 'desc', (page) => insertStories([storyRow(`new${page}`, 1000 + page)]).then(() => {}));
  expect(ids).toEqual(expectedIds(rows, 'desc'));
});

test('new rows appear at the end of a list read oldest first', async () => {
  await insertStories([storyRow('a', 0), storyRow('b', 0), storyRow('c', 1)]);
  const ids = await readAll(2, 'asc', (count) =>
    count === 2 ? insertStories([storyRow('d', 9)]).then(() => {}) : Promise.resolve(),
  );
  expect(ids).toEqual(['a', 'b', 'c', 'd']);
});

test('rows that differ by one millisecond keep their order, and none is skipped', async () => {
  const rows = ['z', 'y', 'x', 'w'].map((id, index) => storyRow(id, index));
  await insertStories(rows);
  expect(await readAll(1, 'desc')).toEqual(['w', 'x', 'y', 'z']);
  expect(await readAll(1, 'asc')).toEqual(['z', 'y', 'x', 'w']);
});

test('the page before a cursor has the rows just before it, in list order', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => storyRow(`s${index}`, Math.floor(index / 4)));
  await insertStories(rows);
  for (const order of ['asc', 'desc'] as const) {
    const expectedList = expectedIds(rows, order);
    const previousPage = await readPage(
      selectStories(),
      'stories',
      { max: 3, order, cursorRef: expectedList[6], isNext: false },
      'ours',
    );
    expect(rowIds(previousPage)).toEqual(expectedList.slice(3, 6));
    const nextPage = await readPage(
      selectStories(),
      'stories',
      { max: 3, order, cursorRef: expectedList[6], isNext: true },
      'ours',
    );
    expect(rowIds(nextPage)).toEqual(expectedList.slice(7, 10));
    const start = await readPage(
      selectStories(),
      'stories',
      { max: 3, order, cursorRef: expectedList[1], isNext: false },
      'ours',
    );
    expect(rowIds(start)).toEqual(expectedList.slice(0, 1));
  }
});

const CURSOR_ERROR = { code: 'unknown-cursor', details: { field: 'cursorRef' } };

// @asvs 8.4.1
test('other organizations’ rows never appear on a page, and their ids aren’t valid cursors', async () => {
  await insertStories([storyRow('a', 1), storyRow('b', 3), storyRow('theirs', 2, 'theirs')]);
  const first = await buildPageQuery(selectStories(), 'stories', { max: 10, order: 'asc' }, 'ours').execute();
  expect(rowIds(first)).toEqual(['a', 'b']);
  const nextPage = readPage(selectStories(), 'stories', { max: 10, order: 'asc', cursorRef: 'theirs' }, 'ours');
  await expect(nextPage).rejects.toMatchObject(CURSOR_ERROR);
});

test('an unknown cursor is rejected in either direction; the last row is valid', async () => {
  await insertStories([storyRow('a', 1), storyRow('hidden', 0, 'ours', false)]);
  const page = { max: 10, order: 'desc' } as const;
  for (const isNext of [true, false]) {
    const rejectedPage = readPage(selectStories(), 'stories', { ...page, cursorRef: 'gone', isNext }, 'ours');
    await expect(rejectedPage).rejects.toMatchObject({
      ...CURSOR_ERROR,
      details: { ...CURSOR_ERROR.details, cursor: 'gone' },
    });
  }
  const visibleStories = selectStories().where('shown', '=', true);
  expect(await readPage(visibleStories, 'stories', { ...page, cursorRef: 'hidden' }, 'ours')).toEqual([]);
  expect(await readPage(visibleStories, 'stories', { ...page, cursorRef: 'a', isNext: false }, 'ours')).toEqual([]);
});

test('the filter of a list applies to pages and neighbors', async () => {
  await insertStories([storyRow('a', 1), storyRow('hidden', 2, 'ours', false), storyRow('c', 3)]);
  const visibleStories = selectStories().where('shown', '=', true);
  expect(rowIds(await buildPageQuery(visibleStories, 'stories', { max: 10, order: 'desc' }, 'ours').execute())).toEqual(
    ['c', 'a'],
  );
  expect(await findNeighbors(visibleStories, 'stories', { id: 'c', order: 'desc' }, 'ours')).toEqual({
    previous: undefined,
    next: { id: 'a' },
  });
});

test('a table without an org_id column can be paged', async () => {
  const plainRow = (id: string, age: number) => ({ id, created_at: timeAt(age) });
  await db
    .insertInto('plains')
    .values([plainRow('a', 1), plainRow('b', 2), plainRow('c', 2)])
    .execute();
  const rows = await buildPageQuery(db.selectFrom('plains').selectAll(), 'plains', { max: 2, order: 'desc' }).execute();
  expect(rows).toEqual([plainRow('c', 2), plainRow('b', 2)]);
});

test('the neighbors of every row are the ones next to it in the list', async () => {
  await fc.assert(
    fc.asyncProperty(lists, orders, async (list, order) => {
      await pool.query('delete from stories');
      const rows = list.map(([id, age]) => storyRow(id, age));
      if (rows.length > 0) await insertStories([...rows, storyRow('their', 2, 'theirs')]);
      const expectedList = expectedIds(rows, order);
      for (const [index, id] of expectedList.entries()) {
        const { previous, next } = await findNeighbors(selectStories(), 'stories', { id, order }, 'ours');
        expect([previous?.id, next?.id]).toEqual([expectedList[index - 1], expectedList[index + 1]]);
      }
    }),
    { numRuns: pickRunCount(2, 10) },
  );
});

test('a missing row has no neighbors', async () => {
  await insertStories([storyRow('a', 1)]);
  const noNeighbors = { previous: undefined, next: undefined };
  expect(await findNeighbors(selectStories(), 'stories', { id: 'gone', order: 'desc' }, 'ours')).toEqual(noNeighbors);
});

test('pages and neighbors deep in a long list use the index without sorting', async () => {
  await sql`insert into stories select 's' || i, 'ours', true, ${timeAt(0)}::timestamptz + i * interval '1 second'
    from generate_series(1, 20000) i`.execute(db);
  await pool.query('vacuum analyze stories');
  const page = buildPageQuery(selectStories(), 'stories', { max: 10, order: 'desc', cursorRef: 's10000' }, 'ours');
  const plan = JSON.stringify(await page.explain('json'));
  expect(plan).toContain('stories_by_age');
  expect(plan).toContain('ROW(created_at, id) <');
  expect(plan).not.toMatch(/"Node Type":"(?:Sort|Seq Scan|Incremental Sort)"/);
  const rows = await page.execute();
  expect(rows[0]).toEqual({ id: 's9999' });
});

test.each(['asc', 'desc'] as const)(
  'no page links to an empty one, and a page can start at its cursor: %s',
  async (order) => {
    await insertStories([storyRow('a', 0), storyRow('b', 0), storyRow('c', 1), storyRow('d', 2)]);
    const ids = expectedIds(await db.selectFrom('stories').selectAll().execute(), order);
    const readFrom = (max: number, from: Partial<PageRequest> = {}) => readList({ max, order, ...from });
    expect(await readFrom(4)).toMatchObject({ items: ids, nextCursor: undefined });
    expect((await readFrom(2)).nextCursor).toBe(ids[1]);
    expect((await readFrom(2, { cursorRef: ids[1] })).nextCursor).toBeUndefined();
    const pageAtCursor = await readFrom(1, { cursorRef: ids[1], startAt: true });
    expect([pageAtCursor.items, pageAtCursor.nextCursor]).toEqual([[ids[1]], ids[1]]);
    expect((await readFrom(9, { cursorRef: ids[2], startAt: true })).items).toEqual(ids.slice(2));
    await expect(readFrom(1, { cursorRef: 'unknown', startAt: true })).rejects.toMatchObject({
      code: 'unknown-cursor',
    });
  },
);
