import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CALLS } from '#contract/calls.ts';
import { pageAt } from '#contract/pages.ts';
import { type MapRow, pathsIn, problemOfRow, rowsOf, SPECIFIED_ROUTES } from '#test/support/spec-map.ts';
import { KEPT, REPLACED } from '#test/support/specified-failures.ts';

const DOCUMENTS = [
  'docs/spec-map.md',
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/operations.md',
  'docs/accessibility.md',
  'docs/security.md',
  'docs/asvs.md',
];
const FOLDERS = ['src', 'test', 'docs', 'scripts', 'migrations', '.ci'];

const map = await readFile('docs/spec-map.md', 'utf8');
const rows = rowsOf(map);
const fileNames = new Set(
  (await Promise.all(FOLDERS.map((folder) => readdir(folder, { recursive: true }))))
    .flat()
    .map((file) => path.basename(file)),
);

/** Whether a path that a document names leads to something: from the root, from the document, or by a file's name. */
function isThere(named: string, document: string): boolean {
  if (existsSync(named) || existsSync(path.join(path.dirname(document), named))) return true;
  return !named.includes('/') && fileNames.has(named);
}

const missingIn = (document: string, markdown: string) =>
  pathsIn(markdown).filter((named) => !isThere(named, document));

test.each(DOCUMENTS)('every path that %s names is there', async (document) => {
  const markdown = await readFile(document, 'utf8');
  expect(pathsIn(markdown).length).toBeGreaterThan(0);
  expect(missingIn(document, markdown)).toEqual([]);
});

test('a path that is not there is caught, wherever it is planted', () => {
  const planted = 'Done by `src/domain/nothing.ts`, `nowhere.test.ts`, [this](docs/nothing.md), `src/domain/cart.ts`.';
  expect(missingIn('README.md', planted)).toEqual(['src/domain/nothing.ts', 'nowhere.test.ts', 'docs/nothing.md']);
});

test('what is not a path of the repository is not taken for one', () => {
  const text =
    '`/orgs/{orgid}` `*.store.ts` `src/*/x.ts` `npm test` `./data` `build/web` [site](https://example.org) [up](#top)';
  expect(pathsIn(`${text}\n\`\`\`\nsrc/drawn/only.ts\n\`\`\``)).toEqual([]);
});

test('the sections of the specification are all there, in their order', () => {
  const numbers = [...map.matchAll(/^## (\d)\. /gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const number of numbers) expect(rows.filter(({ section }) => section === number).length).toBeGreaterThan(5);
});

test.each(SPECIFIED_ROUTES)('%s has a row in §2', (route) => {
  const [found, ...more] = rows.filter(({ section, line }) => section === 2 && line.startsWith(`\`${route}\``));
  expect(more).toEqual([]);
  expect(found?.doneBy.startsWith('not yet: ')).toBe(false);
});

/** The rows of a part of the map, by the words of its heading. */
function rowsUnder(heading: string): MapRow[] {
  const [, after = ''] = map.split(`\n## ${heading}\n`);
  return rowsOf(after.split('\n## ')[0] ?? '');
}

const visited = rowsUnder('Each route of §2, and the browser test that visits it');

test.each(SPECIFIED_ROUTES)('%s has a row that names its page and the browser test that visits it', (route) => {
  const [found, ...more] = visited.filter(({ line }) => line === `\`${route}\``);
  expect(more).toEqual([]);
  expect(found?.doneBy).toContain(pageAt(route)?.name);
  const tests = pathsIn(found?.provenBy ?? '');
  expect(tests.length).toBeGreaterThan(0);
  expect(tests.filter((file) => !(/^test\/e2e\/.+\.e2e\.ts$/.test(file) && existsSync(file)))).toEqual([]);
});

test('no row names a route that does not exist', () => {
  expect(visited).toHaveLength(SPECIFIED_ROUTES.length);
});

test.each(Object.values(CALLS))('the call $method $path is on the map', ({ method, path: pattern }) => {
  expect(map).toContain(`\`${method} ${pattern.replace(/:(\w+)/g, '{$1}')}\``);
});

test.each([...REPLACED, ...KEPT])('the string %j is on the map', (words) => {
  expect(rows.some(({ line }) => line.includes(words))).toBe(true);
});

test('every row names its files and its tests, or says that there are none yet', () => {
  const silent = rows.flatMap((row) => {
    const problem = problemOfRow(row);
    return problem ? [`${row.line}: ${problem}`] : [];
  });
  expect(rows.length).toBeGreaterThan(200);
  expect(silent).toEqual([]);
});

const row = (doneBy: string, provenBy: string): MapRow => ({ section: 1, line: 'A line', doneBy, provenBy });

test.each([
  row('', '–'),
  row('some day', '–'),
  row('not yet: somebody else', '–'),
  row('not yet: people', '`test/domain/cart.test.ts`'),
  row('`src/domain/cart.ts`', ''),
  row('`src/domain/cart.ts`', '–'),
  row('`src/domain/cart.ts`', '`src/domain/money.ts`'),
])('a silent row is caught: %j', (planted) => {
  expect(problemOfRow(planted)).toBeDefined();
});

test('a table row is read with its section, and one of too many columns has no proof', () => {
  const text =
    '## 3. Entities\n| The specification | Done by | Proven by |\n| --- | --- | --- |\n| a | b | c |\n| a | b | c | d |';
  expect(rowsOf(text)).toEqual([
    { section: 3, line: 'a', doneBy: 'b', provenBy: 'c' },
    { section: 3, line: 'a', doneBy: 'b', provenBy: '' },
  ]);
});
