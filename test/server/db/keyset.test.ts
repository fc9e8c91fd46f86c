// @spec 1.fund 3.profile
import fc from 'fast-check';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { type ListOrder, neighborsOf, type Page, pageOf, readPage } from '#server/db/keyset.ts';
import { listPage } from '#server/http/list-page.ts';
import { testDatabase } from '#test/support/database.ts';
import { runs } from '#test/support/sizes.ts';

type Story = { id: string; org_id: string; shown: boolean; created_at: Date };
type Plain = { id: string; created_at: Date };

const { pool } = await testDatabase();
const db = new Kysely<{ stories: Story; plains: Plain }>({ dialect: new PostgresDialect({ pool }) });
await pool.query(`
  create table stories (id text primary key, org_id text not null, shown boolean not null default true,
    created_at timestamptz(3) not null);
  create index stories_by_age on stories (org_id, created_at, id);
  create table plains (id text primary key, created_at timestamptz(3) not null)`);
beforeEach(() => pool.query('delete from stories; delete from plains'));

const START = Date.parse('2024-01-01T00:00:00Z');
const timeAt = (milliseconds: number) => new Date(START + milliseconds);
const story = (id: string, age: number, org_id = 'ours', shown = true): Story => ({
  id,
  org_id,
  shown,
  created_at: timeAt(age),
});
const insert = (stories: readonly Story[]) => db.insertInto('stories').values(stories).execute();
const stories = () => db.selectFrom('stories').select('id');
const idsOf = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

/** The expected list: by time, then by id. */
const inOrder = (rows: readonly Story[], order: ListOrder) => {
  const sorted = rows.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1));
  return idsOf(order === 'asc' ? sorted : sorted.reverse());
};

/** The ids of one page, and the cursor of the next. */
async function readList(page: Page) {
  const rows = await readPage(stories(), 'stories', { ...page, max: page.max + 1 }, 'ours');
  return listPage(rows, page.max, ({ id }) => id);
}

/** Reads page after page and does something between them. */
async function readAll(max: number, order: ListOrder, between: (page: number) => Promise<void> = async () => {}) {
  const ids: string[] = [];
  let cursorRef: string | undefined;
  do {
    const { items, nextCursor } = await readList({ max, order, cursorRef });
    ids.push(...items);
    cursorRef = nextCursor;
    await between(ids.length);
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
      const rows = list.map(([id, age]) => story(id, age));
      if (rows.length > 0) await insert(rows);
      expect(await readAll(max, order)).toEqual(inOrder(rows, order));
    }),
    { numRuns: runs(12, 40) },
  );
});

test('new rows do not shift a list read newest first', async () => {
  const rows = Array.from({ length: 12 }, (_, index) => story(`s${index}`, Math.floor(index / 3)));
  await insert(rows);
  const read = await readAll(5, 'desc', (page) => insert([story(`new${page}`, 1000 + page)]).then(() => {}));
  expect(read).toEqual(inOrder(rows, 'desc'));
});

test('new rows appear at the end of a list read oldest first', async () => {
  await insert([story('a', 0), story('b', 0), story('c', 1)]);
  const read = await readAll(2, 'asc', (count) =>
    count === 2 ? insert([story('d', 9)]).then(() => {}) : Promise.resolve(),
  );
  expect(read).toEqual(['a', 'b', 'c', 'd']);
});

test('rows that differ by one millisecond keep their order, and none is skipped', async () => {
  const rows = ['z', 'y', 'x', 'w'].map((id, index) => story(id, index));
  await insert(rows);
  expect(await readAll(1, 'desc')).toEqual(['w', 'x', 'y', 'z']);
  expect(await readAll(1, 'asc')).toEqual(['z', 'y', 'x', 'w']);
});

test('the page before the cursor is the one read before it, in list order', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => story(`s${index}`, Math.floor(index / 4)));
  await insert(rows);
  for (const order of ['asc', 'desc'] as const) {
    const expectedList = inOrder(rows, order);
    const previousPage = await readPage(
      stories(),
      'stories',
      { max: 3, order, cursorRef: expectedList[6], isNext: false },
      'ours',
    );
    expect(idsOf(previousPage)).toEqual(expectedList.slice(3, 6));
    const nextPage = await readPage(
      stories(),
      'stories',
      { max: 3, order, cursorRef: expectedList[6], isNext: true },
      'ours',
    );
    expect(idsOf(nextPage)).toEqual(expectedList.slice(7, 10));
    const start = await readPage(
      stories(),
      'stories',
      { max: 3, order, cursorRef: expectedList[1], isNext: false },
      'ours',
    );
    expect(idsOf(start)).toEqual(expectedList.slice(0, 1));
  }
});

const CURSORLESS = { code: 'unknown-cursor', details: { field: 'cursorRef' } };

