import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { featuresInCycles, violationsIn } from '#test/support/house-rules.ts';

test('no file breaks a rule of the house', async () => {
  const files = await sourceFiles();
  const broken = await Promise.all(
    files.map(async (file) => violationsIn(file, await readFile(file, 'utf8')).map((rule) => `${file}: ${rule}`)),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(broken.flat()).toEqual([]);
});

test('no features of the server import one another in a circle', async () => {
  const files = await sourceFiles();
  const sources = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
  expect(featuresInCycles(sources)).toEqual([]);
});

test('a planted circle of features is caught, whatever its length and however it is imported', () => {
  const features = 'src/server/features';
  const planted = new Map([
    [`${features}/orgs/read-org.ts`, `import { x } from '#server/features/ledger/org-stats.ts';`],
    [`${features}/ledger/org-stats.ts`, `import type { X } from '../stories/read-stories.ts';`],
    [`${features}/stories/read-stories.ts`, `const { x } = await import('#server/features/orgs/read-org.ts');`],
    [`${features}/site/site-map.ts`, `import { x } from '#server/features/stories/read-stories.ts';`],
  ]);
  expect(featuresInCycles(planted)).toEqual(['ledger', 'orgs', 'stories']);
  planted.delete(`${features}/ledger/org-stats.ts`);
  expect(featuresInCycles(planted)).toEqual([]);
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
  ['src/server/features/checkouts/record-session.ts', `import { sandbox } from '#sandbox/sandbox.ts';`],
  ['src/server/orgs/find-org.ts', `import { x } from '#server/features/ledger/org-stats.ts';`],
  ['src/sandbox/store.ts', `import { openDatabase } from '#server/db/connection.ts';`],
  ['src/web/main.tsx', `import { readFile } from 'node:fs/promises';`],
  ['src/web/api/client.ts', `import { SCHEMAS } from '#contract/schemas.ts';`],
  ['src/web/routes/donate/donate-page.tsx', `import { Air } from '../home/air.tsx';`],
  ['src/web/routes/donate/donate-page.tsx', `const air = import('#web/routes/home/air.tsx');`],
  ['src/web/routes/donate/donate-page.tsx', `import { ROUTES } from '#web/app/routes.ts';`],
  ['src/web/cart/cart-panel.tsx', `import { Home } from '#web/routes/home/home-page.tsx';`],
  ['src/web/session/session.ts', `import { cart } from '#web/cart/cart-store.ts';`],
  ['src/web/ui/button.tsx', `import { client } from '../api/client.ts';`],
])('a planted violation is caught: %s with %s', (file, source) => {
  expect(violationsIn(file, source)).not.toEqual([]);
});

test('the types of a schema may be taken by the browser', () => {
  expect(violationsIn('src/web/api/client.ts', `import type { Answer } from '#contract/schemas.ts';`)).toEqual([]);
});

async function sourceFiles(): Promise<string[]> {
  const entries = await readdir('src', { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.posix.join(entry.parentPath.replaceAll(path.sep, '/'), entry.name));
}
