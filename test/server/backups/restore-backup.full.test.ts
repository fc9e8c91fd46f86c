import fs from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { readBackupFile, writeBackupFile } from '#server/features/backups/backup-file.ts';
import { type BackupDeps, makeBackup, readBackupRecords } from '#server/features/backups/make-backup.ts';
import {
  type RestoreResult,
  type RestoreTarget,
  restoreIntoDatabase,
} from '#server/features/backups/restore-backup.ts';
import { makeDueBackup } from '#server/features/backups/scheduled-backups.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { findLostRecords } from '#server/features/recovery/find-lost-records.ts';
import { recover } from '#server/features/recovery/recover.ts';
import { openBackupStorage } from '#server/gateways/backup-storage.ts';
import { createReadOnlyPayments } from '#server/gateways/payments/read-only-payments.ts';
import { openFolderFiles } from '#server/gateways/pictures/picture-files.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { openQueues } from '#server/jobs/queues.ts';
import { createDatabaseTarget, createFolderTarget } from '#test/support/backup-targets.ts';
import { addUser } from '#test/support/builders/user.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { createTwoRoles } from '#test/support/two-roles.ts';

const setup = await startDonationSetup({ livemode: false });
vi.setConfig({ testTimeout: 600_000 });
const { db, deps, provider } = setup;
const folder = await createScratchFolder('backups');
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
const pictures = openFolderFiles(path.join(folder, 'pictures'));
const { log } = createLogSpy();

const backupDeps: BackupDeps = {
  db,
  storage: openBackupStorage({ folder: path.join(folder, 'kept') }),
  secret: 'test-secret-0123456789abcdefghij',
  pictures: path.join(folder, 'pictures'),
  now: () => new Date(),
  log,
};

/** Adds values that are easy to corrupt when copied. */
async function addTrickyRows(): Promise<void> {
  await addUser(db, { id: 'zoe', email: 'zoe@example.org', display_name: 'Zoë "\\N" {null}\t\u{1F333}' });
  await db.kysely
    .insertInto('activities')
    .values({
      kind: 'text',
      verb: 'done',
      is_automated: true,
      org_id: null,
      actor_id: null,
      ip_address: null,
      affected_user_id: null,
      subject: 'null',
      after: JSON.stringify({ a: null, b: [1.1, 12345678901234], c: '\\' }),
    })
    .execute();
}

async function readLastProblem(): Promise<string | null | undefined> {
  const latest = db.kysely.selectFrom('backups').select('problem').orderBy('finished_at', 'desc').limit(1);
  return (await latest.executeTakeFirst())?.problem;
}

async function restoreInto(file: string, target: RestoreTarget, replace = false): Promise<RestoreResult> {
  const options = { pictures: openFolderFiles(path.join(folder, 'restored')), log, replace, jobs: QUEUED_JOBS };
  return restoreIntoDatabase(target, readBackupFile(file, backupDeps.secret), options);
}

async function withTarget<T>(target: RestoreTarget, run: (database: Database) => Promise<T>): Promise<T> {
  const restoredDatabase = await openDatabase({ ...target, log });
  try {
    return await run(restoredDatabase);
  } finally {
    await restoredDatabase.close();
  }
}

