import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A part of the build: what it is made from, what it makes, and how. Paths from the project's root. */
export type BuildStep = {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly make: () => Promise<void>;
};

const STAMPS = 'build/.made-from';

/** Makes a step's outputs, unless they were made from just these inputs already. Says whether it made them. */
export async function makeUnlessFresh(step: BuildStep): Promise<boolean> {
  const stampFile = path.join(STAMPS, step.name);
  const wanted = await digestOf(step.inputs);
  const made = existsSync(stampFile) ? await readFile(stampFile, 'utf8') : '';
  if (made === wanted && step.outputs.every((output) => existsSync(output))) return false;
  console.log(`Making ${step.name} …`);
  await step.make();
  await mkdir(STAMPS, { recursive: true });
  await writeFile(stampFile, wanted);
  return true;
}

async function digestOf(inputs: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of (await filesIn(input)).sort())
      hash
        .update(file)
        .update('\0')
        .update(await readFile(file))
        .update('\0');
  }
  return hash.digest('hex');
}

async function filesIn(place: string): Promise<string[]> {
  if (!(await stat(place)).isDirectory()) return [place];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
