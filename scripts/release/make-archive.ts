import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { computeSha256 } from './sha256.ts';

/**
 * Packs a release into an archive, with its checksum next to it in the format of `sha256sum`.
 * @returns the path of the archive
 */
export async function makeArchive(release: string, folder: string): Promise<string> {
  const { version, commit }: { version: string; commit: string } = JSON.parse(
    await readFile(path.join(release, 'package.json'), 'utf8'),
  );
  const name = `city-climate-fund-${version}${commit === '' ? '' : `-${commit}`}`;
  const file = path.join(folder, `${name}-${process.platform}-${process.arch}.tar.gz`);
  const ownership = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner'];
  // Renames the top folder. With flag r, links keep their targets.
  const rename = `--transform=flags=r;s#^\\.#${name}#`;
  await promisify(execFile)('tar', ['-czf', file, ...ownership, rename, '-C', release, '.']);
  await writeFile(`${file}.sha256`, `${await computeSha256(file)}  ${path.basename(file)}\n`);
  return file;
}
