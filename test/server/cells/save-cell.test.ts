// @spec 2.pages-editor 3.cell 5.cell 7.cell-update decisions.1 decisions.5 decisions.6
import { expect, test } from 'vitest';
import { type Cell, type CellVersion, cell as cellSchema, cellVersion } from '#contract/schemas/cells.ts';
import { type CellRef, MAX_CELL_LENGTH } from '#domain/cells.ts';
import { MAX_TAG_LENGTH } from '#domain/org.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCell } from '#test/support/builders/cell.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { defaultText } from '#test/support/default-text.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
/** Later than any timestamp that the database sets. */
const clock = createTestClock('2120-03-14T09:30:00.000Z');
const deps = await createTestDeps(db, { now: clock.now });
const app = await buildTestApp(deps);

const INTRO: CellRef = { page: 'home', name: 'intro' };
const TAG: CellRef = { page: 'home', name: 'tag' };
const defaultIntro = defaultText('home', 'intro');

async function createOrgWithEditor(name = 'Edith Editor') {
  const orgId = await addOrg(db);
  return { orgId, edith: await signIn(deps, { name, editorOf: [orgId] }) };
}

const sendText = (as: SignedInPerson, orgId: string, key: CellRef, markdown: string, basedOn: string) =>
  call(app, 'saveCell', { params: { orgid: orgId, ...key }, as, body: { markdown, basedOn } });

async function saveText(
  as: SignedInPerson,
  orgId: string,
  key: CellRef,
  markdown: string,
  basedOn: string,
): Promise<Cell> {
  clock.advance(MINUTE);
  const response = await sendText(as, orgId, key, markdown, basedOn);
  expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
  return cellSchema.strict().parse(response.json());
}

async function resetText(as: SignedInPerson, orgId: string, key: CellRef): Promise<Cell> {
  clock.advance(MINUTE);
  const response = await call(app, 'resetCell', { params: { orgid: orgId, ...key }, as });
  expect(response.statusCode).toBe(200);
  return cellSchema.strict().parse(response.json());
}

async function readVersions(as: SignedInPerson, orgId: string, key: CellRef): Promise<CellVersion[]> {
  const response = await call(app, 'readCellVersions', { params: { orgid: orgId, ...key }, as });
  expect(response.statusCode).toBe(200);
  return cellVersion.strict().array().parse(response.json());
}

const readCell = async (orgId: string, key: CellRef) =>
  (await call(app, 'readCell', { params: { orgid: orgId, ...key } })).json<Cell>();

test('a saved text is visible immediately, rendered and with its time', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const readVersion = async () =>
    (await call(app, 'readOrg', { params: { orgid: orgId } })).json<{ version: number }>().version;
  const initialVersion = await readVersion();
  const savedCell = await saveText(edith, orgId, INTRO, 'Our **own** words', defaultIntro);
  expect(savedCell).toEqual({
    ...INTRO,
    markdown: 'Our **own** words',
    html: '<p>Our <strong>own</strong> words</p>',
    language: 'en',
    isDefault: false,
    createdTimestamp: clock.now().toISOString(),
  });
  expect(await readCell(orgId, INTRO)).toEqual(savedCell);
  expect(await readVersion()).toBeGreaterThan(initialVersion);
});

test('every save and reset keeps the previous text with its author and time, back to the default', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const otto = await signIn(deps, { name: '', email: 'otto@example.org', editorOf: [orgId] });
  const first = await saveText(edith, orgId, INTRO, 'First', defaultIntro);
  const second = await saveText(otto, orgId, INTRO, 'Second', 'First');
  await resetText(edith, orgId, INTRO);
  const storedVersions = await readVersions(edith, orgId, INTRO);
  expect(storedVersions.map(({ markdown, isDefault, savedBy }) => [markdown, isDefault, savedBy])).toEqual([
    [defaultIntro, true, 'Edith Editor'],
    ['Second', false, 'otto@example.org'],
    ['First', false, 'Edith Editor'],
    [defaultIntro, true, null],
  ]);
  expect(storedVersions.slice(1, 3).map(({ createdTimestamp }) => createdTimestamp)).toEqual([
    second.createdTimestamp,
    first.createdTimestamp,
  ]);
});

