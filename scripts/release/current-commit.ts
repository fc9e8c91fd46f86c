import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Reads the commit of the repository in a folder, even if it has a tag. Ends in `-dirty` if files were changed.
 * @returns an empty string outside a clone of the repository
 */
export async function readCurrentCommit(folder = '.'): Promise<string> {
  const options = ['--always', '--dirty', '--abbrev=12', '--exclude=*'];
  const result = await promisify(execFile)('git', ['-C', folder, 'describe', ...options]).catch(() => undefined);
  return result?.stdout.trim() ?? '';
}
