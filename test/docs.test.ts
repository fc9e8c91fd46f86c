import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OWN_WORDS } from '#domain/password.ts';
import { ASVS, itemsIn, SPECIFICATION } from '#scripts/docs/proof-pages.ts';
import { readTaggedTests, tagsIn } from '#scripts/docs/tagged-tests.ts';
import { type Count, LIMITS, type Limit } from '#server/features/rate-limits/limits.ts';

const FOLDERS = ['src', 'test', 'docs', 'scripts', 'migrations', '.ci'];
const PATH = /^(?:src|test|docs|scripts|migrations|\.ci)\/[\w./-]+$|^[\w.-]+\.(?:ts|tsx|mjs|css|md|json|svg|png)$/;

const [security, specification, asvs] = await Promise.all(
  ['docs/security.md', SPECIFICATION, ASVS].map((page) => readFile(page, 'utf8')),
);
const tests = await readTaggedTests();
const specTags = new Set(tests.flatMap(({ spec }) => spec));
const asvsTags = new Set(tests.flatMap((tagged) => tagged.asvs));

test('every item of the specification has a test, and every @spec tag names an item', () => {
  const ids = itemsIn(specification ?? '').map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(190);
  expect(ids.filter((id) => !specTags.has(id))).toEqual([]);
  expect([...specTags].filter((id) => !ids.includes(id))).toEqual([]);
});

/** Why an ASVS item may have no test. */
const REASON = /^(?:By design|By operation|Not met|Does not apply): ./;

test('every ASVS item has a test or a reason, and every @asvs tag names an item', () => {
  const items = itemsIn(asvs ?? '');
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
  expect(tagsIn('x.test.ts', source)).toEqual([{ file: 'x.test.ts', name, spec, asvs: asvsItems }]);
});

const fileNames = new Set(
  (await Promise.all(FOLDERS.map((folder) => readdir(folder, { recursive: true }))))
    .flat()
    .map((file) => path.basename(file)),
);

/** The repository's paths that a page names in backticks or links to. Code blocks and addresses don't count. */
function pathsIn(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '');
  const named = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).filter((text) => PATH.test(text));
  const linked = [...prose.matchAll(/\[[^\]]*\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target);
  return [...named, ...linked.filter((target) => !/^(?:[a-z]+:|\/)/.test(target))];
}

function missingIn(page: string, markdown: string): string[] {
  const isThere = (named: string) =>
    existsSync(named) || existsSync(path.join(path.dirname(page), named)) || fileNames.has(named);
  return pathsIn(markdown).filter((named) => !isThere(named));
}

const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
  ...(await readdir('docs', { recursive: true })).filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`),
];

test.each(pages)('every path in %s exists', async (page) => {
  expect(missingIn(page, await readFile(page, 'utf8'))).toEqual([]);
});

test('a missing path is reported', () => {
  const page = '`src/domain/nothing.ts`, `nowhere.test.ts`, [this](docs/nothing.md), `src/domain/cart.ts`, `npm test`';
  expect(missingIn('README.md', page)).toEqual(['src/domain/nothing.ts', 'nowhere.test.ts', 'docs/nothing.md']);
});

/** A part of the page about security, by its heading. */
function part(heading: string): string {
  const [, after = ''] = (security ?? '').split(`\n## ${heading}\n`);
  return after.split('\n## ')[0] ?? '';
}

/** Settings that neither lead to another system nor open one. */
const NOT_CONNECTING = [
  ...['ADMINS_NEED_SECOND_STEP', 'ADMIN_EMAILS', 'ALARM_EMAILS', 'ALLOW_TEST_PAYMENTS', 'API_ORIGINS', 'AUTH_SECRET'],
  ...['CARD_FEE', 'CONTACT_EMAIL', 'DATABASE', 'DATABASE_POOL', 'DATA_DIR', 'DEFAULT_ORG', 'HOST', 'HSTS_SUBDOMAINS'],
  ...['LOG_LEVEL', 'METRICS_TOKEN', 'NODE_ENV', 'PAGE_ORIGINS', 'PARENT_ADDRESS', 'PARENT_EIN', 'PARENT_NAME', 'PORT'],
  ...['PUBLIC_URL', 'S3_FORCE_PATH_STYLE', 'S3_REGION', 'SLOW_QUERY_MS', 'STOP_WAIT_SECONDS', 'TRUSTED_PROXIES'],
];

// @asvs 13.1.1 13.2.4
test('every setting that leads to another system or opens one is in the table of connections', async () => {
  const config = await readFile('src/server/config.ts', 'utf8');
  const [, schema = ''] = config.split('const SETTINGS = z.object({');
  const names = [...(schema.split('\n});')[0]?.matchAll(/^ {2}([A-Z0-9_]+):/gm) ?? [])].map(([, name = '']) => name);
  const table = part('What the program connects to');
  expect(names.filter((name) => !table.includes(`\`${name}\``)).toSorted()).toEqual(NOT_CONNECTING);
});

// @asvs 14.1.1
test('every table has its class of protection', async () => {
  const tables = await readFile('src/server/db/tables.ts', 'utf8');
  const [, list = ''] = tables.split('export type Tables = {');
  const names = [...list.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name);
  const classed = [...part('Which data needs which protection').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(35);
  expect(names.filter((name) => classed.filter((each) => each === name).length !== 1)).toEqual([]);
});

// @asvs 6.1.2
test('every word that is no password is documented', () => {
  const words = part('Passwords that are refused').replace(/\s+/g, ' ');
  expect(words).toContain(`first: ${OWN_WORDS.join(', ')}.`);
});

// @asvs 2.1.3 6.1.1
test.each(Object.entries<Limit>(LIMITS))('the limit %s is documented as it is', (action, { counts, inKnownDevice }) => {
  const said = (all: readonly Count[]) =>
    all.map(({ by, most, windowMs }) => `${most} per ${by.join(' and ')} in ${windowMs / 60_000} min`).join('; ');
  const row = part('Limits')
    .split('\n')
    .find((line) => line.startsWith(`| ${action} | `));
  expect(row?.split(' | ').slice(2).join(' | ')).toBe(
    `${said(counts)} | ${inKnownDevice ? said(inKnownDevice) : '–'} |`,
  );
});
