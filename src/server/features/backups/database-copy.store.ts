import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Database } from '#server/db/connection.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import type { AppliedMigration } from '#server/db/migrate.ts';
import { type Queues, waitingJobs } from '#server/jobs/queues.ts';
import type { BackupRecord, LedgerSum, TableSum, ValueText } from './backup-record.ts';

/** What a copy of the database does not have: what only says how this one was made. */
const NOT_COPIED = ['migrations', 'backups', 'drills'];
const ROWS_AT_ONCE = 500;

/** Values as PostgreSQL writes them, whatever the server or its database is set to. No time limit: it may be large. */
const READING = `
  set local timezone to 'UTC'; set local datestyle to 'ISO, MDY'; set local intervalstyle to 'postgres';
  set local bytea_output to 'hex'; set local extra_float_digits to 1;
  set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0`;

const asText: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };
const quoted = (name: string) => pg.escapeIdentifier(name);

/** What the records of a database say in the end. */
export type CopiedSums = {
  readonly tables: Readonly<Record<string, TableSum>>;
  readonly ledger: readonly LedgerSum[];
};

/**
 * Reads the whole database as it is at one moment, while others go on.
 * @returns the sums of what was read
 */
export async function* readDatabase(db: Database, now: Date): AsyncGenerator<BackupRecord, CopiedSums> {
  const client = await withLongTimeout(() => db.pool.connect());
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(READING);
    yield { begin: { at: now.toISOString(), migrations: await migrationsOf(client) } };
    const tables: Record<string, TableSum> = {};
    for (const table of await tablesOf(client)) tables[table.name] = yield* readTable(client, table);
    yield { sequences: await sequencesOf(client) };
    yield { jobs: await waitingJobs(client) };
    return { tables, ledger: await ledgerSums(client) };
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A connection that failed is not used again.
    const ended = await client.query('rollback').then(
      () => undefined,
      (error: unknown) => broken ?? error,
    );
    client.release(ended instanceof Error ? ended : undefined);
  }
}

type Column = { readonly name: string; readonly type: string };
type Table = { readonly name: string; readonly columns: readonly Column[] };

/** Without columns that the database fills by itself. In the order of their names: that of the columns may differ. */
async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `select c.relname::text as table, a.attname::text as column, format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
     order by c.relname collate "C", a.attname collate "C"`,
    [NOT_COPIED],
  );
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, theirs]) => ({
    name,
    columns: theirs.map(({ column, type }) => ({ name: column, type })),
  }));
}

async function* readTable(client: pg.ClientBase, { name, columns }: Table): AsyncGenerator<BackupRecord, TableSum> {
  yield { table: name, columns: columns.map((column) => column.name) };
  const sum = summing();
  const list = columns.map((column) => quoted(column.name)).join(', ');
  await client.query(`declare copying no scroll cursor for select ${list} from public.${quoted(name)}`);
  for (;;) {
    const text = `fetch ${ROWS_AT_ONCE} from copying`;
    const { rows } = await client.query<ValueText[]>({ text, rowMode: 'array', types: asText });
    if (rows.length === 0) break;
    for (const row of rows) sum.add(row);
    yield { rows };
  }
  await client.query('close copying');
  return sum.result();
}

/** The sum of the rows' hashes: the same in any order, and another one if a row is missing or there twice. */
function summing() {
  let rows = 0;
  let total = 0n;
  return {
    add: (row: readonly ValueText[]) => {
      rows += 1;
      const hash = createHash('sha256').update(JSON.stringify(row)).digest();
      total += (hash.readBigUInt64BE(0) << 64n) + hash.readBigUInt64BE(8);
    },
    result: (): TableSum => ({ rows, digest: BigInt.asUintN(128, total).toString(16).padStart(32, '0') }),
  };
}

async function migrationsOf(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, fingerprint from public.migrations order by name',
  );
  return rows;
}

async function sequencesOf(client: pg.ClientBase): Promise<Record<string, ValueText>> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

async function ledgerSums(client: pg.ClientBase): Promise<LedgerSum[]> {
  const { rows } = await client.query<LedgerSum>(
    `select currency, livemode, count(*)::int8 as entries, sum(amount_cents)::text as cents, sum(carbon)::text as carbon
     from public.ledger_entries group by currency, livemode order by currency, livemode`,
  );
  return rows;
}

/** What was copied is not what is here now. The message is for the operator. */
export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers';
}

/**
 * Fills a database that has the migrations of the records' beginning and no rows of its own, in one transaction: all of it,
 * exactly, or nothing. Its role has to own the tables. What it wrote is read again and compared.
 * @param records from after the beginning to the end
 * @throws CopyDiffers
 */
