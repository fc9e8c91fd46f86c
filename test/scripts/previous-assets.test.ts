import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { replaceFolder } from '#scripts/build/replace-folder.ts';
import { copyPreviousAssets } from '#scripts/release/previous-assets.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';

const scratch = await createScratchFolder('assets');
afterAll(() => fs.rm(scratch, { recursive: true, force: true }));

let buildCount = 0;

async function buildAssets(...names: readonly string[]): Promise<string> {
  buildCount += 1;
  const folder = path.join(scratch, `web${buildCount}`);
  await fs.mkdir(path.join(folder, 'assets'), { recursive: true });
  for (const name of names) await fs.writeFile(path.join(folder, 'assets', name), name);
  return folder;
}

const listAssets = async (folder: string) => (await fs.readdir(path.join(folder, 'assets'))).sort();

test('replaced assets are kept for a day after the build that replaced them', async () => {
  const first = await buildAssets('home-1.js', 'home-1.js.br', 'react-1.js');
  const second = await buildAssets('home-2.js', 'react-1.js');
  await copyPreviousAssets(first, second, new Date('2026-03-01T09:00:00Z'));
  expect(await listAssets(second)).toEqual(['home-1.js', 'home-1.js.br', 'home-2.js', 'react-1.js']);

  const third = await buildAssets('home-3.js');
  await copyPreviousAssets(second, third, new Date('2026-03-02T09:00:00Z'));
  expect(await listAssets(third)).toEqual(['home-1.js', 'home-1.js.br', 'home-2.js', 'home-3.js', 'react-1.js']);

  const fourth = await buildAssets('home-4.js', 'home-1.js');
  await copyPreviousAssets(third, fourth, new Date('2026-03-02T09:00:01Z'));
  expect(await listAssets(fourth)).toEqual(['home-1.js', 'home-2.js', 'home-3.js', 'home-4.js', 'react-1.js']);
});

test('a first build has no previous assets', async () => {
  const first = await buildAssets('home-1.js');
  await copyPreviousAssets(path.join(scratch, 'nowhere'), first, new Date());
  expect(await listAssets(first)).toEqual(['home-1.js']);
});

test('replaceFolder creates a folder or replaces an existing one', async () => {
  const target = path.join(scratch, 'place');
  for (const name of ['a.js', 'b.js']) {
    await replaceFolder(await buildAssets(name), target);
    expect(await listAssets(target)).toEqual([name]);
  }
  expect(await fs.readdir(scratch)).not.toContain('place.old');
});