/** Reads every row of every table except `backups`. */
async function readAllRows({ pool }: Database): Promise<Record<string, unknown>> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'backups'`,
  );
  const rowsByTable: Record<string, unknown> = {};
  for (const { name } of rows) {
    const result = await pool.query<{ row: string }>(`select to_jsonb(t)::text as row from "${name}" t`);
    rowsByTable[name] = result.rows.map(({ row }) => row).toSorted();
  }
  return rowsByTable;
}

/** A server where the owner creates the tables and the program has a separate role. */
async function createTwoRolesTarget(): Promise<RestoreTarget> {
  const { ownerUrl, appUrl } = await createTwoRoles();
  return { databaseUrl: appUrl, migrateDatabaseUrl: ownerUrl, dataDir: '' };
}

await addTrickyRows();
await fs.mkdir(path.join(folder, 'kept'), { recursive: true });

test('a fund is restored exactly, and later gifts are recovered', async () => {
  await setup.openAndPay();
  const earlierGift = await setup.openAndPay();
  await pictures.put('ab12/320.webp', Buffer.from([0, 1, 2, 255]));
  const queues = await openQueues(db, log, QUEUED_JOBS);
  const startAfter = new Date('2031-01-02T03:04:05.678Z');
  await inTransaction(db, (tx) => queues.enqueue(tx, removePicture, { key: 'ab12' }, startAfter));
  await queues.stop();
  const initialRows = await readAllRows(db);

  const backup = await makeBackup(backupDeps);
  const recordedBackups = await db.kysely
    .selectFrom('backups')
    .select(['file', 'bytes', 'encrypted', 'problem'])
    .execute();
  expect(recordedBackups).toEqual([{ file: backup.file, bytes: backup.bytes, encrypted: true, problem: null }]);
  expect(await fs.readdir(path.join(folder, 'kept'))).toEqual([path.basename(backup.file)]);

  const laterGift = await setup.openAndPay();
  await provider.submitDashboardForm('clock', { months: '1' });
  await provider.deliverEvents();
  const liveRows = await readAllRows(db);

  const targets = [await createDatabaseTarget(), await createTwoRolesTarget(), await createFolderTarget()];
  for (const target of targets) {
    const restoreResult = await restoreInto(backup.file, target);
    expect(restoreResult).toMatchObject({
      manifest: { files: 1, fileBytes: 4 },
      newMigrations: [],
      differences: [],
    });
    await withTarget(target, async (copy) => {
      const rows = await readAllRows(copy);
      for (const name of Object.keys(initialRows)) {
        // Each database writes its own migration rows.
        if (name === 'sessions' || name === 'email_codes') expect(rows[name], name).toEqual([]);
        else if (name !== 'migrations') expect(rows[name], name).toEqual(initialRows[name]);
      }
      const { rows: jobs } = await copy.pool.query('select name, data, start_after from pgboss.job');
      expect(jobs).toEqual([{ name: 'remove-picture', data: { key: 'ab12' }, start_after: startAfter }]);
      // Triggers still fire, and sequences continue.
      await expect(copy.pool.query('update ledger_entries set amount_cents = 1')).rejects.toThrow();
      await expect(copy.pool.query(`delete from orgs`)).rejects.toThrow();
      await addUser(copy, { id: 'later' });
      // The activity entry for this change must get the next sequence number.
      await copy.kysely.updateTable('users').set({ admin: true }).where('id', '=', 'later').execute();

      const restoredDeps = { ...deps, db: copy, payments: createReadOnlyPayments(deps.payments), jobs: deps.jobs };
      const lostGifts = await findLostRecords(restoredDeps);
      if (lostGifts instanceof Failure) throw lostGifts;
      expect(lostGifts.pages.map(({ session }) => session.checkoutId)).toEqual([laterGift.id]);
      const recoveredGifts = await recover(restoredDeps, lostGifts);
      expect(recoveredGifts.problems).toEqual([]);
      expect(recoveredGifts.skippedNumbers).toBeDefined();
      expect(await verifyLedger(copy)).toEqual([]);
      expect(await compareWithProvider(restoredDeps)).toMatchObject({ differences: [] });
      const { rows: receipts } = await copy.pool.query<{ checkout_id: string; new: boolean }>(
        `select checkout_id, coalesce(document ->> 'reissued', '') = 'true' as new from receipts where checkout_id = any($1)`,
        [[earlierGift.id, laterGift.id]],
      );
      expect(new Map(receipts.map((receipt) => [receipt.checkout_id, receipt.new]))).toEqual(
        new Map([
          [earlierGift.id, false],
          [laterGift.id, true],
        ]),
      );
    });
    await expect(restoreInto(backup.file, target)).rejects.toThrow('This database already contains a fund');
  }
  expect(await readAllRows(db)).toEqual(liveRows);
  const picture = await openFolderFiles(path.join(folder, 'restored')).get('ab12/320.webp');
  expect(picture && (await buffer(picture.stream))).toEqual(Buffer.from([0, 1, 2, 255]));

  // With --replace, the command moves the existing database aside.
  const [server, , embedded] = targets;
  if (!server || !embedded) throw new Error('Expected a server target and a folder target.');
  const { replacedData: folders } = await restoreInto(backup.file, embedded, true);
  expect(folders).toHaveLength(1);
  for (const replacedFolder of folders) await fs.access(path.join(replacedFolder, 'data', 'PG_VERSION'));
  const { replacedData } = await restoreInto(backup.file, server, true);
  await withTarget(server, async (copy) => {
    expect((await readAllRows(copy)).orgs).toEqual(initialRows.orgs);
    const { rows } = await copy.pool.query<{ name: string }>(
      `select nspname::text as name from pg_namespace where nspname like '%\\_before\\_%' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(replacedData);
  });
});