// @asvs 8.4.1
test('other organizations’ rows are on no page, and their ids aren’t valid cursors', async () => {
  await insert([story('a', 1), story('b', 3), story('theirs', 2, 'theirs')]);
  const first = await pageOf(stories(), 'stories', { max: 10, order: 'asc' }, 'ours').execute();
  expect(idsOf(first)).toEqual(['a', 'b']);
  const nextPage = readPage(stories(), 'stories', { max: 10, order: 'asc', cursorRef: 'theirs' }, 'ours');
  await expect(nextPage).rejects.toMatchObject(CURSORLESS);
});

test('an unknown cursor is rejected in either direction; the last row is valid', async () => {
  await insert([story('a', 1), story('hidden', 0, 'ours', false)]);
  const page = { max: 10, order: 'desc' } as const;
  for (const isNext of [true, false]) {
    const missingPage = readPage(stories(), 'stories', { ...page, cursorRef: 'gone', isNext }, 'ours');
    await expect(missingPage).rejects.toMatchObject({
      ...CURSORLESS,
      details: { ...CURSORLESS.details, cursor: 'gone' },
    });
  }
  const visible = stories().where('shown', '=', true);
  expect(await readPage(visible, 'stories', { ...page, cursorRef: 'hidden' }, 'ours')).toEqual([]);
  expect(await readPage(visible, 'stories', { ...page, cursorRef: 'a', isNext: false }, 'ours')).toEqual([]);
});

test('the filter of a list applies to pages and neighbors', async () => {
  await insert([story('a', 1), story('hidden', 2, 'ours', false), story('c', 3)]);
  const visible = stories().where('shown', '=', true);
  expect(idsOf(await pageOf(visible, 'stories', { max: 10, order: 'desc' }, 'ours').execute())).toEqual(['c', 'a']);
  expect(await neighborsOf(visible, 'stories', { id: 'c', order: 'desc' }, 'ours')).toEqual({
    previous: undefined,
    next: { id: 'a' },
  });
});

test('a table without organizations is read in full', async () => {
  const plain = (id: string, age: number) => ({ id, created_at: timeAt(age) });
  await db
    .insertInto('plains')
    .values([plain('a', 1), plain('b', 2), plain('c', 2)])
    .execute();
  const rows = await pageOf(db.selectFrom('plains').selectAll(), 'plains', { max: 2, order: 'desc' }).execute();
  expect(rows).toEqual([plain('c', 2), plain('b', 2)]);
});

test('the neighbors of every row are the ones next to it in the list', async () => {
  await fc.assert(
    fc.asyncProperty(lists, orders, async (list, order) => {
      await pool.query('delete from stories');
      const rows = list.map(([id, age]) => story(id, age));
      if (rows.length > 0) await insert([...rows, story('their', 2, 'theirs')]);
      const expectedList = inOrder(rows, order);
      for (const [index, id] of expectedList.entries()) {
        const { previous, next } = await neighborsOf(stories(), 'stories', { id, order }, 'ours');
        expect([previous?.id, next?.id]).toEqual([expectedList[index - 1], expectedList[index + 1]]);
      }
    }),
    { numRuns: runs(4, 10) },
  );
});

test('a missing row has no neighbors', async () => {
  await insert([story('a', 1)]);
  const none = { previous: undefined, next: undefined };
  expect(await neighborsOf(stories(), 'stories', { id: 'gone', order: 'desc' }, 'ours')).toEqual(none);
});

test('pages and neighbors deep in a long list use the index without sorting', async () => {
  await sql`insert into stories select 's' || i, 'ours', true, ${timeAt(0)}::timestamptz + i * interval '1 second'
    from generate_series(1, 20000) i`.execute(db);
  await pool.query('vacuum analyze stories');
  const page = pageOf(stories(), 'stories', { max: 10, order: 'desc', cursorRef: 's10000' }, 'ours');
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
    await insert([story('a', 0), story('b', 0), story('c', 1), story('d', 2)]);
    const ids = inOrder(await db.selectFrom('stories').selectAll().execute(), order);
    const read = (max: number, from: Partial<Page> = {}) => readList({ max, order, ...from });
    expect(await read(4)).toMatchObject({ items: ids, nextCursor: undefined });
    expect((await read(2)).nextCursor).toBe(ids[1]);
    expect((await read(2, { cursorRef: ids[1] })).nextCursor).toBeUndefined();
    const started = await read(1, { cursorRef: ids[1], startAt: true });
    expect([started.items, started.nextCursor]).toEqual([[ids[1]], ids[1]]);
    expect((await read(9, { cursorRef: ids[2], startAt: true })).items).toEqual(ids.slice(2));
    await expect(read(1, { cursorRef: 'unknown', startAt: true })).rejects.toMatchObject({ code: 'unknown-cursor' });
  },
);
