import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { backupRecords } from '#server/features/backups/make-backup.ts';
import { adoptPictureFolder, checkPictureFolder, notePictureFolder } from '#server/gateways/pictures/picture-folder.ts';
import { testDatabase } from '#test/support/database.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const [db, restored] = [await testDatabase(), await testDatabase()];
const [ours, theirs] = [
  path.join(await scratchFolder('pictures'), 'pictures'),
  path.join(await scratchFolder('pictures'), 'pictures'),
];

/** Messages of processes that start at the same time. */
async function startAll(...folders: readonly string[]): Promise<readonly string[]> {
  const { log, loggedProblems } = watchedLog();
  await Promise.all(folders.map((folder) => notePictureFolder(db, folder, log)));
  return loggedProblems;
}

test('processes that share a pictures folder agree, and a process with another folder is noticed', async () => {
  expect((await checkPictureFolder(db, ours)).state).toBe('ok');
  expect(await startAll(ours, ours, ours, ours)).toEqual([]);
  expect(await startAll(theirs)).toEqual([expect.stringContaining('pictures are kept in another folder')]);
  expect((await checkPictureFolder(db, theirs)).state).toBe('wrong');
  expect((await checkPictureFolder(db, ours)).state).toBe('ok');

  // A restore adopts the other folder.
  await adoptPictureFolder(db, theirs);
  expect(await startAll(theirs)).toEqual([]);
  expect((await checkPictureFolder(db, theirs)).state).toBe('ok');

  // A database without a folder adopts the one it's started with.
  const { log, loggedProblems } = watchedLog();
  await notePictureFolder(restored, ours, log);
  expect(loggedProblems).toEqual([]);
  expect((await checkPictureFolder(db, ours)).state).toBe('ok');
  expect((await checkPictureFolder(restored, await scratchFolder('pictures'))).state).toBe('wrong');
});

test('an unwritable folder is reported without stopping the program', async () => {
  const file = path.join(await scratchFolder('pictures'), 'file');
  await fs.writeFile(file, '');
  expect(await startAll(path.join(file, 'pictures'))).toEqual([expect.stringContaining('could not be marked')]);
});

test('a folder’s marker is in no backup', async () => {
  const folder = await scratchFolder('pictures');
  await adoptPictureFolder(db, folder);
  await fs.writeFile(path.join(folder, 'one.webp'), 'a picture');
  const files: string[] = [];
  for await (const record of backupRecords({ db, pictures: folder, now: () => new Date() })) {
    if ('file' in record) files.push(record.file);
  }
  expect(files).toEqual(['one.webp']);
});
