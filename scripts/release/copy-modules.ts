import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Node reads none of them: types, sources of compiled code, and what people read. Licenses stay. */
const NEVER_RUN = /(?:\.map|\.[cm]?ts|\.flow)$/;
const READ_BY_PEOPLE = /\.(?:md|markdown)$/i;
const ONLY_TYPES = /(?:^|\/)node_modules\/@types\//;
const LICENSE = /licen[cs]e|notice|copying/i;

type Locked = { readonly packages: Readonly<Record<string, { readonly dev?: true; readonly devOptional?: true }>> };

/**
 * Copies the packages that run, as `npm ci --omit=dev` installs them for this platform, without the files of theirs that
 * never run. Packages that only building and testing need stay behind.
 */
export async function copyModules(lockFile: string, to: string): Promise<void> {
  const lock: Locked = JSON.parse(await readFile(lockFile, 'utf8'));
  for (const [folder, { dev, devOptional }] of Object.entries(lock.packages)) {
    if (folder === '' || dev || devOptional || ONLY_TYPES.test(folder)) continue;
    // What is not there is for another platform.
    if (!existsSync(folder)) continue;
    await cp(folder, path.join(to, folder), { recursive: true, filter: (file) => belongs(file, folder) });
  }
}

/** A package inside another one has an entry of its own. */
function belongs(file: string, folder: string): boolean {
  const inside = path.relative(folder, file).split(path.sep);
  const name = inside.at(-1) ?? '';
  if (inside.includes('node_modules') || NEVER_RUN.test(name)) return false;
  return !READ_BY_PEOPLE.test(name) || LICENSE.test(name);
}
