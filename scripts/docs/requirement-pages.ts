import { readFile } from 'node:fs/promises';
import type { TaggedTest } from './tagged-tests.ts';

export const SPECIFICATION = 'docs/specification.md';
export const ASVS = 'docs/asvs.md';

type Row = readonly string[];

/** An item on a page under docs/ that tests can refer to in a tag. */
export type Item = { readonly id: string; readonly cells: Row };

/** The page's table rows that start with an id such as `4.cart`, `decisions.2`, or `6.2.1`. */
export function parseItems(page: string): Item[] {
  return page.split('\n').flatMap((line) => {
    const [id = '', ...cells] = parseCells(line);
    return /^(?:\d|decisions)\.\S+$|^\d+\.\d+\.\d+$/.test(id) ? [{ id, cells }] : [];
  });
}

function parseCells(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function createLink({ file, name }: TaggedTest): string {
  const link = `[${file}](../../${file})`;
  return name === undefined ? link : `${link} › ${name.replaceAll('|', '\\|')}`;
}

function createTestLinks(tests: readonly TaggedTest[], kind: 'spec' | 'asvs', id: string): string[] {
  return [...new Set(tests.filter((test) => test[kind].includes(id)).map(createLink))];
}

/** Adds a column with each item's tests to the page. */
function addTests(page: string, getTests: (item: Item) => string): string {
  return page
    .split('\n')
    .map((line) => {
      const [item] = parseItems(line);
      if (item) return `${line} ${getTests(item)} |`;
      if (/^\| Item \|/.test(line)) return `${line} Tests |`;
      return line.startsWith('| ---') ? `${line} --- |` : line;
    })
    .join('\n');
}

/** The specification with the tests of each item. */
export async function createSpecMap(tests: readonly TaggedTest[]): Promise<string> {
  const page = await readFile(SPECIFICATION, 'utf8');
  return addTests(page, ({ id }) => createTestLinks(tests, 'spec', id).join('<br>') || 'no test');
}

/** The ASVS table with the tests of each item. */
export async function createAsvsTable(tests: readonly TaggedTest[]): Promise<string> {
  const page = await readFile(ASVS, 'utf8');
  return addTests(page, ({ id }) => createTestLinks(tests, 'asvs', id).join('<br>'));
}
