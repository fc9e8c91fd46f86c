import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Static and lazy imports of files beside it, or of `#scripts`. */
const IMPORTED = /(?:from|import\()\s*'(\.{1,2}\/[^']+|#scripts\/[^']+)'/g;

/** The files of `scripts` that some of them need, themselves included. Paths are from the root of the program. */
export async function scriptsOf(scripts: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const follow = async (file: string): Promise<void> => {
    if (!file.startsWith('scripts/') || found.has(file)) return;
    found.add(file);
    if (!file.endsWith('.ts')) return;
    for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(IMPORTED)) {
      const isOurs = name.startsWith('#scripts/');
      await follow(isOurs ? name.replace('#scripts/', 'scripts/') : path.posix.join(path.posix.dirname(file), name));
    }
  };
  for (const script of scripts) await follow(script);
  return [...found].sort();
}