test('restoring an earlier text saves it, and the restore can be undone the same way', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await saveText(edith, orgId, INTRO, 'First', defaultIntro);
  await saveText(edith, orgId, INTRO, 'Second', 'First');
  const earlierVersion = (await readVersions(edith, orgId, INTRO)).find(({ markdown }) => markdown === 'First');
  expect((await saveText(edith, orgId, INTRO, earlierVersion?.markdown ?? '', 'Second')).html).toBe('<p>First</p>');
  expect((await readVersions(edith, orgId, INTRO)).map(({ markdown }) => markdown)).toEqual([
    'First',
    'Second',
    'First',
    defaultIntro,
  ]);
});

test('a conflicting save is rejected with the newer text, its author, and its time', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const otto = await signIn(deps, { name: 'Otto Other', editorOf: [orgId] });
  const { createdTimestamp } = await saveText(otto, orgId, INTRO, "Otto's words", defaultIntro);
  const response = await sendText(edith, orgId, INTRO, "Edith's words", defaultIntro);
  expect(response.statusCode).toBe(409);
  expect(response.json()).toMatchObject({
    code: 'text-changed',
    detail: 'Otto Other saved this text while you were editing. Nothing is lost; please choose which version to keep.',
    details: { savedBy: 'Otto Other', isSavedByCaller: 0, savedTimestamp: createdTimestamp, markdown: "Otto's words" },
  });
  expect((await readCell(orgId, INTRO)).markdown).toBe("Otto's words");
  expect((await sendText(otto, orgId, INTRO, 'From another tab', defaultIntro)).json()).toMatchObject({
    details: { isSavedByCaller: 1 },
  });
  await saveText(edith, orgId, INTRO, "Edith's words", "Otto's words");
  expect((await readVersions(edith, orgId, INTRO)).map(({ markdown }) => markdown)).toContain("Otto's words");
});

test("of two simultaneous saves, one is rejected with the other's text", async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const responses = await Promise.all(['One', 'Two'].map((text) => sendText(edith, orgId, INTRO, text, defaultIntro)));
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
  expect(await readVersions(edith, orgId, INTRO)).toHaveLength(2);
});

test('another editor’s reset is also a conflict', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await saveText(edith, orgId, INTRO, 'First', defaultIntro);
  await resetText(edith, orgId, INTRO);
  expect(readOutcome(await sendText(edith, orgId, INTRO, 'More of the first', 'First'))).toEqual([409, 'text-changed']);
});

test('saving the same text twice stores it once, regardless of the version it was based on', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const savedCell = await saveText(edith, orgId, INTRO, 'First', defaultIntro);
  expect(await saveText(edith, orgId, INTRO, 'First', defaultIntro)).toEqual(savedCell);
  expect(await readVersions(edith, orgId, INTRO)).toHaveLength(2);
});

test('saving the default text makes it the default again', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await saveText(edith, orgId, INTRO, 'First', defaultIntro);
  expect(await saveText(edith, orgId, INTRO, defaultIntro, 'First')).toMatchObject({
    isDefault: true,
    createdTimestamp: null,
  });
  expect((await readCell(orgId, INTRO)).isDefault).toBe(true);
});

test('resetting a default text is a no-op', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  expect(await resetText(edith, orgId, INTRO)).toMatchObject({ isDefault: true, markdown: defaultIntro });
  expect(await readVersions(edith, orgId, INTRO)).toEqual([]);
});

