import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Returns the absolute path of one of the program's own files, independent of the current folder.
 * @param name path from the root of the program, such as "build/web"
 */
export function resolveAppPath(name: string): string {
  return fileURLToPath(new URL(`../../../${name}`, import.meta.url));
}

/**
 * Returns the command line for an operator: `fund …` in a release, `npm run …` in a clone of the repository.
 * @param command a command from scripts/commands.json with its options, such as "recover --write"
 */
export function formatCommandLine(command: string): string {
  if (existsSync(resolveAppPath('fund'))) return `fund ${command}`;
  return `npm run ${command.replace(' ', ' -- ')}`;
}
