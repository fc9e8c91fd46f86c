import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCurrentCommit } from '#scripts/release/current-commit.ts';
import { RELEASE_FILES } from '#scripts/release/make-release.ts';
import { measureMegabytes } from '#scripts/release/measure-megabytes.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';

async function createFolder(): Promise<string> {
  const folder = await createScratchFolder('release-files');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('a release contains the licenses of its fonts', async () => {
  const licenses = (await readdir('src/web/fonts')).filter((file) => file.endsWith('-OFL.txt'));
  expect(licenses).toHaveLength(2);
  expect(RELEASE_FILES).toEqual(expect.arrayContaining(licenses.map((file) => `src/web/fonts/${file}`)));
});

test('a release names its commit even if the commit has a tag', async () => {
  const folder = await createFolder();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]).toString();
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message', 'Release 1.0.0');
  git('tag', '--annotate', 'v1.0.0', '--message', '1.0.0');
  expect(await readCurrentCommit(folder)).toBe(git('rev-parse', '--short=12', 'HEAD').trim());
  expect(await readCurrentCommit(path.join(folder, 'missing'))).toBe('');
});

test('the size of a release counts a file once, and not again for each link to it', async () => {
  const folder = await createFolder();
  await mkdir(path.join(folder, 'lib'));
  await writeFile(path.join(folder, 'lib/libpq.so.5.18'), Buffer.alloc(4_000_000, 'x'));
  for (const name of ['libpq.so', 'libpq.so.5']) await symlink('libpq.so.5.18', path.join(folder, 'lib', name));
  expect(await measureMegabytes(folder)).toBe(4);
});