test('text from before version history is kept when overwritten', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const created_at = new Date('2025-01-02T03:04:05.678Z');
  await addCell(db, orgId, { ...INTRO, markdown: 'Older', user_id: edith.userId, created_at });
  await saveText(edith, orgId, INTRO, 'Newer', 'Older');
  const [, olderVersion] = await readVersions(edith, orgId, INTRO);
  expect(olderVersion).toMatchObject({ markdown: 'Older', savedBy: null, createdTimestamp: created_at.toISOString() });
});

test('the tag belongs to the organization and has versions like cells', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const savedCell = await saveText(edith, orgId, TAG, '  A *warm*\n town ', 'Warm homes, cooler planet');
  expect(savedCell).toMatchObject({ markdown: 'A *warm* town', isDefault: false });
  expect((await call(app, 'readOrg', { params: { orgid: orgId } })).json()).toMatchObject({ tag: 'A *warm* town' });
  await db.kysely.updateTable('orgs').set({ tag: 'From the settings' }).where('id', '=', orgId).execute();
  expect(readOutcome(await sendText(edith, orgId, TAG, 'Mine', 'A *warm* town'))).toEqual([409, 'text-changed']);
  expect(await resetText(edith, orgId, TAG)).toMatchObject({
    markdown: 'Warm homes are climate action',
    isDefault: true,
  });
  expect((await readVersions(edith, orgId, TAG)).map(({ markdown }) => markdown)).toEqual([
    'Warm homes are climate action',
    'From the settings',
    'A *warm* town',
    'Warm homes, cooler planet',
  ]);
});

test('changing the tag in the settings adds a version of the same text', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const otto = await signIn(deps, { name: 'Otto Other', editorOf: [orgId] });
  for (const body of [{ tag: 'From  the settings' }, { tag: 'From the settings' }, { name: 'Another Fund' }]) {
    expect((await call(app, 'editOrg', { params: { orgid: orgId }, as: otto, body })).statusCode).toBe(200);
  }
  const storedVersions = await readVersions(edith, orgId, TAG);
  expect(storedVersions.map(({ markdown, savedBy }) => [markdown, savedBy])).toEqual([
    ['From the settings', 'Otto Other'],
    ['Warm homes, cooler planet', null],
  ]);
  const response = await sendText(edith, orgId, TAG, 'Mine', 'Warm homes, cooler planet');
  expect(response.json()).toMatchObject({ code: 'text-changed', details: { savedBy: 'Otto Other' } });
});

test('versions are paged and belong to one cell of one organization', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const otherOrg = await createOrgWithEditor();
  await saveText(otherOrg.edith, otherOrg.orgId, INTRO, 'Elsewhere', defaultIntro);
  let previous = defaultIntro;
  for (const text of ['1', '2', '3']) {
    await saveText(edith, orgId, INTRO, text, previous);
    previous = text;
  }
  await saveText(edith, orgId, { page: 'home', name: 'city' }, 'City', defaultText('home', 'city'));
  const readPage = async (query: Record<string, string>) => {
    const response = await call(app, 'readCellVersions', { params: { orgid: orgId, ...INTRO }, as: edith, query });
    const texts = response.json<CellVersion[]>().map(({ markdown }) => markdown);
    return { texts, next: String(response.headers['x-next-cursor'] ?? '') };
  };
  const first = await readPage({ max: '2' });
  expect(first.texts).toEqual(['3', '2']);
  expect(await readPage({ max: '2', cursorRef: first.next })).toEqual({ texts: ['1', defaultIntro], next: '' });
  expect((await readPage({ max: '1', cursorRef: first.next, startAt: 'true' })).texts).toEqual(['2']);
  const [otherVersion] = await readVersions(otherOrg.edith, otherOrg.orgId, INTRO);
  const otherOrgResponse = await call(app, 'readCellVersions', {
    params: { orgid: orgId, ...INTRO },
    as: edith,
    query: { cursorRef: otherVersion?.id ?? '' },
  });
  expect(readOutcome(otherOrgResponse)).toEqual([400, 'unknown-cursor']);
});

