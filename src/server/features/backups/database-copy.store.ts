import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Database } from '#server/db/connection.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import type { AppliedMigration } from '#server/db/migrate.ts';
import { listUnfinishedJobs, type Queues } from '#server/jobs/queues.ts';
import type { BackupRecord, LedgerTotal, TableChecksum, ValueText } from './backup-record.ts';

/** Tables that describe this database and aren't copied. */
const EXCLUDED_TABLES = ['migrations', 'backups', 'restore_drills'];
const BATCH_ROWS = 500;

/**
 * Sets a fixed text format for values, regardless of the server's settings. Disables time limits, because the database
 * may be large.
 */
const COPY_SETTINGS = `
  set local timezone to 'UTC'; set local datestyle to 'ISO, MDY'; set local intervalstyle to 'postgres';
  set local bytea_output to 'hex'; set local extra_float_digits to 1;
  set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0`;

const TEXT_TYPES: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };
const quoteName = (name: string) => pg.escapeIdentifier(name);

/** Checksums of a copied database. */
export type DatabaseChecksums = {
  readonly tables: Readonly<Record<string, TableChecksum>>;
  readonly ledger: readonly LedgerTotal[];
};

/**
 * Reads a consistent snapshot of the whole database without blocking other transactions.
 * @returns checksums of the snapshot
 */
export async function* readDatabase(db: Database, now: Date): AsyncGenerator<BackupRecord, DatabaseChecksums> {
  const client = await withLongTimeout(() => db.pool.connect());
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(COPY_SETTINGS);
    yield { begin: { at: now.toISOString(), migrations: await listMigrations(client) } };
    const tables: Record<string, TableChecksum> = {};
    for (const table of await listTables(client)) tables[table.name] = yield* readTable(client, table);
    yield { sequences: await readSequences(client) };
    yield { jobs: await listUnfinishedJobs(client) };
    return { tables, ledger: await readLedgerTotals(client) };
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // Close a failed connection instead of reusing it.
    const rollbackError = await client.query('rollback').then(
      () => undefined,
      (error: unknown) => failure ?? error,
    );
    client.release(rollbackError instanceof Error ? rollbackError : undefined);
  }
}

type Column = { readonly name: string; readonly type: string };
type Table = { readonly name: string; readonly columns: readonly Column[] };

/** Lists tables and columns by name, since the column order may differ. Excludes generated columns. */
async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `select c.relname::text as table, a.attname::text as column, format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
     order by c.relname collate "C", a.attname collate "C"`,
    [EXCLUDED_TABLES],
  );
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ column, type }) => ({ name: column, type })),
  }));
}

async function* readTable(
  client: pg.ClientBase,
  { name, columns }: Table,
): AsyncGenerator<BackupRecord, TableChecksum> {
  yield { table: name, columns: columns.map((column) => column.name) };
  const checksum = createChecksum();
  const columnList = columns.map((column) => quoteName(column.name)).join(', ');
  await client.query(`declare copying no scroll cursor for select ${columnList} from public.${quoteName(name)}`);
  for (;;) {
    const text = `fetch ${BATCH_ROWS} from copying`;
    const { rows } = await client.query<ValueText[]>({ text, rowMode: 'array', types: TEXT_TYPES });
    if (rows.length === 0) break;
    for (const row of rows) checksum.add(row);
    yield { rows };
  }
  await client.query('close copying');
  return checksum.result();
}

/** Adds up the hashes of rows. The result doesn't depend on their order, but differs if a row is missing or duplicated. */
function createChecksum() {
  let rows = 0;
  let total = 0n;
  return {
    add: (row: readonly ValueText[]) => {
      rows += 1;
      const hash = createHash('sha256').update(JSON.stringify(row)).digest();
      total += (hash.readBigUInt64BE(0) << 64n) + hash.readBigUInt64BE(8);
    },
    result: (): TableChecksum => ({ rows, digest: BigInt.asUintN(128, total).toString(16).padStart(32, '0') }),
  };
}

async function listMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, fingerprint from public.migrations order by name',
  );
  return rows;
}