test('a backup fails if its pictures can’t be listed, but a missing folder is fine', async () => {
  const listFiles = async (folder: string) => {
    const files: string[] = [];
    for await (const record of readBackupRecords({ db, pictures: folder, now: backupDeps.now }))
      if ('file' in record) files.push(record.file);
    return files;
  };
  const folder = await createScratchFolder('pictures');
  for (const file of ['k1/640.webp', '.marker', 'k1/320.webp.part']) {
    await fs.mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await fs.writeFile(path.join(folder, file), 'picture');
  }
  expect(await listFiles(folder)).toEqual(['k1/640.webp']);
  expect(await listFiles(path.join(folder, 'missing'))).toEqual([]);
  await expect(listFiles(path.join(folder, '.marker'))).rejects.toThrow('ENOTDIR');
});

test('rejects the whole restore if any row is missing or changed', async () => {
  const target = await createDatabaseTarget();
  const streamCorruptedRecords = async function* (
    changeRows: (rows: readonly (readonly unknown[])[]) => readonly (readonly unknown[])[],
  ) {
    for await (const record of readBackupRecords({ db, pictures: undefined, now: backupDeps.now }))
      yield 'rows' in record && record.rows[0]?.includes('zoe@example.org')
        ? { rows: changeRows(record.rows) as typeof record.rows }
        : record;
  };
  const options = { pictures, log, jobs: QUEUED_JOBS };
  const faults: readonly (readonly [Parameters<typeof streamCorruptedRecords>[0], string])[] = [
    [(rows) => rows.slice(1), 'The table users has a different number of rows'],
    [
      (rows) => rows.map((row) => row.map((value) => (value === 'zoe@example.org' ? 'zoe@example.com' : value))),
      'The contents of the table users differ',
    ],
  ];
  for (const [fault, message] of faults) {
    await expect(restoreIntoDatabase(target, streamCorruptedRecords(fault), options)).rejects.toThrow(message);
  }
  // The rejected copies left no rows behind.
  const restoreResult = await restoreIntoDatabase(
    target,
    readBackupRecords({ db, pictures: undefined, now: backupDeps.now }),
    options,
  );
  expect(restoreResult.differences).toEqual([]);
});

