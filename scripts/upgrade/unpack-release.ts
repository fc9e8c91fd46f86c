import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { computeSha256 } from '../release/sha256.ts';

/**
 * Unpacks a release after checking it against its checksum, `FILE.sha256`.
 * @param release an archive, or the folder of a release that is already unpacked
 * @param parent folder in which it is unpacked
 * @returns the folder of the release
 * @throws Error with a message for the operator
 */
export async function unpackRelease(release: string, parent: string): Promise<string> {
  const file = path.resolve(release);
  if ((await stat(file)).isDirectory()) return verifyFolder(file);
  await verifyChecksum(file);
  const stagingFolder = await mkdtemp(path.join(parent, '.city-climate-fund-'));
  try {
    await promisify(execFile)('tar', ['-xzf', file, '-C', stagingFolder, '--no-same-owner']);
    const [name = '', ...otherNames] = await readdir(stagingFolder);
    if (otherNames.length > 0) throw new Error(`${file} is not a release.`);
    await verifyFolder(path.join(stagingFolder, name));
    const folder = path.join(parent, name);
    if (!existsSync(folder)) await rename(path.join(stagingFolder, name), folder);
    return folder;
  } finally {
    await rm(stagingFolder, { recursive: true, force: true });
  }
}

async function verifyFolder(folder: string): Promise<string> {
  if (!existsSync(path.join(folder, 'fund'))) throw new Error(`${folder} is not a release: it contains no “fund”.`);
  return folder;
}

async function verifyChecksum(file: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  if (!existsSync(`${file}.sha256`))
    throw new Error(`${file}.sha256 does not exist. Download the checksum to the same folder as the archive.`);
  const [expected] = (await readFile(`${file}.sha256`, 'utf8')).split(/\s/);
  if ((await computeSha256(file)) !== expected)
    throw new Error(`${file} is damaged: it doesn’t match ${file}.sha256. Nothing was changed.`);
}