async function readSequences(client: pg.ClientBase): Promise<Record<string, ValueText>> {
  const { rows } = await client.query<{ name: string; last_value: string | null }>(
    `select sequencename::text as name, last_value::text from pg_sequences where schemaname = 'public' order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, last_value }) => [name, last_value]));
}

async function readLedgerTotals(client: pg.ClientBase): Promise<LedgerTotal[]> {
  const { rows } = await client.query<LedgerTotal>(
    `select currency, livemode, count(*)::int8 as entries, sum(amount_cents)::text as cents, sum(carbon)::text as carbon
     from public.ledger_entries group by currency, livemode order by currency, livemode`,
  );
  return rows;
}

/** Thrown when the copy differs from the original. The message is shown to the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

/**
 * Fills an empty database in one transaction, then reads it back and compares checksums.
 *
 * The database must already have the migrations in the records' header. Its role must own the tables.
 * @param records all records after the header
 * @throws CopyError; the database is then unchanged
 */
export async function writeDatabase(
  db: Database,
  queues: Pick<Queues<never>, 'restoreJobs'>,
  records: AsyncIterable<BackupRecord>,
  onFile: (file: string, content: Buffer) => Promise<void>,
): Promise<void> {
  const client = await withLongTimeout(() => db.pool.connect());
  try {
    await client.query('begin');
    await client.query(COPY_SETTINGS);
    const tables = await listTables(client);
    // Foreign keys are added back after all rows are inserted. Triggers are off, because the rows include their effects.
    const foreignKeys = await dropForeignKeys(client);
    for (const { name } of tables) await client.query(`alter table public.${quoteName(name)} disable trigger user`);
    await client.query(`truncate ${tables.map(({ name }) => `public.${quoteName(name)}`).join(', ')}`);
    await fillTables(client, queues, tables, records, onFile);
    for (const { name } of tables) await client.query(`alter table public.${quoteName(name)} enable trigger user`);
    for (const { table, name, definition } of foreignKeys)
      await client.query(`alter table ${table} add constraint ${quoteName(name)} ${definition}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
  await withLongTimeout(() => db.pool.query('analyze'));
}

type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string };

async function dropForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${quoteName(name)}`);
  return rows;
}

async function fillTables(
  client: pg.ClientBase,
  queues: Pick<Queues<never>, 'restoreJobs'>,
  tables: readonly Table[],
  records: AsyncIterable<BackupRecord>,
  onFile: (file: string, content: Buffer) => Promise<void>,
): Promise<void> {
  let currentTable: Table | undefined;
  for await (const record of records) {
    if ('table' in record) currentTable = findTable(tables, record);
    else if ('rows' in record && currentTable) await insertRows(client, currentTable, record.rows);
    else if ('sequences' in record) await setSequences(client, record.sequences);
    else if ('jobs' in record) await queues.restoreJobs(client, record.jobs);
    else if ('file' in record) await onFile(record.file, record.content);
    else if ('end' in record) {
      await compareChecksums(client, tables, record.end);
      return;
    }
  }
  throw new CopyError('The copy has no manifest. Nothing was changed.');
}

function findTable(tables: readonly Table[], { table, columns }: { table: string; columns: readonly string[] }): Table {
  const target = tables.find(({ name }) => name === table);
  if (!target || target.columns.map(({ name }) => name).join() !== columns.join())
    throw new CopyError(
      `The table ${table} has different columns here. Restore the backup with the version that made it.`,
    );
  return target;
}

async function insertRows(
  client: pg.ClientBase,
  { name, columns }: Table,
  rows: readonly (readonly ValueText[])[],
): Promise<void> {
  const columnNames = columns.map((column) => quoteName(column.name)).join(', ');
  const values = columns.map(({ type }, index) => `v${index + 1}::${type}`).join(', ');
  const arrays = columns.map((_column, index) => `$${index + 1}::text[]`).join(', ');
  const aliases = columns.map((_column, index) => `v${index + 1}`).join(', ');
  const text = `insert into public.${quoteName(name)} (${columnNames}) overriding system value
    select ${values} from unnest(${arrays}) as input (${aliases})`;
  await client.query(
    text,
    columns.map((_column, index) => rows.map((row) => row[index] ?? null)),
  );
}

async function setSequences(client: pg.ClientBase, sequences: Readonly<Record<string, ValueText>>): Promise<void> {
  for (const [name, lastValue] of Object.entries(sequences)) {
    if (lastValue !== null)
      await client.query(`select setval($1::regclass, $2::int8)`, [`public.${quoteName(name)}`, lastValue]);
  }
}

async function compareChecksums(
  client: pg.ClientBase,
  tables: readonly Table[],
  expected: DatabaseChecksums,
): Promise<void> {
  const names = new Set([...tables.map(({ name }) => name), ...Object.keys(expected.tables)]);
  for (const name of names) {
    const table = tables.find((candidate) => candidate.name === name);
    const actualChecksum = table && (await computeChecksum(client, table));
    const expectedChecksum = expected.tables[name];
    if (actualChecksum?.rows !== expectedChecksum?.rows)
      throw new CopyError(
        `The table ${name} has a different number of rows: ${actualChecksum?.rows ?? 'none'} here, ${expectedChecksum?.rows ?? 'none'} in the original. Nothing was changed.`,
      );
    if (actualChecksum?.digest !== expectedChecksum?.digest)
      throw new CopyError(`The contents of the table ${name} differ from the original. Nothing was changed.`);
  }
  if (JSON.stringify(await readLedgerTotals(client)) !== JSON.stringify(expected.ledger))
    throw new CopyError('The ledger totals differ. Nothing was changed.');
}

async function computeChecksum(client: pg.ClientBase, table: Table): Promise<TableChecksum> {
  const records = readTable(client, table);
  let step = await records.next();
  while (!step.done) step = await records.next();
  return step.value;
}

/** Ends all logins in a restored database: sessions that ended and codes used since the backup must not work again. */
export async function endLogins({ kysely }: Database): Promise<void> {
  for (const table of ['sessions', 'email_codes', 'pending_logins'] as const) await kysely.deleteFrom(table).execute();
}
