// @spec decisions.9
import fs from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import { findLastMigration, migrate } from '#server/db/migrate.ts';
import { readBackupFile } from '#server/features/backups/backup-file.ts';
import type { BackupRecord } from '#server/features/backups/backup-record.ts';
import { writeDatabase } from '#server/features/backups/database-copy.store.ts';
import { readBackupRecords } from '#server/features/backups/make-backup.ts';
import { type Difference, verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { openQueues } from '#server/jobs/queues.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { deferCleanup } from '#test/support/defer-cleanup.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

// Upgrades data from each release and compares the books. To add a release, store its data here as `<version>.backup`:
// start it with the sample, make some gifts in the sandbox, and run `npm run backup` without BACKUP_KEY.
const RELEASED_SCHEMAS = path.resolve('test/support/released-schemas');
const MIGRATIONS = path.resolve('migrations');

const db = await createTestDatabase();
const { log } = createLogSpy();

beforeEach(async () => {
  await sql`drop schema public cascade`.execute(db.kysely);
  await sql`create schema public`.execute(db.kysely);
});

type Upgrade = {
  readonly appliedMigrations: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  readonly differences: readonly Difference[];
};

/** Restores a backup with its version's schema and upgrades it. */
async function upgrade(records: AsyncGenerator<BackupRecord, unknown>, folder = MIGRATIONS): Promise<Upgrade> {
  const firstRecord = await records.next();
  if (firstRecord.done || !('begin' in firstRecord.value)) throw new Error('The backup has no begin record.');
  await migrate(db, { folder, to: await findLastMigration(firstRecord.value.begin.migrations, folder) });
  const queues = await openQueues(db, log, QUEUED_JOBS);
  await writeDatabase(db, queues, records as AsyncGenerator<BackupRecord>, async () => {});
  await queues.stop();
  const initialBooks = await readBooks();
  const appliedMigrations = await migrate(db, { folder });
  return { appliedMigrations, before: initialBooks, after: await readBooks(), differences: await verifyLedger(db) };
}

/** Reads the figures that a treasurer would compare. */
async function readBooks(): Promise<unknown> {
  const queries = [
    sql`select id, org_id, kind, fact, amount_cents, carbon, occurred_at from ledger_entries order by id`,
    sql`select entry_id, account, cents from ledger_lines order by entry_id, account`,
    sql`select org_id, amount_cents, carbon from ledger_totals order by org_id`,
    sql`select org_id, number, printed_number, key, name, email, amount_cents, document from receipts order by key`,
    sql`select id, cart, total_cents, payment_status, email from checkouts order by id`,
    sql`select id, amount_cents, received_at from pledges order by id`,
  ];
  const tables = [];
  for (const query of queries) tables.push((await query.execute(db.kysely)).rows);
  return tables;
}

const releases = (await fs.readdir(RELEASED_SCHEMAS).catch(() => [])).filter((file) => file.endsWith('.backup'));

test.each(releases)('%s is upgraded without changing the books', async (file) => {
  const { before, after, differences } = await upgrade(readBackupFile(path.join(RELEASED_SCHEMAS, file), undefined));
  expect(after).toEqual(before);
  expect(differences).toEqual([]);
});

describe('with a hypothetical next version', async () => {
  const setup = await startDonationSetup();
  const { id } = await setup.openAndPay();
  await setup.openAndPay();
  const folder = await createScratchFolder('upgrade');
  deferCleanup(() => fs.rm(folder, { recursive: true, force: true }));

  const createBackup = () => readBackupRecords({ db: setup.db, pictures: undefined, now: setup.clock.now });

  /** @returns a folder with this version's migrations and one more */
  async function addMigration(name: string, text: string): Promise<string> {
    const nextFolder = path.join(folder, name);
    await fs.cp(MIGRATIONS, nextFolder, { recursive: true });
    await fs.writeFile(path.join(nextFolder, `9999-${name}.sql`), text);
    return nextFolder;
  }

  test('data from this version is upgraded without changing the books', async () => {
    const nextFolder = await addMigration(
      'mottos',
      `alter table orgs add column motto text not null default 'Warm homes';`,
    );
    const { appliedMigrations, before, after, differences } = await upgrade(createBackup(), nextFolder);
    expect(appliedMigrations).toEqual(['9999-mottos']);
    expect(after).toEqual(before);
    expect(differences).toEqual([]);
    const { rows } = await sql`select motto from orgs where id = ${setup.orgId}`.execute(db.kysely);
    expect(rows).toEqual([{ motto: 'Warm homes' }]);
    expect(JSON.stringify(before)).toContain(id);
  });

  test('a migration that changes the books is detected', async () => {
    const nextFolder = await addMigration(
      'thief',
      `alter table ledger_lines disable trigger user;
       update ledger_lines set cents = cents - 1 where account = 'provider';
       alter table ledger_lines enable trigger user;`,
    );
    const { before, after, differences } = await upgrade(createBackup(), nextFolder);
    expect(after).not.toEqual(before);
    expect(differences).not.toEqual([]);
  });
});
