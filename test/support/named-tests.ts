import { readFile } from 'node:fs/promises';

/** Whether a file has a test of this name, or of this template of names. */
export async function hasTest(file: string, name: string): Promise<boolean> {
  const source = await readFile(file, 'utf8').catch(() => '');
  return ["'", '"', '`'].some((quote) => source.replace(/\(\s+/g, '(').includes(`(${quote}${name}${quote},`));
}