export async function writeDatabase(
  db: Database,
  queues: Pick<Queues<never>, 'addWaiting'>,
  records: AsyncIterable<BackupRecord>,
  onFile: (file: string, content: Buffer) => Promise<void>,
): Promise<void> {
  const client = await withLongTimeout(() => db.pool.connect());
  try {
    await client.query('begin');
    await client.query(READING);
    const tables = await tablesOf(client);
    // Rules between rows hold again once all of them are there; what triggers did is among the rows.
    const references = await dropReferences(client);
    for (const { name } of tables) await client.query(`alter table public.${quoted(name)} disable trigger user`);
    await client.query(`truncate ${tables.map(({ name }) => `public.${quoted(name)}`).join(', ')}`);
    await fill(client, queues, tables, records, onFile);
    for (const { name } of tables) await client.query(`alter table public.${quoted(name)} enable trigger user`);
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
  await withLongTimeout(() => db.pool.query('analyze'));
}

type Reference = { readonly table: string; readonly name: string; readonly definition: string };

async function dropReferences(client: pg.ClientBase): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  return rows;
}

async function fill(
  client: pg.ClientBase,
  queues: Pick<Queues<never>, 'addWaiting'>,
  tables: readonly Table[],
  records: AsyncIterable<BackupRecord>,
  onFile: (file: string, content: Buffer) => Promise<void>,
): Promise<void> {
  let current: Table | undefined;
  for await (const record of records) {
    if ('table' in record) current = tableOf(tables, record);
    else if ('rows' in record && current) await insertRows(client, current, record.rows);
    else if ('sequences' in record) await setSequences(client, record.sequences);
    else if ('jobs' in record) await queues.addWaiting(client, record.jobs);
    else if ('file' in record) await onFile(record.file, record.content);
    else if ('end' in record) {
      await compare(client, tables, record.end);
      return;
    }
  }
  throw new CopyDiffers('The copy has no end. Nothing was changed.');
}

function tableOf(tables: readonly Table[], { table, columns }: { table: string; columns: readonly string[] }): Table {
  const here = tables.find(({ name }) => name === table);
  if (!here || here.columns.map(({ name }) => name).join() !== columns.join())
    throw new CopyDiffers(`The table ${table} is another one here. Restore it with the version that made the backup.`);
  return here;
}

async function insertRows(
  client: pg.ClientBase,
  { name, columns }: Table,
  rows: readonly (readonly ValueText[])[],
): Promise<void> {
  const numbered = columns.map((column, at) => ({ ...column, at: at + 1, quoted: quoted(column.name) }));
  const into = numbered.map((column) => column.quoted).join(', ');
  const values = numbered.map(({ at, type }) => `v${at}::${type}`).join(', ');
  const arrays = numbered.map(({ at }) => `$${at}::text[]`).join(', ');
  const names = numbered.map(({ at }) => `v${at}`).join(', ');
  const text = `insert into public.${quoted(name)} (${into}) overriding system value
    select ${values} from unnest(${arrays}) as given (${names})`;
  await client.query(
    text,
    columns.map((_column, at) => rows.map((row) => row[at] ?? null)),
  );
}

async function setSequences(client: pg.ClientBase, sequences: Readonly<Record<string, ValueText>>): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    if (last !== null) await client.query(`select setval($1::regclass, $2::int8)`, [`public.${quoted(name)}`, last]);
  }
}

/** Each table's rows, by number and digest. */
async function compare(client: pg.ClientBase, tables: readonly Table[], expected: CopiedSums): Promise<void> {
  const names = new Set([...tables.map(({ name }) => name), ...Object.keys(expected.tables)]);
  for (const name of names) {
    const table = tables.find((each) => each.name === name);
    const [found, wanted] = [table && (await sumOf(client, table)), expected.tables[name]];
    if (!found || !wanted || found.rows !== wanted.rows || found.digest !== wanted.digest)
      throw new CopyDiffers(
        `The table ${name} has ${found?.rows ?? 'no'} rows here and ${wanted?.rows ?? 'no'} there, or they differ. Nothing was changed.`,
      );
  }
  if (JSON.stringify(await ledgerSums(client)) !== JSON.stringify(expected.ledger))
    throw new CopyDiffers('The sums of the ledger differ. Nothing was changed.');
}

async function sumOf(client: pg.ClientBase, table: Table): Promise<TableSum> {
  const reading = readTable(client, table);
  let step = await reading.next();
  while (!step.done) step = await reading.next();
  return step.value;
}

/** Ends all logins of a restored database: a session that was ended, or a code that was used, must not work again. */
export async function endLogins({ kysely }: Database): Promise<void> {
  for (const table of ['sessions', 'mailed_codes', 'half_logins'] as const) await kysely.deleteFrom(table).execute();
}
