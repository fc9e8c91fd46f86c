import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { backupName } from '#domain/backups.ts';
import { withBackup } from '#scripts/backups/with-backup.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/connection.ts';
import { openAndMigrate } from '#server/db/open-migrated.ts';
import { readBackupRecords } from '#server/features/backups/make-backup.ts';
import { restoreIntoDatabase } from '#server/features/backups/restore-backup.ts';
import { openBackupStorage } from '#server/gateways/backup-storage.ts';
import { openFolderFiles } from '#server/gateways/pictures/picture-files.ts';
import { createDatabaseTarget, createFolderTarget } from '#test/support/backup-targets.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { startObjectStore } from '#test/support/object-store.ts';

// Each command starts a process and opens a database, so three can take a minute on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const { log } = createLogSpy();
const folder = await createScratchFolder('backup-commands');
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
const backupsFolder = path.join(folder, 'kept');

async function runCommand(script: string, settings: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: 'build/test-compiled', ...settings },
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { lines: output.trim().split('\n'), errors: errors.trim(), status: child.exitCode };
}

const NEXT_STEP = '  npm run verify-ledger -- --provider               must find no differences';

test('drill accepts a database that was restored by other means, unless a program is connected to it', async () => {
  const ownLocation = await createTestDatabaseLocation();
  const restoredLocation = await createTestDatabaseLocation();
  const settings = { DATA_DIR: await createScratchFolder('drill'), DATABASE_URL: ownLocation.databaseUrl };
  const drill = await runCommand('drill', settings, '--database', restoredLocation.databaseUrl);
  expect([drill.errors, drill.status]).toEqual(['', 0]);
  expect(drill.lines.at(-1)).toMatch(/^The drill succeeded in \d+ s\.$/);
  const recovery = await runCommand('recover', settings, '--database', restoredLocation.databaseUrl);
  expect([recovery.errors, recovery.status, recovery.lines]).toEqual(['', 0, ['There is nothing to recover.']]);

  const db = await openDatabase({ ...restoredLocation, log });
  const refusedDrill = await runCommand('drill', settings, '--database', restoredLocation.databaseUrl);
  expect([refusedDrill.errors, refusedDrill.status]).toEqual([
    'A program is connected to this database. A drill changes the database, so specify a restored copy instead.',
    1,
  ]);
  await db.close();
  const ambiguousDrill = await runCommand('drill', settings, 'latest', '--database', restoredLocation.databaseUrl);
  expect(ambiguousDrill.errors).toContain('drill -- --database URL');
  expect(ambiguousDrill.status).not.toBe(0);

  const ownDb = await openDatabase({ ...ownLocation, log });
  const results = await ownDb.kysely.selectFrom('restore_drills').select(['backup', 'problem']).execute();
  const name = new URL(restoredLocation.databaseUrl).pathname.slice(1);
  expect(results).toEqual([{ backup: expect.stringMatching(`^PostgreSQL, ${name} on `), problem: null }]);
  await ownDb.close();
});

test('backup and drill work while the program runs, and restore works with an empty or occupied folder', async () => {
  const dataDir = path.join(folder, 'data');
  const settings = { DATA_DIR: dataDir, BACKUP_TO: backupsFolder };
  const config = readConfig(settings);
  const { db } = await openAndMigrate({ ...config, isServerProcess: true }, log);
  const orgId = await addOrg(db);
  const result = await runCommand('backup', settings);
  expect([result.errors, result.status]).toEqual(['', 0]);
  const [name = ''] = await fs.readdir(backupsFolder);
  expect(result.lines).toEqual([
    `${path.join(backupsFolder, name)}  ${(await fs.stat(path.join(backupsFolder, name))).size} bytes`,
  ]);
  expect((await runCommand('backup', settings, '--list')).lines).toEqual([path.join(backupsFolder, name)]);

  // A mistyped backup name isn't recorded as a failed drill.
  const mistypedDrill = await runCommand('drill', settings, 'fund-2026.backup');
  expect([mistypedDrill.errors, mistypedDrill.status]).toEqual([
    `There is no backup ${path.join(backupsFolder, 'fund-2026.backup')}.`,
    1,
  ]);
  const folderDrill = await runCommand('drill', settings, backupsFolder);
  expect([folderDrill.errors, folderDrill.status]).toEqual([
    `${backupsFolder} is a folder. Specify a backup in that folder.`,
    1,
  ]);

  const firstDrill = await runCommand('drill', settings);
  expect([firstDrill.errors, firstDrill.status]).toEqual(['', 0]);
  expect(firstDrill.lines.at(-1)).toMatch(/^The drill succeeded in \d+ s\.$/);
  const readDrills = () => db.kysely.selectFrom('restore_drills').select(['backup', 'problem']).execute();
  expect(await readDrills()).toEqual([{ backup: path.join(backupsFolder, name), problem: null }]);
  await db.close();

  const target = await createFolderTarget();
  const targetSettings = { DATA_DIR: target.dataDir, BACKUP_TO: backupsFolder };
  const restoreOutput = await runCommand('restore', targetSettings, 'latest');
  expect([restoreOutput.errors, restoreOutput.status, restoreOutput.lines.at(-1)]).toEqual(['', 0, NEXT_STEP]);
  // This file marks the folder as belonging to the database.
  expect(await fs.readdir(path.join(target.dataDir, 'pictures'))).toEqual(['.folder']);
  const replaceOutput = await runCommand('restore', targetSettings, 'latest', '--replace');
  const replacedFolders = (await fs.readdir(target.dataDir)).filter((fileName) =>
    fileName.startsWith('postgres.before-'),
  );
  expect(replacedFolders).toHaveLength(1);
  expect(replaceOutput.lines).toContain(
    `The replaced data is in: ${path.join(target.dataDir, replacedFolders[0] ?? '')}.`,
  );
  const copy = await openDatabase({ dataDir: target.dataDir, log });
  expect(await copy.kysely.selectFrom('orgs').select('id').execute()).toEqual([{ id: orgId }]);
  await copy.close();

  const brokenFile = path.join(folder, 'broken.backup');
  await fs.writeFile(brokenFile, (await fs.readFile(path.join(backupsFolder, name))).subarray(0, -1));
  const drillOutput = await runCommand('drill', settings, brokenFile);
  expect(drillOutput.status).toBe(1);
  const restoredDatabase = await openDatabase({ dataDir, log });
  const failedDrills = restoredDatabase.kysely
    .selectFrom('restore_drills')
    .select(['backup', 'problem'])
    .where('backup', '=', brokenFile);
  expect(await failedDrills.execute()).toEqual([{ backup: brokenFile, problem: expect.stringMatching(/\S/) }]);
  await restoredDatabase.close();
});

