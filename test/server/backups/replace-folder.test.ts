import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { MisplacedFoldersError, replaceFolder } from '#server/features/backups/restore-backup.ts';

const scratchFolder = await createScratchFolder('replaced');
afterAll(() => fs.rm(scratchFolder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

let folder: string;
let restoredFolder: string;
beforeEach(async () => {
  const parent = await fs.mkdtemp(path.join(scratchFolder, 'data-'));
  folder = path.join(parent, 'postgres');
  restoredFolder = path.join(parent, 'restored');
  for (const name of [folder, restoredFolder]) {
    await fs.mkdir(name);
    await fs.writeFile(path.join(name, 'origin'), path.basename(name));
  }
});

const readOrigin = (name: string) => fs.readFile(path.join(name, 'origin'), 'utf8');

/** Makes all moves fail except the first and those from this folder. */
function failLaterMoves(exception?: RegExp): void {
  const { rename } = fs;
  let moves = 0;
  vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
    moves += 1;
    if (moves > 1 && !exception?.test(String(from))) throw new Error('the disk is full');
    await rename(from, to);
  });
}

test('a restored folder replaces the old one, which is kept', async () => {
  const oldFolder = await replaceFolder(folder, restoredFolder);
  expect(await readOrigin(folder)).toBe('restored');
  expect(await readOrigin(oldFolder ?? '')).toBe('postgres');
});

test('the old folder is moved back if the restored one can’t be moved', async () => {
  failLaterMoves(/postgres\.before-/);
  await expect(replaceFolder(folder, restoredFolder)).rejects.toThrow('the disk is full');
  expect(await readOrigin(folder)).toBe('postgres');
});

test('the error names both folders if the old one can’t be moved back', async () => {
  failLaterMoves();
  const error = await replaceFolder(folder, restoredFolder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MisplacedFoldersError);
  expect(String(error)).toContain(`${restoredFolder} (restored) or ${folder}.before-`);
  expect(await readOrigin(restoredFolder)).toBe('restored');
});
