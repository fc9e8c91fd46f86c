import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Static and lazy imports of neighboring files or of `#scripts`. */
const IMPORT_PATTERN = /(?:from|import\()\s*'(\.{1,2}\/[^']+|#scripts\/[^']+)'/g;

/** The given scripts and all files of `scripts` that they import. Paths are relative to the project root. */
export async function listScripts(scripts: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  const addWithImports = async (file: string): Promise<void> => {
    if (!file.startsWith('scripts/') || files.has(file)) return;
    files.add(file);
    if (!file.endsWith('.ts')) return;
    for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(IMPORT_PATTERN)) {
      const isOwnAlias = name.startsWith('#scripts/');
      await addWithImports(
        isOwnAlias ? name.replace('#scripts/', 'scripts/') : path.posix.join(path.posix.dirname(file), name),
      );
    }
  };
  for (const script of scripts) await addWithImports(script);
  return [...files].sort();
}
