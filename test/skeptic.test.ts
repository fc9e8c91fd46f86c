import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { hasTest } from '#test/support/named-tests.ts';
import { pathsIn } from '#test/support/spec-map.ts';

const page = await readFile('docs/skeptic.md', 'utf8');
const ways = page.split(/^## /m).slice(1);

test('each of ten ways to mislead says what is shown, where, and what cannot be shown', () => {
  expect(ways.map((way) => way.split('.')[0])).toEqual(Array.from({ length: 10 }, (_, index) => String(index + 1)));
  for (const way of ways)
    for (const part of ['What it looks like', 'What the program shows', 'Where', 'What it cannot show'])
      expect(way).toContain(`**${part}.**`);
});

test('the files and tests that skeptics are led to are there', async () => {
  expect(pathsIn(page).filter((path) => !existsSync(path) && !existsSync(`docs/${path}`))).toEqual([]);
  const named = [...page.matchAll(/`(test\/[^`]+\.test\.ts)` › (.+?)(?=;\n`test\/|\n\n)/gs)];
  expect(named.length).toBeGreaterThanOrEqual(10);
  const missing = await Promise.all(
    named.map(async ([, file = '', name = '']) => ((await hasTest(file, name)) ? [] : [`${file}: ${name}`])),
  );
  expect(missing.flat()).toEqual([]);
});
