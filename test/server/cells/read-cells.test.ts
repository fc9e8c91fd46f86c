// @spec 2.cells 3.cell 7.cells 8.strings 9.page-sizes decisions.1
import { expect, test } from 'vitest';
import { pagePath } from '#contract/pages.ts';
import { type Cell, cell as cellSchema } from '#contract/schemas/cells.ts';
import { CELL_PAGES, CELLS } from '#domain/cells.ts';
import { renderMarkdown } from '#server/gateways/markdown/markdown.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCell } from '#test/support/builders/cell.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { defaultText, HELP_PATH } from '#test/support/default-text.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db));
const SAVED_AT = new Date('2026-03-14T09:30:00.125Z');

async function readCells(orgId: string, query = ''): Promise<Cell[]> {
  const response = await app.inject(`/api/orgs/${orgId}/cells${query}`);
  expect(response.statusCode).toBe(200);
  return cellSchema.strict().array().parse(response.json());
}

async function readCell(orgId: string, page: string, name: string): Promise<Cell> {
  const response = await app.inject(`/api/orgs/${orgId}/cells/${page}/${name}`);
  expect(response.statusCode).toBe(200);
  return cellSchema.strict().parse(response.json());
}

/** Cell names by page: the cells listed in section 2 of the specification plus those on the about and help pages. */
const SPECIFIED_CELLS = {
  home: ['tag', 'intro', 'community', 'city'],
  offsetters: ['intro'],
  awardees: ['intro'],
  installers: ['intro'],
  faq: ['questions'],
  donate: ['intro', 'checks'],
  about: ['intro', 'people'],
  help: ['pays', 'qualify', 'ready', 'apply', 'contact'],
  checkout: ['ask', 'thanks'],
};

test('a new organization shows the default of every cell in the specification', async () => {
  const cells = await readCells(await addOrg(db));
  const names = Object.fromEntries(
    Object.keys(SPECIFIED_CELLS).map((page) => [
      page,
      cells.filter((cell) => cell.page === page).map(({ name }) => name),
    ]),
  );
  expect(names).toEqual(SPECIFIED_CELLS);
  expect(cells.length).toBeLessThanOrEqual(20);
  for (const { page, name, markdown, html, isDefault, createdTimestamp } of cells.filter(
    (cell) => cell.name !== 'tag',
  )) {
    expect([isDefault, createdTimestamp], `${page}/${name}`).toEqual([true, null]);
    expect(html, `${page}/${name}`).toBe(renderMarkdown(markdown));
    expect(markdown.length, `${page}/${name}`).toBeGreaterThan(20);
  }
});

test('reading a cell by page and name matches the list', async () => {
  const orgId = await addOrg(db);
  const cells = await readCells(orgId);
  for (const page of CELL_PAGES) {
    for (const name of CELLS[page]) {
      const cell = await readCell(orgId, page, name);
      expect(cells).toContainEqual(cell);
      const text = defaultText(page, name).replace(HELP_PATH, pagePath('help-page', { orgid: orgId }));
      if (name !== 'tag') expect(cell.markdown).toBe(text);
    }
  }
});

test('the home page’s tag is the organization’s tag', async () => {
  const orgId = await addOrg(db, { tag: 'Warm *homes* & a <b>cooler</b> planet' });
  const tag = await readCell(orgId, 'home', 'tag');
  expect(tag).toMatchObject({ markdown: 'Warm *homes* & a <b>cooler</b> planet', isDefault: false });
  expect(tag.html).toBe('<p>Warm <em>homes</em> &#x26; a cooler planet</p>');
  await db.kysely.updateTable('orgs').set({ tag: 'Another' }).where('id', '=', orgId).execute();
  expect((await readCell(orgId, 'home', 'tag')).markdown).toBe('Another');
});

test('a saved text replaces the default and doesn’t reveal who saved it', async () => {
  const orgId = await addOrg(db);
  const user_id = await addUser(db);
  await addCell(db, orgId, { page: 'donate', name: 'checks', user_id, created_at: SAVED_AT });
  const response = await app.inject(`/api/orgs/${orgId}/cells/donate/checks`);
  expect(response.json()).toEqual({
    page: 'donate',
    name: 'checks',
    markdown: 'Our **own** text.',
    html: '<p>Our <strong>own</strong> text.</p>',
    language: 'en',
    isDefault: false,
    createdTimestamp: '2026-03-14T09:30:00.125Z',
  });
  expect((await readCell(orgId, 'donate', 'intro')).isDefault).toBe(true);
});

test('organizations have separate cells', async () => {
  const [org, otherOrg] = [await addOrg(db), await addOrg(db)];
  await addCell(db, otherOrg, { page: 'home', name: 'intro' });
  expect((await readCell(org, 'home', 'intro')).isDefault).toBe(true);
  expect((await readCell(otherOrg, 'home', 'intro')).isDefault).toBe(false);
});

test('cells can be filtered by page or name', async () => {
  const orgId = await addOrg(db);
  const readKeys = async (query: string) => (await readCells(orgId, query)).map(({ page, name }) => `${page}/${name}`);
  expect(await readKeys('?page=donate')).toEqual(['donate/intro', 'donate/checks']);
  expect(await readKeys('?name=intro&page=home')).toEqual(['home/intro']);
  expect(await readKeys('?name=intro')).toHaveLength(6);
  expect(await readKeys('?max=1')).toHaveLength(1);
  expect(await readKeys('?page=donate&name=checks&max=1')).toEqual(['donate/checks']);
  expect(await readKeys('?page=nothing')).toEqual([]);
});

test('cells outside the specification aren’t returned', async () => {
  const orgId = await addOrg(db);
  await addCell(db, orgId, { page: 'home', name: 'secret' });
  await addCell(db, orgId, { page: 'home', name: 'tag' });
  expect(await readCells(orgId)).toHaveLength(19);
  expect((await readCell(orgId, 'home', 'tag')).markdown).toBe('Warm homes, cooler planet');
});

test.each(['home/secret', 'nothing/intro', 'faq/intro', '__proto__/toString', 'constructor/name', 'toString/length'])(
  'there is no cell %s',
  async (key) => {
    const response = await app.inject(`/api/orgs/${await addOrg(db)}/cells/${key}`);
    expect([response.statusCode, response.json().code]).toEqual([404, 'no-cell']);
  },
);

test('an unknown organization has no cells', async () => {
  for (const path of ['', '/home/intro']) {
    const response = await app.inject(`/api/orgs/nobody/cells${path}`);
    expect([response.statusCode, response.json().code]).toEqual([404, 'org-not-found']);
  }
});
