import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** One step of the build. Paths are relative to the project root. */
export type BuildStep = {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly build: () => Promise<void>;
};

/** Folder with one file per step, which contains the digest of its inputs. */
const STAMP_FOLDER = 'build/.stamps';

/** Runs a step unless its outputs were built from exactly these inputs. */
export async function buildIfStale(step: BuildStep): Promise<void> {
  const stampFile = path.join(STAMP_FOLDER, step.name);
  const digest = await computeDigest(step.inputs);
  const previousDigest = existsSync(stampFile) ? await readFile(stampFile, 'utf8') : '';
  if (previousDigest === digest && step.outputs.every((output) => existsSync(output))) return;
  console.log(`Building ${step.name}…`);
  await step.build();
  await mkdir(STAMP_FOLDER, { recursive: true });
  await writeFile(stampFile, digest);
}

async function computeDigest(inputs: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) {
    // For hundreds of small files, synchronous reads take a third of the time.
    for (const file of (await listFiles(input)).sort()) {
      hash.update(file).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

async function listFiles(input: string): Promise<string[]> {
  if (!(await stat(input)).isDirectory()) return [input];
  const entries = await readdir(input, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
