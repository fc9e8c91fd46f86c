import { sql, type Transaction } from 'kysely';
import type { Log } from '#server/log.ts';
import type { Database } from './connection.ts';
import { hasCode } from './error-codes.ts';
import type { Tables } from './tables.ts';
import { inTransaction } from './transaction.ts';

/** Tables of the books and their inputs, whose rows are never changed or deleted. */
export const INSERT_ONLY_TABLES = [
  'ledger_entries',
  'ledger_lines',
  'payout_entries',
  'account_fees',
  'month_changes',
  'receipt_notes',
  'receipt_number_gaps',
  'factor_sets',
] as const;
/** Tables in which only these columns may change. */
export const UPDATABLE_COLUMNS = {
  activities: ['ip_address', 'before', 'after', 'actor_id', 'affected_user_id', 'subject'],
  receipts: [
    'email',
    'alternate_email',
    'name',
    'erase_payer_after_delivery',
    'delivery',
    'delivery_at',
    'delivery_error_code',
  ],
  receipt_numbers: ['last'],
} as const;
/** Tables whose rows may be deleted. */
export const DELETABLE_TABLES = [
  'accounts',
  'authenticators',
  'awardees',
  'bank_marks',
  'cells',
  'checkouts',
  'deposits',
  'email_codes',
  'grants',
  'installers',
  'invitations',
  'offsetters',
  'operation_events',
  'org_editors',
  'passkeys',
  'payout_movements',
  'pending_logins',
  'pledges',
  'rate_limits',
  'recovery_codes',
  'removed_editors',
  'sessions',
  'sign_ups',
  'team_notes',
  'tributes',
  'users',
] as const;
const READ_ONLY_TABLES = ['migrations'];

/** Tables that a role without restrictions could change, including the ledger and receipts. */
const PROTECTED_TABLES = [...INSERT_ONLY_TABLES, ...Object.keys(UPDATABLE_COLUMNS), 'ledger_totals'];

/** @returns the name of the role that the program runs as */
export async function readCurrentRole(db: Database): Promise<string> {
  const { rows } = await sql<{ role: string }>`select current_user::text as role`.execute(db.kysely);
  return rows[0]?.role ?? '';
}

const TRIGGER_WARNING =
  'The database role of this program can disable the triggers that protect the ledger and the receipts. ' +
  'On PostgreSQL, give the program a separate role that cannot: see docs/money.md, Create a database role.';

/** @returns whether the program's role could disable the triggers that protect the books */
export async function canDisableTriggers(db: Database): Promise<boolean> {
  const { rows } = await sql<{ is_owner: boolean }>`
    select bool_or(pg_has_role(relowner, 'MEMBER')) as is_owner from pg_class
    where relnamespace = 'public'::regnamespace and relname = any(${PROTECTED_TABLES})`.execute(db.kysely);
  return rows[0]?.is_owner === true || (await canSkipTriggers(db));
}

/** Warns the operator about an unrestricted role. The embedded database's only role is unrestricted. */
export async function warnIfUnprotected(db: Database, log: Log): Promise<void> {
  if (await canDisableTriggers(db)) log.warn({}, TRIGGER_WARNING);
}

/** True for superusers, and for roles that can change this setting. */
async function canSkipTriggers(db: Database): Promise<boolean> {
  try {
    await inTransaction(db, (tx) => sql`set local session_replication_role = 'replica'`.execute(tx));
    return true;
  } catch (error) {
    if (hasCode(error, INSUFFICIENT_PRIVILEGE)) return false;
    throw error;
  }
}

export const INSUFFICIENT_PRIVILEGE = '42501';

/** Grants the program's role exactly the privileges that it needs. The owner must call this after each migration. */
export async function grantAppRolePrivileges(owner: Database, role: string): Promise<void> {
  await inTransaction(owner, async (tx) => {
    // Concurrent grants would fail.
    await sql`select pg_advisory_xact_lock(hashtextextended('grants', 0))`.execute(tx);
    await grantTables(tx, role);
    await pinSearchPath(tx);
    await grantQueues(tx, role);
  });
}

async function grantTables(tx: Transaction<Tables>, role: string): Promise<void> {
  const grantee = sql.id(role);
  await sql`revoke create on schema public from public`.execute(tx);
  await sql`revoke all on schema public from ${grantee}`.execute(tx);
  await sql`revoke all on all tables in schema public from ${grantee}`.execute(tx);
  await sql`grant usage on schema public to ${grantee}`.execute(tx);
  await sql`grant usage on all sequences in schema public to ${grantee}`.execute(tx);
  for (const { name } of await listTables(tx)) {
    const table = sql.id('public', name);
    await sql`grant ${sql.raw(getTablePrivileges(name).join(', '))} on ${table} to ${grantee}`.execute(tx);
    const columns = name in UPDATABLE_COLUMNS ? UPDATABLE_COLUMNS[name as keyof typeof UPDATABLE_COLUMNS] : [];
    if (columns.length > 0) {
      const columnList = sql.join(columns.map((column) => sql.id(column)));
      await sql`grant update (${columnList}) on ${table} to ${grantee}`.execute(tx);
    }
  }
}

function getTablePrivileges(table: string): string[] {
  const isIn = (tables: readonly string[]) => tables.includes(table);
  if (isIn(READ_ONLY_TABLES)) return ['select'];
  if (isIn(INSERT_ONLY_TABLES) || table in UPDATABLE_COLUMNS) return ['select', 'insert'];
  return ['select', 'insert', 'update', ...(isIn(DELETABLE_TABLES) ? ['delete'] : [])];
}

async function listTables(tx: Transaction<Tables>): Promise<{ readonly name: string }[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`.execute(tx);
  return rows;
}

/** Pins the search path of triggers, so that the program's role can't substitute other tables of the same name. */
async function pinSearchPath(tx: Transaction<Tables>): Promise<void> {
  await sql`
    do $$
    declare
      trigger_function regprocedure;
    begin
      for trigger_function in select oid from pg_proc
        where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype and proconfig is null
      loop
        execute format('alter function %s set search_path = pg_catalog, public, pg_temp', trigger_function);
      end loop;
    end $$`.execute(tx);
}

/** Makes the program's role the owner of the job queues, because pg-boss changes its own tables. */
async function grantQueues(tx: Transaction<Tables>, role: string): Promise<void> {
  await sql`create schema if not exists pgboss authorization ${sql.id(role)}`.execute(tx);
  await sql`
    do $$
    declare
      command text;
    begin
      for command in
        select format('alter schema pgboss owner to %I', ${sql.lit(role)}) from pg_namespace
          where nspname = 'pgboss' and nspowner <> ${sql.lit(role)}::regrole
        union all
        select format('alter table %s owner to %I', oid::regclass, ${sql.lit(role)}) from pg_class
          where relnamespace = 'pgboss'::regnamespace and relkind in ('r', 'p') and relowner <> ${sql.lit(role)}::regrole
        union all
        select format('alter type %s owner to %I', oid::regtype, ${sql.lit(role)}) from pg_type
          where typnamespace = 'pgboss'::regnamespace and typtype = 'e' and typowner <> ${sql.lit(role)}::regrole
        union all
        select format('alter routine %s owner to %I', oid::regprocedure, ${sql.lit(role)}) from pg_proc
          where pronamespace = 'pgboss'::regnamespace and proowner <> ${sql.lit(role)}::regrole
      loop
        execute command;
      end loop;
    end $$`.execute(tx);
}
