// @spec 2.test
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const UI = 'src/web/ui';
const DEMOS = 'src/web/routes/admin/test';

/** Shown by every page, or within a component that is shown. */
const SHOWN_WITHIN: readonly string[] = ['modal.tsx', 'page.tsx', 'page-title.tsx'];

test('every kit component has a demo card on the test page', async () => {
  const demos = await Promise.all(
    (await readdir(DEMOS)).filter((file) => file.endsWith('.tsx')).map((file) => readFile(`${DEMOS}/${file}`, 'utf8')),
  );
  const components = (await readdir(UI)).filter((file) => file.endsWith('.tsx') && !SHOWN_WITHIN.includes(file));
  const missing = components.filter((file) => !demos.some((source) => source.includes(`/ui/${file}'`)));
  expect(components.length).toBeGreaterThan(15);
  expect(missing).toEqual([]);
});
