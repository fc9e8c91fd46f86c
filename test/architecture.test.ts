// @spec decisions.3
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFoldersInCycles, findLanguageViolations, findViolations } from '#test/support/house-rules.ts';

// @asvs 1.2.4 1.2.5 1.2.9 1.3.2 1.3.6 3.2.2 3.5.5 6.5.3 11.2.1 11.2.3 11.3.1 11.3.2 11.3.3 11.4.1 11.4.3 11.5.1
// @asvs 13.2.4 13.3.2 15.3.2 15.3.5
test('every source file follows the house rules', async () => {
  const files = await listSourceFiles();
  const brokenRules = await Promise.all(
    files.map(async (file) => findViolations(file, await readFile(file, 'utf8')).map((rule) => `${file}: ${rule}`)),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(brokenRules.flat()).toEqual([]);
});

/** The widths at which the layout changes: a small phone, the specified mobile breakpoint, a tablet, and a laptop. */
const BREAKPOINTS: readonly number[] = [360, 576, 960, 1260];

test('stylesheets use only four breakpoints and take colors only from the tokens', async () => {
  const files = (await readdir('src/web', { recursive: true })).filter((file) => file.endsWith('.css'));
  const styles = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(`src/web/${file}`, 'utf8') })),
  );
  expect(files.length).toBeGreaterThan(30);
  expect(styles.flatMap(({ file, text }) => findStylesheetViolations(file, text))).toEqual([]);
});

test('stylesheets use only variables that a stylesheet defines', async () => {
  const files = (await readdir('src/web', { recursive: true })).filter((file) => file.endsWith('.css'));
  const styles = (await Promise.all(files.map((file) => readFile(`src/web/${file}`, 'utf8')))).join('\n');
  expect(findUndefinedVariables(styles)).toEqual([]);
  expect(findUndefinedVariables(`${styles} a { gap: var(--s4); }`)).toEqual(['--s4']);
});

