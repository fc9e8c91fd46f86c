import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The path of a file that belongs to the program, wherever it is installed and whatever folder it was started in.
 * @param name from the root of the program, such as "build/web"
 */
export function programFile(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

/**
 * How an operator types a command of the program. A release has no npm, and a checkout no `fund` at its top.
 * @param command from scripts/commands.json, with its options, such as "recover --write"
 */
export function commandLine(command: string): string {
  if (existsSync(programFile('fund'))) return `fund ${command}`;
  return `npm run ${command.replace(' ', ' -- ')}`;
}