test('a failed restore leaves the existing data in place', async () => {
  const readCopy = () => readBackupRecords({ db, pictures: undefined, now: backupDeps.now });
  const withoutManifest = async function* () {
    for await (const record of readCopy()) if (!('end' in record)) yield record;
  };
  const target = await createDatabaseTarget();
  const options = { pictures, log, replace: true, jobs: QUEUED_JOBS };
  await restoreIntoDatabase(target, readCopy(), options);
  await withTarget(target, (copy) => addUser(copy, { id: 'after-backup' }));
  const readTarget = () =>
    withTarget(target, async (copy) => {
      const { rows: schemas } = await copy.pool.query(
        `select nspname::text from pg_namespace where nspname !~ '^pg_' order by 1`,
      );
      return { schemas, tables: await readAllRows(copy) };
    });
  const initialState = await readTarget();

  const file = path.join(folder, 'encrypted.backup');
  await writeBackupFile(file, readCopy(), { secret: backupDeps.secret });
  const withWrongKey = restoreIntoDatabase(target, readBackupFile(file, 'wrong'.repeat(8)), options);
  await expect(withWrongKey).rejects.toThrow('encrypted.backup');
  expect(await readTarget()).toEqual(initialState);
  await expect(restoreIntoDatabase(target, withoutManifest(), options)).rejects.toThrow('The copy has no manifest.');
  expect(await readTarget()).toEqual(initialState);
});

test('a restore into a server requires the program to be stopped', async () => {
  const target = await createDatabaseTarget();
  const program = await openDatabase({ ...target, log });
  await program.listen('org_changes', () => {});
  const restore = (isStopped: boolean) =>
    restoreIntoDatabase(target, readBackupRecords({ db, pictures: undefined, now: backupDeps.now }), {
      pictures,
      log,
      jobs: QUEUED_JOBS,
      isStopped,
    });
  await expect(restore(false)).rejects.toThrow('The program is connected to this database.');
  // A machine that goes down can leave its connection open.
  expect((await restore(true)).differences).toEqual([]);
  await program.close();
});

test('only one process makes a due backup, and a failed backup is retried a limited number of times', async () => {
  const backupDepsAt = (time: string) => ({ ...backupDeps, now: () => new Date(time) });
  const countBackups = async () => (await fs.readdir(path.join(folder, 'kept'))).length;
  const initialCount = await countBackups();
  await Promise.all(
    ['2026-12-01T03:30:10Z', '2026-12-01T03:30:11Z', '2026-12-01T03:31:00Z'].map((time) =>
      makeDueBackup(backupDepsAt(time)),
    ),
  );
  await makeDueBackup(backupDepsAt('2026-12-02T03:29:00Z'));
  expect(await countBackups()).toBe(initialCount + 1);

  const storage = {
    ...backupDeps.storage,
    storeDraft: () => Promise.reject(new Error('The bucket does not respond.')),
  };
  const makeFailingBackup = (time: string) => makeDueBackup({ ...backupDepsAt(time), storage });
  await expect(makeFailingBackup('2026-12-02T03:30:00Z')).rejects.toThrow('The bucket does not respond.');
  expect(await readLastProblem()).toBe('The bucket does not respond.');
  await makeFailingBackup('2026-12-02T03:35:00Z');
  await expect(makeFailingBackup('2026-12-02T03:41:00Z')).rejects.toThrow();
  await expect(makeFailingBackup('2026-12-02T03:52:00Z')).rejects.toThrow();
  await makeFailingBackup('2026-12-02T09:00:00Z');
  // Failed backups leave no files behind.
  expect(await countBackups()).toBe(initialCount + 1);
  await makeDueBackup(backupDepsAt('2026-12-03T04:00:00Z'));
  expect(await countBackups()).toBe(initialCount + 2);
  expect(await readLastProblem()).toBeNull();
});

test('an interrupted backup leaves no file that looks complete', async () => {
  const abortController = new AbortController();
  const names = await fs.readdir(path.join(folder, 'kept'));
  const now = () => {
    abortController.abort(new Error('The program was stopped.'));
    return new Date('2026-12-05T00:00:00Z');
  };
  await expect(makeBackup({ ...backupDeps, now }, abortController.signal)).rejects.toThrow('The program was stopped.');
  expect(await fs.readdir(path.join(folder, 'kept'))).toEqual(names);
  // The connection is free again.
  await expect(db.pool.query('select 1')).resolves.toBeDefined();
});
