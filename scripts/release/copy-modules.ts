import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Files that Node never reads: types, source maps, and sources of compiled code. */
const NON_RUNTIME_FILE = /(?:\.map|\.[cm]?ts|\.flow)$/;
/** Documentation, except for licenses. */
const DOCUMENTATION = /\.(?:md|markdown)$/i;
const ONLY_TYPES = /(?:^|\/)node_modules\/@types\//;
const LICENSE = /licen[cs]e|notice|copying/i;

type LockFile = { readonly packages: Readonly<Record<string, { readonly dev?: true; readonly devOptional?: true }>> };

/**
 * Copies the production packages that `npm ci --omit=dev` installs for this platform, without files that aren't needed at
 * run time.
 */
export async function copyModules(lockFile: string, to: string): Promise<void> {
  const lock: LockFile = JSON.parse(await readFile(lockFile, 'utf8'));
  for (const [folder, { dev, devOptional }] of Object.entries(lock.packages)) {
    if (folder === '' || dev || devOptional || ONLY_TYPES.test(folder)) continue;
    // Missing packages are for other platforms.
    if (!existsSync(folder)) continue;
    await cp(folder, path.join(to, folder), { recursive: true, filter: (file) => isNeeded(file, folder) });
  }
}

/** Decides which files to copy. A nested package has its own entry in the lock file. */
function isNeeded(file: string, folder: string): boolean {
  const pathParts = path.relative(folder, file).split(path.sep);
  const name = pathParts.at(-1) ?? '';
  if (pathParts.includes('node_modules') || NON_RUNTIME_FILE.test(name)) return false;
  return !DOCUMENTATION.test(name) || LICENSE.test(name);
}
