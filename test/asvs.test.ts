import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { OWN_WORDS } from '#domain/password.ts';
import { type Count, LIMITS, type Limit } from '#server/features/rate-limits/limits.ts';
import { ASVS_LEVELS } from '#test/support/asvs-items.ts';
import { hasTest } from '#test/support/named-tests.ts';
import { pathsIn } from '#test/support/spec-map.ts';

const page = await readFile('docs/asvs.md', 'utf8');
const security = await readFile('docs/security.md', 'utf8');

/** A row of a table: the item, its level, what it asks in our words, and how it is met. */
type Row = { readonly item: string; readonly level: string; readonly asks: string; readonly proof: string };
type NamedTest = { readonly file: string; readonly name: string };

const rows = rowsIn(page);

function rowsIn(markdown: string): Row[] {
  return markdown.split('\n').flatMap((line) => {
    const [, item = '', level = '', asks = '', proof = '', ...more] = line.split('|').map((cell) => cell.trim());
    return /^V\d/.test(item) ? [{ item, level, asks, proof: more.length === 1 ? proof : '' }] : [];
  });
}

/** "`file` › name; `file` › name": the tests that prove an item. */
function testsOf({ proof }: Row): NamedTest[] {
  return [...proof.matchAll(/`(test\/[^`]+)` › (.+?)(?=; `test\/|$)/g)].map(([, file = '', name = '']) => ({
    file,
    name,
  }));
}

const KINDS = {
  'By design': 'design',
  'By operation': 'design',
  'Not met': 'not met',
  'Does not apply': 'none',
} as const;
type Kind = 'test' | (typeof KINDS)[keyof typeof KINDS];

/** Undefined where a row says neither which test there is nor why there is none. */
function kindOf({ proof }: Pick<Row, 'proof'>): Kind | undefined {
  if (proof.startsWith('`test/')) return 'test';
  const [start = '', ...why] = proof.split(': ');
  return why.length === 0 ? undefined : Object.entries(KINDS).find(([kind]) => kind === start)?.[1];
}

/** The paths and the sections of our pages that a row leads to, and that are not there. */
async function missingIn(proof: string): Promise<string[]> {
  const paths = pathsIn(proof).filter((path) => !existsSync(path) && !existsSync(`docs/${path}`));
  const sections = [...proof.matchAll(/“([^”]+)” in \[docs\/[\w.-]+\]\(([\w.-]+)\)/g)].map(
    async ([, heading = '', file]) => {
      const text = await readFile(`docs/${file}`, 'utf8');
      return text.includes(`# ${heading}\n`) ? [] : [heading];
    },
  );
  return [...paths, ...(await Promise.all(sections)).flat()];
}

/** What is wrong with a row; undefined if its tests are there, or it says why it has none. */
async function problemOf(row: Row): Promise<string | undefined> {
  const kind = kindOf(row);
  if (!kind || row.asks === '') return `${row.item} says neither what it asks nor how it is met`;
  if (row.level !== String(ASVS_LEVELS.get(row.item))) return `${row.item} is not of level ${row.level}`;
  const lost = await Promise.all(
    testsOf(row).map(async ({ file, name }) => ((await hasTest(file, name)) ? [] : [`${file} has no test “${name}”`])),
  );
  if (lost.flat().length > 0) return `${row.item}: ${lost.flat().join(', ')}`;
  const missing = await missingIn(row.proof);
  if (missing.length > 0) return `${row.item} leads nowhere: ${missing.join(', ')}`;
  return kind === 'test' && testsOf(row).length === 0 ? `${row.item} names no test` : undefined;
}

test('each item of levels 1 and 2 has one row, and no other item has any', () => {
  expect(ASVS_LEVELS.size).toBe(253);
  expect(rows.map(({ item }) => item)).toEqual([...new Set(rows.map(({ item }) => item))]);
  expect(rows.map(({ item }) => item).toSorted()).toEqual([...ASVS_LEVELS.keys()].toSorted());
});

test('each row names tests that are there, or says why there is none', async () => {
  const problems = await Promise.all(rows.map(problemOf));
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
});

