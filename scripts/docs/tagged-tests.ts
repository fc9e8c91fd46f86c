import { readdir, readFile } from 'node:fs/promises';

/** A test or test file, with the items that it covers. */
export type TaggedTest = {
  readonly file: string;
  /** Undefined if the tag is for the whole file. */
  readonly name: string | undefined;
  readonly spec: readonly string[];
  readonly asvs: readonly string[];
};

const TAG = /^\s*\/\/ @(spec|asvs) (.+)$/;
const TEST_FILE = /\.(?:test|e2e)\.tsx?$/;

/** The title of the test that begins with this text: the first string passed to `test(…)` or to `test.each(…)(…)`. */
const TITLE = /^\s*test(?:\.\w+)*(?:\(|.*?\)\()\s*(['"`])(.*?)\1,/s;

/** Reads the `// @spec` and `// @asvs` comments of one test file. */
export function parseTags(file: string, source: string): TaggedTest[] {
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    const [, kind, ids = ''] = TAG.exec(line) ?? [];
    if (kind === undefined) return [];
    const items = ids.trim().split(/\s+/);
    const codeOffset = lines.slice(index + 1).findIndex((text) => !text.trimStart().startsWith('//'));
    const code = lines.slice(index + 1 + codeOffset).join('\n');
    const name = /^\s*test\b/.test(code) ? TITLE.exec(code)?.[2] : undefined;
    return [{ file, name, spec: kind === 'spec' ? items : [], asvs: kind === 'asvs' ? items : [] }];
  });
}

/** Reads the tags of all test files. */
export async function readTaggedTests(): Promise<TaggedTest[]> {
  const files = (await readdir('test', { recursive: true })).filter((file) => TEST_FILE.test(file)).toSorted();
  const tests = await Promise.all(
    files.map(async (file) => parseTags(`test/${file}`, await readFile(`test/${file}`, 'utf8'))),
  );
  return tests.flat();
}
