// @spec 7.orgs 7.org 9.page-sizes decisions.6
import { expect, test } from 'vitest';
import { org as orgSchema } from '#contract/schemas/orgs.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { readWholeList } from '#test/support/read-list.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db));
const timeAt = (second: number) => new Date(Date.UTC(2026, 2, 14, 9, 30, second));

// 13 organizations: more than a usual page, and three of them created at the same moment.
const ids = Array.from({ length: 13 }, (_, index) => `org-${String(index).padStart(2, '0')}`);
for (const [index, id] of ids.entries())
  await addOrg(db, { id, slug: `s-${id}`, created_at: timeAt(Math.min(index, 10)) });

test('organizations are listed newest first, ten at a time', async () => {
  const response = await app.inject('/api/orgs');
  const orgs = orgSchema.strict().array().parse(response.json());
  expect(orgs.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 10));
  expect(response.headers['x-next-cursor']).toBe('org-03');
});

test.each([
  [1, 'desc'],
  [3, 'asc'],
  [4, 'desc'],
  [13, 'asc'],
  [50, 'desc'],
] as const)('reading %i at a time, %s, returns each organization once', async (max, order) => {
  const fullList = await readWholeList(app, '/api/orgs', { max, order });
  expect(fullList).toEqual(order === 'asc' ? ids : ids.toReversed());
});

test('a slug matches one organization or none', async () => {
  const [matchingOrg, ...otherOrgs] = (await app.inject('/api/orgs?slug=s-org-05')).json();
  expect([matchingOrg.id, otherOrgs]).toEqual(['org-05', []]);
  expect((await app.inject('/api/orgs?slug=org-05')).json()).toEqual([]);
  expect((await app.inject('/api/orgs?slug=S-ORG-05')).json()).toEqual([]);
  expect((await app.inject('/api/orgs?slug=')).json()).toEqual([]);
});

test('a list request after an unknown organization is rejected, naming the cursor', async () => {
  const response = await app.inject('/api/orgs?cursorRef=gone');
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'unknown-cursor', field: 'cursorRef' });
  expect(response.json().detail).toContain('the cursor “gone”');
});

test('an empty cursor requests the first page', async () => {
  const [first, emptyCursorResponse] = [
    await app.inject('/api/orgs?max=3'),
    await app.inject('/api/orgs?max=3&cursorRef='),
  ];
  expect([emptyCursorResponse.statusCode, emptyCursorResponse.json()]).toEqual([200, first.json()]);
});

test('after the last organization the list is empty, without a cursor', async () => {
  const response = await app.inject('/api/orgs?cursorRef=org-00');
  expect([response.statusCode, response.json()]).toEqual([200, []]);
  expect(response.headers).not.toHaveProperty('x-next-cursor');
});

test('a list that ends on a full page has no cursor, and a list can start at an organization instead of after it', async () => {
  const lastPage = await app.inject('/api/orgs?max=1&cursorRef=org-01');
  expect(lastPage.json<{ id: string }[]>().map(({ id }) => id)).toEqual(['org-00']);
  expect(lastPage.headers).not.toHaveProperty('x-next-cursor');
  const pageAtCursor = await app.inject('/api/orgs?max=1&cursorRef=org-01&startAt=true');
  expect(pageAtCursor.json<{ id: string }[]>().map(({ id }) => id)).toEqual(['org-01']);
  expect((await app.inject('/api/orgs?cursorRef=org-01&startAt=yes')).statusCode).toBe(400);
});