test.each([
  ['nothing', '', 'text-empty'],
  ['only whitespace', ' \n\t ', 'text-empty'],
  ['too much', 'a'.repeat(MAX_CELL_LENGTH + 1), 'text-too-long'],
  ['nested quotations', `${'>'.repeat(5000)} deep`, 'text-too-nested'],
  ['nested lists', `${'- '.repeat(200)}deep`, 'text-too-nested'],
  ['nested emphasis', `${'*a **b '.repeat(100)}${'c** d* '.repeat(100)}`, 'text-too-nested'],
  ['a list with too many items', '- a\n'.repeat(1001), 'text-too-many-items'],
  ['a paragraph with too many marks', '*a **b '.repeat(2000), 'text-too-many-marks'],
  [
    'a table of 27 million cells',
    `|${'a|'.repeat(3700)}\n|${'-|'.repeat(3700)}\n${'|\n'.repeat(7500)}`,
    'text-too-many-lines',
  ],
  ['a table of millions', `|${'a|'.repeat(1200)}\n|${'-|'.repeat(1200)}\n${'|\n'.repeat(1200)}`, 'text-too-many-cells'],
  ['a very long quotation', `> a\n${'b\n'.repeat(14_000)}`, 'text-too-many-lines'],
  [
    'a long repeated link address',
    `[a]: /${'b'.repeat(9900)}\n\n${`${'[a]'.repeat(500)}\n\n`.repeat(13)}`,
    'html-too-long',
  ],
  ['a control character', 'a\u0007b', 'invalid-input'],
])('%s is rejected with a readable sentence and changes nothing', async (_title, markdown, code) => {
  const { orgId, edith } = await createOrgWithEditor();
  const response = await sendText(edith, orgId, INTRO, markdown, defaultIntro);
  expect(response.json()).toMatchObject({ code, field: 'markdown' });
  expect(response.statusCode).toBeLessThan(500);
  expect((await readCell(orgId, INTRO)).isDefault).toBe(true);
});

test('text of maximum length is saved', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  // Together with the previous text, this text is larger than other calls accept.
  const longest = '雪'.repeat(MAX_CELL_LENGTH);
  await saveText(edith, orgId, INTRO, longest, defaultIntro);
  const next = `é${longest.slice(1)}`;
  expect((await saveText(edith, orgId, INTRO, next, longest)).markdown).toBe(next);
});

test('a tag too long for a heading is rejected', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const response = await sendText(edith, orgId, TAG, 'a'.repeat(MAX_TAG_LENGTH + 1), 'Warm homes, cooler planet');
  expect(response.json()).toMatchObject({ code: 'tag-too-long', field: 'markdown' });
});

test.each(['home/secret', 'nothing/intro', '__proto__/toString', 'constructor/name'])(
  'nothing can be saved, reset, previewed, or read at %s',
  async (path) => {
    const { orgId, edith } = await createOrgWithEditor();
    const [page = '', name = ''] = path.split('/');
    const params = { orgid: orgId, page, name };
    const responses = [
      await call(app, 'saveCell', { params, as: edith, body: { markdown: 'x', basedOn: '' } }),
      await call(app, 'resetCell', { params, as: edith }),
      await call(app, 'previewCell', { params, as: edith, body: { markdown: 'x' } }),
      await call(app, 'readCellVersions', { params, as: edith }),
    ];
    expect(responses.map(readOutcome)).toEqual(responses.map(() => [404, 'no-cell']));
  },
);

test('versions outlive their author’s account', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const otto = await signIn(deps, { name: 'Otto Other', editorOf: [orgId] });
  await saveText(otto, orgId, INTRO, "Otto's words", defaultIntro);
  await call(app, 'deleteUser', { params: { userid: otto.userId }, as: otto });
  expect((await readVersions(edith, orgId, INTRO))[0]).toMatchObject({ markdown: "Otto's words", savedBy: null });
  expect((await readCell(orgId, INTRO)).markdown).toBe("Otto's words");
});

