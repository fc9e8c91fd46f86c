import { fileURLToPath } from 'node:url';

/**
 * The path of a file that belongs to the program, wherever it is installed and whatever folder it was started in.
 * @param name from the root of the program, such as "build/web"
 */
export function programFile(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}
