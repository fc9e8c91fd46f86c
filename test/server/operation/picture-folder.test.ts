import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { readBackupRecords } from '#server/features/backups/make-backup.ts';
import {
  adoptPictureFolder,
  checkPictureFolder,
  recordPictureFolder,
} from '#server/gateways/pictures/picture-folder.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const [db, restoredDb] = [await createTestDatabase(), await createTestDatabase()];
const [sharedFolder, otherFolder] = [
  path.join(await createScratchFolder('pictures'), 'pictures'),
  path.join(await createScratchFolder('pictures'), 'pictures'),
];

/** Marks folders in simultaneous processes. @returns logged problems */
async function markFolders(...folders: readonly string[]): Promise<readonly string[]> {
  const { log, loggedProblems } = createLogSpy();
  await Promise.all(folders.map((folder) => recordPictureFolder(db, folder, log)));
  return loggedProblems;
}

test('processes that share a pictures folder agree, and a process with another folder is reported', async () => {
  expect((await checkPictureFolder(db, sharedFolder)).state).toBe('ok');
  expect(await markFolders(sharedFolder, sharedFolder, sharedFolder, sharedFolder)).toEqual([]);
  expect(await markFolders(otherFolder)).toEqual([
    expect.stringContaining('is not the folder that contains this database’s pictures'),
  ]);
  expect((await checkPictureFolder(db, otherFolder)).state).toBe('error');
  expect((await checkPictureFolder(db, sharedFolder)).state).toBe('ok');

  // Simulates a restore, which adopts the other folder.
  await adoptPictureFolder(db, otherFolder);
  expect(await markFolders(otherFolder)).toEqual([]);
  expect((await checkPictureFolder(db, otherFolder)).state).toBe('ok');

  // A database without a folder adopts the one it's started with.
  const { log, loggedProblems } = createLogSpy();
  await recordPictureFolder(restoredDb, sharedFolder, log);
  expect(loggedProblems).toEqual([]);
  expect((await checkPictureFolder(db, sharedFolder)).state).toBe('ok');
  expect((await checkPictureFolder(restoredDb, await createScratchFolder('pictures'))).state).toBe('error');
});

test('an unwritable folder is reported without stopping the program', async () => {
  const file = path.join(await createScratchFolder('pictures'), 'file');
  await fs.writeFile(file, '');
  expect(await markFolders(path.join(file, 'pictures'))).toEqual([expect.stringContaining('id could not be checked')]);
});

test('backups don’t include a folder’s marker', async () => {
  const folder = await createScratchFolder('pictures');
  await adoptPictureFolder(db, folder);
  await fs.writeFile(path.join(folder, 'one.webp'), 'a picture');
  const files: string[] = [];
  for await (const record of readBackupRecords({ db, pictures: folder, now: () => new Date() })) {
    if ('file' in record) files.push(record.file);
  }
  expect(files).toEqual(['one.webp']);
});