test('a preview shows the result of saving without saving it', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const readPreview = async (markdown: string) =>
    (await call(app, 'previewCell', { params: { orgid: orgId, ...INTRO }, as: edith, body: { markdown } })).json();
  expect(await readPreview('**Bold** <script>alert(1)</script>')).toEqual({
    html: '<p><strong>Bold</strong> alert(1)</p>',
    hasExternalPictures: false,
  });
  expect(await readPreview('![a](https://a.example/b.png)')).toMatchObject({ hasExternalPictures: true });
  expect(await readPreview('')).toMatchObject({ code: 'text-empty' });
  expect((await readCell(orgId, INTRO)).isDefault).toBe(true);
});

const INTRO_IN_SPANISH: CellRef = { page: 'home', name: 'intro.es' };

/** Reads the introduction shown on the Spanish page. */
async function readSpanishIntro(orgId: string): Promise<Cell> {
  const query = { page: 'home', name: 'intro', language: 'es' };
  const [cell] = (await call(app, 'readCells', { params: { orgid: orgId }, query })).json<Cell[]>();
  if (!cell) throw new Error('There is no introduction.');
  return cell;
}

test('a missing translation falls back to the organization’s first-language text and reports its language', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const spanishDefault = defaultText('home', 'intro', 'es');
  expect(await readSpanishIntro(orgId)).toMatchObject({
    name: 'intro',
    language: 'es',
    markdown: spanishDefault,
    isDefault: true,
  });
  await saveText(edith, orgId, INTRO, 'Our own words', defaultIntro);
  expect(await readSpanishIntro(orgId)).toMatchObject({ language: 'en', markdown: 'Our own words', isDefault: false });
  // Editing starts with the text that is shown.
  const savedCell = await saveText(edith, orgId, INTRO_IN_SPANISH, 'Con *nuestras* palabras', 'Our own words');
  expect(savedCell).toMatchObject({ name: 'intro', language: 'es', html: '<p>Con <em>nuestras</em> palabras</p>' });
  expect(await readSpanishIntro(orgId)).toMatchObject({ language: 'es', markdown: 'Con *nuestras* palabras' });
  expect(await readCell(orgId, INTRO)).toMatchObject({ language: 'en', markdown: 'Our own words' });
  expect(await readVersions(edith, orgId, INTRO_IN_SPANISH)).toMatchObject([
    { markdown: 'Con *nuestras* palabras' },
    { markdown: 'Our own words' },
  ]);
  const resetCell = await resetText(edith, orgId, INTRO_IN_SPANISH);
  expect(resetCell).toMatchObject({ language: 'en', markdown: 'Our own words', isDefault: false });
  expect(resetCell).toEqual(await readSpanishIntro(orgId));
  expect(await readSpanishIntro(orgId)).toMatchObject({ language: 'en', markdown: 'Our own words' });
});

test('a translated tag is saved as a separate plain line and leaves the organization’s tag unchanged', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const key = { page: 'home', name: 'tag.es' };
  const savedCell = await saveText(edith, orgId, key, ' Un pueblo\ncálido ', (await readCell(orgId, TAG)).markdown);
  expect(savedCell).toMatchObject({ name: 'tag', language: 'es', markdown: 'Un pueblo cálido' });
  expect(await readCell(orgId, TAG)).toMatchObject({ language: 'en', markdown: 'Warm homes, cooler planet' });
  const query = { page: 'home', name: 'tag', language: 'es' };
  expect((await call(app, 'readCells', { params: { orgid: orgId }, query })).json()).toMatchObject([savedCell]);
});

test('a cell in an unsupported language doesn’t exist', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  for (const name of ['intro.fr', 'intro.en', '.es', 'es', 'intro.es.es']) {
    const response = await sendText(edith, orgId, { page: 'home', name }, 'Text', defaultIntro);
    expect([name, response.statusCode, response.json()]).toEqual([
      name,
      404,
      expect.objectContaining({ code: 'no-cell' }),
    ]);
  }
});