function findUndefinedVariables(styles: string): string[] {
  const definedNames = new Set(Array.from(styles.matchAll(/(--[\w-]+)\s*:/g), ([, name]) => name));
  const usedNames = Array.from(styles.matchAll(/var\((--[\w-]+)/g), ([, name = '']) => name);
  return [...new Set(usedNames)].filter((name) => !definedNames.has(name));
}

test.each([
  ['ui/card.module.css', '@media (max-width: 700px) {}'],
  ['ui/card.module.css', '@media (min-width: 960px) {}'],
  ['ui/card.module.css', 'a { color: #07202a; }'],
])('catches a planted stylesheet violation: %s with %s', (file, text) => {
  expect(findStylesheetViolations(file, text)).toHaveLength(1);
});

function findStylesheetViolations(file: string, text: string): string[] {
  const queries = (text.match(/@media[^{]*/g) ?? []).join('\n');
  const widthViolations = [...queries.matchAll(/\((max|min)-width: (\d+)px\)/g)].flatMap(([query, limit, pixels]) =>
    BREAKPOINTS.includes(Number(pixels) - (limit === 'min' ? 1 : 0)) ? [] : [`${file}: ${query}`],
  );
  const hardCodedColors = file === 'styles/tokens.css' ? [] : (text.match(/#[0-9a-f]{3,8}\b/gi) ?? []);
  return [...widthViolations, ...hardCodedColors.map((color) => `${file}: ${color}`)];
}

test('comments, exports, and literals follow the house style', async () => {
  const files = [...(await listSourceFiles()), ...(await listSourceFiles('scripts'))];
  const violations = await Promise.all(
    files.map(async (file) => findLanguageViolations(await readFile(file, 'utf8')).map((rule) => `${file}: ${rule}`)),
  );
  expect(violations.flat()).toEqual([]);
});

test.each([
  '/** What the provider reports. */',
  '  /** Of the total. */',
  '/**\n * Whether it is paid.\n */',
  '// Where the file is.',
  'const a = 1; // Without a limit.',
  '/** Locks the row, so that nobody changes it meanwhile. */',
  '// The job ends by itself.',
  'export const kept = new Map();',
  'export function told(): void {}',
  'export type Given = { readonly id: string };',
  'const order = { ...{ id, name }, total };',
])('catches a planted style violation: %s', (source) => {
  expect(findLanguageViolations(source)).toHaveLength(1);
});

test.each([
  '/** @returns whether it is paid */',
  '// The second line of a comment may start with a word such as\n// Of, since the sentence began above.',
  'const order = { ...defaults, total };',
  'export const keptDays = 3;',
])('the style rules accept: %s', (source) => {
  expect(findLanguageViolations(source)).toEqual([]);
});

test.each(['server/features', 'web/routes/editor'])('the folders in %s have no import cycles', async (parent) => {
  const files = await listSourceFiles();
  const sources = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
  expect(findFoldersInCycles(parent, sources)).toEqual([]);
});

test('catches a planted feature cycle of any length or import style', () => {
  const features = 'src/server/features';
  const sources = new Map([
    [`${features}/orgs/read-org.ts`, `import { x } from '#server/features/ledger/org-stats.ts';`],
    [`${features}/ledger/org-stats.ts`, `import type { X } from '../stories/read-stories.ts';`],
    [`${features}/stories/read-stories.ts`, `const { x } = await import('#server/features/orgs/read-org.ts');`],
    [`${features}/site/site-map.ts`, `import { x } from '#server/features/stories/read-stories.ts';`],
  ]);
  expect(findFoldersInCycles('server/features', sources)).toEqual(['ledger', 'orgs', 'stories']);
  sources.delete(`${features}/ledger/org-stats.ts`);
  expect(findFoldersInCycles('server/features', sources)).toEqual([]);
});

test.each([
  ['src/domain/cart.ts', `import { z } from 'zod';`],
  ['src/domain/cart.ts', `import { Db } from '#server/db/connection.ts';`],
  ['src/domain/checkout.ts', 'const now = Date.now();'],
  ['src/contract/calls.ts', `import { buildApp } from '#server/app.ts';`],
  ['src/contract/calls.ts', `import pg from 'pg';`],
  ['src/server/app.ts', `import { Button } from '#web/ui/button.tsx';`],
  ['src/server/app.ts', `import { Button } from '../web/ui/button.tsx';`],
  ['src/server/app.ts', 'const port = process.env.PORT;'],
  ['src/server/features/orgs/read-org.ts', `import { x } from '#server/features/ledger/ledger.store.ts';`],
  ['src/server/features/orgs/read-org.ts', `import { x } from '../ledger/ledger.store.ts';`],
  ['src/server/features/orgs/read-org.ts', `db.selectFrom('orgs')`],
  ['src/server/features/orgs/orgs-helpers.ts', ''],
  ['src/server/features/payments/record-session.ts', `import { sandbox } from '#sandbox/sandbox.ts';`],
  ['src/server/entities/find-org.ts', `import { x } from '#server/features/ledger/org-stats.ts';`],
  ['src/sandbox/store.ts', `import { openDatabase } from '#server/db/connection.ts';`],
  ['src/web/main.tsx', `import { readFile } from 'node:fs/promises';`],
  ['src/web/api/client.ts', `import { SCHEMAS } from '#contract/schemas.ts';`],
  ['src/web/routes/donate/donate-page.tsx', `import { Air } from '../home/air.tsx';`],
  ['src/web/routes/donate/donate-page.tsx', `const air = import('#web/routes/home/air.tsx');`],
  ['src/web/routes/donate/donate-page.tsx', `import { ROUTES } from '#web/app/routes.ts';`],
  ['src/web/cart/cart-row.tsx', `import { Home } from '#web/routes/home/home-page.tsx';`],
  ['src/web/session/session.ts', `import { cart } from '#web/cart/cart-store.ts';`],
  ['src/web/ui/button.tsx', `import { client } from '../api/client.ts';`],
  ['src/web/ui/dialog.tsx', `import { useForm } from '#web/forms/use-form.ts';`],
  ['src/web/browser/save-file.ts', `import { failureMessage } from '#web/api/failure-message.ts';`],
  ['src/web/ui/button.tsx', 'const [isOpen, setOpen] = useState(false);'],
  ['src/web/site/header.tsx', `const Menu = lazy(() => import('./site-menu.tsx'));`],
  ['src/web/site/header.tsx', `window.history.replaceState(null, '', hash);`],
  ['src/domain/cart.ts', 'const sum = eval(text);'],
  ['src/server/app.ts', `import vm from 'node:vm';`],
  ['src/web/main.tsx', 'setTimeout("run()", 5);'],
  ['src/web/routes/home/home-page.tsx', '<p dangerouslySetInnerHTML={{ __html: story }} />'],
  ['src/web/main.tsx', `window.addEventListener('message', take);`],
  ['src/server/gateways/pictures/sharp-pictures.ts', `import { exec } from 'node:child_process';`],
  ['src/server/db/supervise-server.ts', 'spawn(program, [], { shell: true });'],
  ['src/server/db/new-id.ts', 'const id = Math.random().toString(36);'],
  ['src/server/features/sessions/secrets.ts', `createHash('md5')`],
  ['src/server/features/sessions/secrets.ts', `createCipheriv('aes-256-ecb', key, null)`],
  ['src/server/features/orgs/read-org.ts', 'await fetch(body.url);'],
  ['src/server/gateways/places/locationiq-places.ts', 'await fetch(url, { signal });'],
  ['src/server/features/orgs/orgs.store.ts', `sql.raw(query.search)`],
  ['src/server/jobs/queues.ts', `await db.pool.query(\`select * from orgs where id = \${id}\`);`],
  ['src/domain/cart.ts', `new RegExp(typed)`],
  ['src/domain/cart.ts', 'if (amount == 0) return;'],
])('catches a planted violation: %s with %s', (file, source) => {
  expect(findViolations(file, source)).not.toEqual([]);
});

test('the browser may import a schema’s types', () => {
  expect(findViolations('src/web/api/client.ts', `import type { ResponseBody } from '#contract/schemas.ts';`)).toEqual(
    [],
  );
});

/** Matches a call inside a function, where Vitest would ignore the hook if a test is running. */
const NESTED_AFTER_ALL = /^[ \t]+afterAll\(/m;

test('tests clean up with deferCleanup or onTestFinished instead of a nested afterAll', async () => {
  const files = (await listSourceFiles('test')).filter((file) => file !== 'test/support/defer-cleanup.ts');
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  expect(files.filter((_file, index) => NESTED_AFTER_ALL.test(sources[index] ?? ''))).toEqual([]);
  expect("test('a', () => {\n  afterAll(() => app.close());").toMatch(NESTED_AFTER_ALL);
});

type PackageLock = {
  readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly resolved?: string }>>;
};

// @asvs 15.1.2
test('every package is pinned with a checksum', async () => {
  const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const versions = Object.entries<string>({ ...dependencies, ...devDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))).toEqual([]);
  const { packages }: PackageLock = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const { '': rootPackage, ...dependencyEntries } = packages;
  expect(Object.keys(dependencyEntries).length).toBeGreaterThan(versions.length);
  const unpinnedPackages = Object.entries(dependencyEntries).filter(
    ([, { integrity, resolved }]) => !/^sha512-/.test(integrity ?? '') || resolved,
  );
  expect([rootPackage?.resolved, unpinnedPackages.map(([name]) => name)]).toEqual([undefined, []]);
});

async function listSourceFiles(folder = 'src'): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.posix.join(entry.parentPath.replaceAll(path.sep, '/'), entry.name));
}
