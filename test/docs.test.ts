import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { ASVS, parseItems, SPECIFICATION } from '#scripts/docs/requirement-pages.ts';
import { parseTags, readTaggedTests } from '#scripts/docs/tagged-tests.ts';
import { readConfig } from '#server/config.ts';
import { SETTINGS } from '#server/settings-schema.ts';

const FOLDERS = ['src', 'test', 'docs', 'scripts', 'migrations', '.ci'];
const PATH = /^(?:src|test|docs|scripts|migrations|\.ci)\/[\w./-]+$|^[\w.-]+\.(?:ts|tsx|mjs|css|md|json|svg|png)$/;

const [security, specification, asvs] = await Promise.all(
  ['docs/security.md', SPECIFICATION, ASVS].map((page) => readFile(page, 'utf8')),
);
const tests = await readTaggedTests();
const specTags = new Set(tests.flatMap(({ spec }) => spec));
const asvsTags = new Set(tests.flatMap((tagged) => tagged.asvs));

test('every item of the specification has a test, and every @spec tag names an item', () => {
  const ids = parseItems(specification ?? '').map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(190);
  expect(ids.filter((id) => !specTags.has(id))).toEqual([]);
  expect([...specTags].filter((id) => !ids.includes(id))).toEqual([]);
});

/** Reasons why an ASVS item may have no test. */
const REASON = /^(?:By design|By operation|Not met|Does not apply): ./;

test('every ASVS item has a test or a reason, and every @asvs tag names an item', () => {
  const items = parseItems(asvs ?? '');
  const ids = items.map(({ id }) => id);
  // Levels 1 and 2 of ASVS 5.0.0.
  expect(new Set(ids).size).toBe(253);
  expect(items.filter(({ id, cells }) => asvsTags.has(id) === REASON.test(cells[2] ?? '')).map(({ id }) => id)).toEqual(
    [],
  );
  expect([...asvsTags].filter((id) => !ids.includes(id))).toEqual([]);
});

test.each([
  ["// @spec 4.cart 5.cart\ntest('a title', () => {});", 'a title', ['4.cart', '5.cart'], []],
  ["// @asvs 6.2.1\n// A comment.\ntest.each([1, 2])(\n  'title %s',\n  () => {},\n);", 'title %s', [], ['6.2.1']],
  ["// @spec 9.price\nimport { test } from 'vitest';\ntest('a title', () => {});", undefined, ['9.price'], []],
])('reads the tags of %j', (source, name, spec, asvsItems) => {
  expect(parseTags('x.test.ts', source)).toEqual([{ file: 'x.test.ts', name, spec, asvs: asvsItems }]);
});

const fileNames = new Set(
  (await Promise.all(FOLDERS.map((folder) => readdir(folder, { recursive: true }))))
    .flat()
    .map((file) => path.basename(file)),
);

/** Repository paths that a page links to or names in backticks. Code blocks and URLs don't count. */
function findPaths(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '');
  const codeSpans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).filter((text) => PATH.test(text));
  const linkTargets = [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return [...codeSpans, ...linkTargets.filter((target) => !/^(?:[a-z]+:|\/)/.test(target))];
}

/**
 * Checks that a file exists, by its path from the root or the page or by its file name, and that it has the heading
 * after `#`.
 */
async function referenceExists(page: string, pathReference: string): Promise<boolean> {
  const [file = '', anchor] = pathReference.split('#');
  const target = file === '' ? page : [file, path.join(path.dirname(page), file)].find((each) => existsSync(each));
  if (target === undefined || anchor === undefined) return target !== undefined || fileNames.has(file);
  const headings = (await readFile(target, 'utf8')).match(/^#+ .+$/gm) ?? [];
  return headings.some((heading) => headingAnchor(heading) === anchor);
}

/** The anchor that GitHub gives a heading. */
function headingAnchor(heading: string): string {
  return heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

async function findMissing(page: string, markdown: string): Promise<string[]> {
  const paths = findPaths(markdown);
  const existing = await Promise.all(paths.map((reference) => referenceExists(page, reference)));
  return paths.filter((_, index) => !existing[index]);
}

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...(await readdir('docs', { recursive: true })).filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`),
];

test.each(pages)('every path in %s exists', async (page) => {
  expect(await findMissing(page, await readFile(page, 'utf8'))).toEqual([]);
});

test('a missing path or heading is reported', async () => {
  const page =
    '`src/domain/nothing.ts` [a](docs/nothing.md) [b](docs/security.md#nothing) [c](docs/security.md#logs) `a b`';
  expect(await findMissing('README.md', page)).toEqual([
    'src/domain/nothing.ts',
    'docs/nothing.md',
    'docs/security.md#nothing',
  ]);
});

test('production accepts every setting of .env.example', async () => {
  const example = (await readFile('.env.example', 'utf8')).replace(/^# (?=[A-Z0-9_]+=)/gm, '');
  const settings = parseEnv(example);
  expect(() => readConfig(settings)).not.toThrow();
  expect(Object.keys(settings).filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
});

const SETTING_NAMES = Object.keys(SETTINGS.shape);

/** A section of docs/security.md. */
function readSection(heading: string): string {
  const [, after = ''] = (security ?? '').split(`\n## ${heading}\n`);
  return after.split('\n## ')[0] ?? '';
}

/** Settings that don't connect the program to another system. */
const UNCONNECTED_SETTINGS = [
  'ADMIN_EMAILS',
  'ALARM_EMAILS',
  'ALLOW_TEST_PAYMENTS',
  'ANNUAL_REPORT_URL',
  'API_ORIGINS',
  'AUTH_SECRET',
  'BACKUP_KEY',
  'CARD_FEE',
  'CONTACT_EMAIL',
  'DATABASE',
  'DATABASE_POOL',
  'DATA_DIR',
  'DEFAULT_ORG',
  'HOST',
  'LOG_LEVEL',
  'METRICS_TOKEN',
  'NODE_ENV',
  'PAGE_ORIGINS',
  'PARENT_ADDRESS',
  'PARENT_EIN',
  'PARENT_NAME',
  'PORT',
  'PUBLIC_URL',
  'STATE_REGISTRATION',
  'TRUSTED_PROXIES',
];

// @asvs 13.1.1 13.2.4
test('docs/security.md lists every setting that connects the program to another system', () => {
  const table = readSection('Connections');
  expect(SETTING_NAMES.filter((name) => !table.includes(`\`${name}\``)).toSorted()).toEqual(UNCONNECTED_SETTINGS);
});

// @asvs 14.1.1
test('docs/security.md classifies every table once', async () => {
  const schema = await readFile('migrations/0001-baseline.sql', 'utf8');
  const tables = [...schema.matchAll(/^create table (\w+)/gim)].map(([, name = '']) => name).concat('migrations');
  const classifiedTables = [...readSection('Data protection').matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
  expect(classifiedTables.toSorted()).toEqual(tables.toSorted());
});