test('rows written during a backup aren’t in it', async () => {
  const db = await openDatabase({ ...(await createTestDatabaseLocation()), log });
  await addOrg(db, { id: 'before' });
  let isWritten = false;
  async function* readAndInsert() {
    for await (const record of readBackupRecords({ db, pictures: undefined, now: () => new Date() })) {
      if ('table' in record && !isWritten) {
        isWritten = true;
        await addOrg(db, { id: 'meanwhile' });
      }
      yield record;
    }
  }
  const target = await createDatabaseTarget();
  await restoreIntoDatabase(target, readAndInsert(), { pictures: openFolderFiles(folder), log, jobs: QUEUED_JOBS });
  await db.close();
  const copy = await openDatabase({ ...target, log });
  expect(await copy.kysely.selectFrom('orgs').select('id').execute()).toEqual([{ id: 'before' }]);
  await copy.close();
});

test('another process’s unfinished or abandoned draft doesn’t block a backup', async () => {
  const drafts = path.join(folder, 'drafts');
  await fs.mkdir(drafts);
  await fs.symlink('gone', path.join(drafts, 'one.backup.part'));
  await fs.writeFile(path.join(drafts, 'two.backup.part'), 'from a killed process');
  await fs.utimes(path.join(drafts, 'two.backup.part'), 0, 0);
  const draft = await openBackupStorage({ folder: drafts }).createDraftPath('three.backup');
  expect(draft).toBe(path.join(drafts, 'three.backup.part'));
  expect(await fs.readdir(drafts)).toEqual(['one.backup.part']);
});

test('a bucket stores complete backups under its prefix', async () => {
  const store = await startObjectStore('fund', 'AKIA');
  const config = readConfig({
    BACKUP_TO: `s3://AKIA:hush@fund/daily?endpoint=${store.endpoint}`,
  });
  const { backup } = config;
  if (!backup) throw new Error('Expected a backup configuration.');
  const backupStore = openBackupStorage(backup.to);
  const draft = await backupStore.createDraftPath('one.backup');
  await fs.writeFile(draft, 'whole');
  expect([...store.objects.keys()]).toEqual([]);
  await backupStore.storeDraft(draft, 'one.backup');
  expect([...store.objects.keys()]).toEqual(['daily/one.backup']);
  await expect(fs.stat(path.dirname(draft))).rejects.toThrow('ENOENT');
  expect([await backupStore.list(), backupStore.getAddress('one.backup')]).toEqual([
    ['one.backup'],
    's3://fund/daily/one.backup',
  ]);
  await backupStore.copyTo('one.backup', path.join(folder, 'fetched'));
  expect(await fs.readFile(path.join(folder, 'fetched'), 'utf8')).toBe('whole');
  await backupStore.remove('one.backup');

  const name = backupName(new Date(0));
  const namedDraft = await backupStore.createDraftPath(name);
  await fs.writeFile(namedDraft, 'whole');
  await backupStore.storeDraft(namedDraft, name);
  for (const reference of [name, backupStore.getAddress(name), 'latest'])
    expect(
      await withBackup(reference, config, async (file, address) => [await fs.readFile(file, 'utf8'), address]),
    ).toEqual(['whole', `s3://fund/daily/${name}`]);
  const missingBackup = withBackup('s3://fund/daily/none.backup', config, async () => {});
  await expect(missingBackup).rejects.toThrow('There is no backup s3://fund/daily/none.backup.');
  await backupStore.remove(name);
  expect(await backupStore.list()).toEqual([]);
  const [rejectedDraft, otherDraft] = [
    await backupStore.createDraftPath('two.backup'),
    await backupStore.createDraftPath('three.backup'),
  ];
  await fs.writeFile(otherDraft, 'from a killed process');
  await fs.utimes(path.dirname(otherDraft), 0, 0);
  await fs.writeFile(rejectedDraft, 'whole');
  const warnings = vi.spyOn(console, 'warn');
  store.failWith = 403;
  await expect(backupStore.storeDraft(rejectedDraft, 'two.backup')).rejects.toThrow(
    's3://fund/daily/two.backup cannot be written (InternalError).',
  );
  expect(warnings).not.toHaveBeenCalled();
  await backupStore.discardDraft(rejectedDraft);
  await backupStore.discardDraft(await backupStore.createDraftPath('four.backup'));
  for (const draft of [rejectedDraft, otherDraft]) await expect(fs.stat(path.dirname(draft))).rejects.toThrow('ENOENT');
  await store.close();
});
