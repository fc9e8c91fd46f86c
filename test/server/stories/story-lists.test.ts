// @spec 1.fund 1.visitors 3.awardee 3.installer 3.profile 7.stories 7.installers 7.limit-one decisions.4 decisions.5
import { expect, test } from 'vitest';
import { installer, type Profile, profile } from '#contract/schemas/stories.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { readWholeList } from '#test/support/read-list.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db));

const KINDS = ['offsetters', 'awardees', 'installers'] as const;
type Kind = (typeof KINDS)[number];
type Changes = {
  id?: string;
  name?: string;
  status?: 'draft' | 'published' | 'hidden';
  photo?: string;
  created_at?: Date;
};

function addStoryOfKind(kind: Kind, orgId: string, changes: Changes = {}): Promise<string> {
  return kind === 'offsetters' ? addOffsetter(db, orgId, changes) : addStory(db, kind, orgId, changes);
}

const timeAt = (milliseconds: number) => new Date(Date.UTC(2026, 2, 14) + milliseconds);
const listPath = (kind: Kind, orgId: string) => `/api/orgs/${orgId}/${kind}`;

async function readList(kind: Kind, orgId: string, query = ''): Promise<Profile[]> {
  const response = await app.inject(listPath(kind, orgId) + query);
  expect(response.statusCode).toBe(200);
  return (kind === 'installers' ? installer : profile).strict().array().parse(response.json());
}

test.each(KINDS)('%s have exactly the fields of the shared profile', async (kind) => {
  const orgId = await addOrg(db);
  const photo = JSON.stringify({ key: 'k'.repeat(22), width: 800, height: 600, widths: [320, 800] });
  const id = await addStoryOfKind(kind, orgId, { name: 'Maya Torres', photo, created_at: timeAt(125) });
  const url = (width: number) => `/media/${'k'.repeat(22)}/${width}.webp`;
  const stories = await readList(kind, orgId);
  expect(stories).toEqual([
    {
      id,
      name: 'Maya Torres',
      language: 'en',
      story: 'We fly to see our grandmother once a year, and want that to warm a home.',
      photoURL: url(800),
      photo: {
        url: url(800),
        width: 800,
        height: 600,
        sources: [320, 800].map((width) => ({ url: url(width), width })),
      },
      profileURL: `/orgs/${orgId}/${kind}/${id}/`,
      createdTimestamp: '2026-03-14T00:00:00.125Z',
      // §3: an installer includes its organization's id.
      ...(kind === 'installers' ? { orgId } : {}),
    },
  ]);
  expect((await app.inject(`${listPath(kind, orgId)}/${id}`)).json()).toEqual(stories[0]);
});

test.each(KINDS)('%s are listed newest first, ten at a time, and continue after the cursor', async (kind) => {
  const orgId = await addOrg(db);
  const ids: string[] = [];
  for (let age = 0; age < 12; age += 1) ids.push(await addStoryOfKind(kind, orgId, { created_at: timeAt(age) }));
  const newestFirst = ids.toReversed();
  const response = await app.inject(listPath(kind, orgId));
  expect(response.json().map(({ id }: Profile) => id)).toEqual(newestFirst.slice(0, 10));
  expect(response.headers['x-next-cursor']).toBe(newestFirst[9]);
  const nextPage = await app.inject(`${listPath(kind, orgId)}?cursorRef=${newestFirst[9]}`);
  expect(nextPage.json().map(({ id }: Profile) => id)).toEqual(newestFirst.slice(10));
  expect(nextPage.headers).not.toHaveProperty('x-next-cursor');
});

test.each(KINDS)('a list of %s that ends on a full page has no next cursor', async (kind) => {
  const orgId = await addOrg(db);
  for (let age = 0; age < 4; age += 1) await addStoryOfKind(kind, orgId, { created_at: timeAt(age) });
  const response = await app.inject(`${listPath(kind, orgId)}?max=4`);
  expect(response.json()).toHaveLength(4);
  expect(response.headers).not.toHaveProperty('x-next-cursor');
});

test.each(KINDS)('with any page size and either order, each of the %s is listed once', async (kind) => {
  const orgId = await addOrg(db);
  // Groups of three stories share a time, so some pages end between stories with the same time.
  const rows = Array.from({ length: 13 }, (_, index) => ({
    id: `${orgId}-${index}`,
    created_at: timeAt(Math.floor(index / 3)),
  }));
  for (const row of rows) await addStoryOfKind(kind, orgId, row);
  const sortedIds = rows
    .toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
  for (const max of [1, 2, 5, 13, 50]) {
    expect(await readWholeList(app, listPath(kind, orgId), { max, order: 'asc' })).toEqual(sortedIds);
    expect(await readWholeList(app, listPath(kind, orgId), { max, order: 'desc' })).toEqual(sortedIds.toReversed());
  }
});

test.each(KINDS)('new %s during paging neither skip nor duplicate any item', async (kind) => {
  const orgId = await addOrg(db);
  const ids: string[] = [];
  for (let age = 0; age < 7; age += 1) ids.push(await addStoryOfKind(kind, orgId, { created_at: timeAt(age) }));
  let nextTime = 100;
  const listedIds = await readWholeList(app, listPath(kind, orgId), { max: 2 }, () =>
    addStoryOfKind(kind, orgId, { created_at: timeAt(nextTime++) }),
  );
  expect(listedIds).toEqual(ids.toReversed());
});

test.each(KINDS)('a list of %s continues after a cursor that has since been hidden', async (kind) => {
  const orgId = await addOrg(db);
  const [oldest, middle, newest] = [
    await addStoryOfKind(kind, orgId, { created_at: timeAt(1) }),
    await addStoryOfKind(kind, orgId, { created_at: timeAt(2) }),
    await addStoryOfKind(kind, orgId, { created_at: timeAt(3) }),
  ];
  await db.kysely.updateTable(kind).set({ status: 'hidden' }).where('id', '=', middle).execute();
  const nextPage = await readList(kind, orgId, `?cursorRef=${middle}`);
  expect(nextPage.map(({ id }) => id)).toEqual([oldest]);
  expect((await readList(kind, orgId)).map(({ id }) => id)).toEqual([newest, oldest]);
});

test.each(KINDS)("another organization's %s are in no list and aren’t valid cursors", async (kind) => {
  const [ownOrgId, otherOrgId] = [await addOrg(db), await addOrg(db)];
  const id = await addStoryOfKind(kind, ownOrgId, { created_at: timeAt(1) });
  const otherStory = await addStoryOfKind(kind, otherOrgId, { created_at: timeAt(2) });
  expect((await readList(kind, ownOrgId)).map((story) => story.id)).toEqual([id]);
  for (const cursor of [otherStory, 'gone']) {
    const response = await app.inject(`${listPath(kind, ownOrgId)}?cursorRef=${cursor}`);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'unknown-cursor', field: 'cursorRef' });
    expect(response.json().detail).toContain(`the cursor “${cursor}”`);
  }
  expect(await readList(kind, ownOrgId, `?cursorRef=${id}`)).toEqual([]);
});

test.each(KINDS)('an unknown organization has no %s, and one without any has an empty list', async (kind) => {
  const response = await app.inject(listPath(kind, 'nobody'));
  expect([response.statusCode, response.json().code]).toEqual([404, 'org-not-found']);
  expect(await readList(kind, await addOrg(db))).toEqual([]);
});