test('three items of four that apply are proven by a test, and the page counts as it says', () => {
  const count = (kind: Kind) => rows.filter((row) => kindOf(row) === kind).length;
  const [proven, designed, open, none] = [count('test'), count('design'), count('not met'), count('none')];
  const applicable = rows.length - none;
  const share = (whole: number) => `${Math.floor((100 * proven) / whole)} %`;
  expect(/\d+ items: .+? of all\./.exec(page.replace(/\s+/g, ' '))?.[0]).toBe(
    `${rows.length} items: ${proven} by test, ${designed} by design or operation, ${open} not met, ${none} do not apply. ` +
      `By test are ${share(applicable)} of the ${applicable} that apply, and ${share(rows.length)} of all.`,
  );
  expect(proven / applicable).toBeGreaterThanOrEqual(0.75);
});

test('a row of another level, a test that is gone, a path that is gone and an empty reason are caught', async () => {
  const row = { item: 'V1.2.1', level: '1', asks: 'x', proof: '`test/asvs.test.ts` › a row of another level' };
  expect(await problemOf(row)).toContain('has no test');
  expect(await problemOf({ ...row, level: '2' })).toContain('not of level');
  expect(await problemOf({ ...row, proof: 'Done.' })).toContain('neither');
  expect(await problemOf({ ...row, proof: 'By design: `docs/gone.md`' })).toContain('nowhere');
  expect(await problemOf({ ...row, proof: 'By design: “Gone” in [docs/security.md](security.md).' })).toContain(
    'nowhere',
  );
  expect(await problemOf({ ...row, proof: 'Not met:' })).toContain('neither');
  expect(await problemOf({ ...row, proof: 'Does not apply: there is none.' })).toBeUndefined();
});

/** A part of the page about security, by its heading. */
function part(heading: string): string {
  const [, after = ''] = security.split(`\n## ${heading}\n`);
  return after.split('\n## ')[0] ?? '';
}

test('every file that uses cryptography is in the table of keys, and the table names no other', async () => {
  const entries = await readdir('src/server', { recursive: true });
  const files = entries.filter((file) => file.endsWith('.ts')).map((file) => `src/server/${file}`);
  const uses = /from '(?:node:crypto|jose|openid-client|otpauth|@simplewebauthn\/server)'/;
  const found = await Promise.all(files.map(async (file) => (uses.test(await readFile(file, 'utf8')) ? [file] : [])));
  expect(
    pathsIn(part('Keys and cryptography'))
      .filter((path) => path.endsWith('.ts'))
      .toSorted(),
  ).toEqual(found.flat().toSorted());
});

/** Settings that neither lead to another system nor open one. */
const NOT_CONNECTING = [
  ...['ADMINS_NEED_SECOND_STEP', 'ADMIN_EMAILS', 'ALARM_EMAILS', 'ALLOW_TEST_PAYMENTS', 'API_ORIGINS', 'AUTH_SECRET'],
  ...['CARD_FEE', 'CONTACT_EMAIL', 'DATABASE', 'DATABASE_POOL', 'DATA_DIR', 'DEFAULT_ORG', 'HOST', 'HSTS_SUBDOMAINS'],
  ...['LOG_LEVEL', 'METRICS_TOKEN', 'NODE_ENV', 'PAGE_ORIGINS', 'PARENT_ADDRESS', 'PARENT_EIN', 'PARENT_NAME', 'PORT'],
  ...['PUBLIC_URL', 'S3_FORCE_PATH_STYLE', 'S3_REGION', 'SLOW_QUERY_MS', 'STOP_WAIT_SECONDS', 'TRUSTED_PROXIES'],
];

test('every setting that leads to another system or opens one is in the table of connections', async () => {
  const config = await readFile('src/server/config.ts', 'utf8');
  const [, schema = ''] = config.split('const SETTINGS = z.object({');
  const names = [...(schema.split('\n});')[0]?.matchAll(/^ {2}([A-Z0-9_]+):/gm) ?? [])].map(([, name = '']) => name);
  const table = part('What the program connects to');
  expect(names.filter((name) => !table.includes(`\`${name}\``)).toSorted()).toEqual(NOT_CONNECTING);
});

test('every table has its class of protection', async () => {
  const tables = await readFile('src/server/db/tables.ts', 'utf8');
  const [, list = ''] = tables.split('export type Tables = {');
  const names = [...list.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name);
  const classed = [...part('Which data needs which protection').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(35);
  expect(names.filter((name) => classed.filter((each) => each === name).length !== 1)).toEqual([]);
});

test('every word that is no password is documented', () => {
  const words = part('Passwords that are refused').replace(/\s+/g, ' ');
  expect(words).toContain(`first: ${OWN_WORDS.join(', ')}.`);
});

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
