import { type Insertable, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { Day, TimeZone } from '#domain/days.ts';
import type { Sums, TreeNode } from '#domain/sum-tree.ts';
import type { ProofEntriesTable, ProofHeadsTable, ProofKeysTable, Tables } from '#server/db/tables.ts';

export type HeadRow = Selectable<ProofHeadsTable>;

/** An organization's tree of live or of test money. */
export type TreeKey = { readonly orgId: string; readonly live: boolean };

/** The secret of this name, made from `value` if there is none. */
export async function proofSecret(db: Kysely<Tables>, name: string, value: string): Promise<string> {
  await db
    .insertInto('program_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom('program_secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}

/** One process at a time makes a key. */
export async function lockKey(tx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('proofs:key', 0))`.execute(tx);
}

export async function replaceSecret(tx: Transaction<Tables>, name: string, value: string): Promise<void> {
  await tx.updateTable('program_secrets').set({ value }).where('name', '=', name).execute();
}

export async function insertKey(tx: Transaction<Tables>, key: Insertable<ProofKeysTable>): Promise<void> {
  await tx.insertInto('proof_keys').values(key).execute();
}

/** Whether the last head of some organization has another key than this one. */
export async function orgsWithOtherKey(db: Kysely<Tables>, live: boolean, key: Buffer): Promise<boolean> {
  const { rows } = await sql`select from orgs o
    join lateral (select key from proof_heads h where h.org_id = o.id and h.live = ${live} order by day desc limit 1) last on true
    where last.key <> ${key} limit 1`.execute(db);
  return rows.length > 0;
}

/** The heads before and after each change of an organization's key, with the old key's signature of the new one. */
export async function keyChanges(db: Kysely<Tables>, { orgId, live }: TreeKey) {
  const { rows } = await sql<{ from: Day; to: Day; signature: Buffer }>`
    select f.day as "from", h.day as "to", k.signature from proof_keys k
    join lateral (select min(day) as day from proof_heads where org_id = ${orgId} and live = ${live} and key = k.key) h
      on true
    join lateral (select max(day) as day from proof_heads where org_id = ${orgId} and live = ${live} and key = k.follows) f
      on true
    where h.day is not null and f.day is not null order by h.day`.execute(db);
  return rows;
}

/** Whether the totals count live money now; so they do where nothing was paid yet. */
export async function countsLive(db: Kysely<Tables>): Promise<boolean> {
  const mode = await db.selectFrom('payment_mode').select('livemode').executeTakeFirst();
  return mode?.livemode !== false;
}

/** Organizations with their time zones and the day of their last head. */
export function orgsWithHeads(db: Kysely<Tables>, live: boolean) {
  return db
    .selectFrom('orgs')
    .select(['id', 'time_zone'])
    .select(
      sql<string | null>`(select max(day) from proof_heads h where h.org_id = orgs.id and h.live = ${live})`.as('day'),
    )
    .orderBy('id')
    .execute();
}

/** One process at a time adds to a tree. */
export async function lockTree(tx: Transaction<Tables>, { orgId, live }: TreeKey): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`proofs:${live}:${orgId}`}, 0))`.execute(tx);
}

/** The newest first. */
export function lastHeads(db: Kysely<Tables>, { orgId, live }: TreeKey, max: number): Promise<HeadRow[]> {
  return db
    .selectFrom('proof_heads')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('live', '=', live)
    .orderBy('day', 'desc')
    .limit(max)
    .execute();
}

export async function lastHead(db: Kysely<Tables>, tree: TreeKey): Promise<HeadRow | undefined> {
  const [last] = await lastHeads(db, tree, 1);
  return last;
}

/** When the database was last restored from a backup. */
export async function lastRestore(db: Kysely<Tables>): Promise<Date | undefined> {
  const last = await db
    .selectFrom('proof_restores')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .executeTakeFirst();
  return last?.at ?? undefined;
}

export async function addRestore(db: Kysely<Tables>, at: Date, backupAt: Date): Promise<void> {
  await db.insertInto('proof_restores').values({ created_at: at, backup_at: backupAt }).execute();
}

/** Restores since there is the organization, the newest first, with its time zone. */
export async function restoresOf(db: Kysely<Tables>, orgId: string) {
  const { rows } = await sql<{ created_at: Date; backup_at: Date; time_zone: TimeZone }>`
    select r.created_at, r.backup_at, o.time_zone from proof_restores r join orgs o on o.created_at < r.created_at
    where o.id = ${orgId} order by r.created_at desc`.execute(db);
  return rows;
}

/** The keys that signed heads, the newest first, each with the first day that it did. */
export function keysOfHeads(db: Kysely<Tables>, { orgId, live }: TreeKey) {
  return db
    .selectFrom('proof_heads')
    .select(['key', sql<Day>`min(day)`.as('first')])
    .where('org_id', '=', orgId)
    .where('live', '=', live)
    .groupBy('key')
    .orderBy('first', 'desc')
    .execute();
}

/** The day of the first head of each key, and of each that comes so many later, but for the last. */
export async function everyDay(db: Kysely<Tables>, { orgId, live }: TreeKey, step: number): Promise<Day[]> {
  const { rows } = await sql<{ day: Day }>`
    select day from (
      select day, row_number() over (partition by key order by day) - 1 as place,
        count(*) over (partition by key) as heads
      from proof_heads where org_id = ${orgId} and live = ${live}) numbered
    where place % ${step} = 0 and (place = 0 or place < heads - 1) order by day`.execute(db);
  return rows.map(({ day }) => day);
}

export async function countEntries(db: Kysely<Tables>, { orgId, live }: TreeKey): Promise<number> {
  const last = await db
    .selectFrom('proof_entries')
    .select('ordinal')
    .where('org_id', '=', orgId)
    .where('live', '=', live)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? last.ordinal + 1 : 0;
}

/** So many entries are looked at by one statement. */
const PAGE = 1000;

/**
 * The ids of entries that count and are not in the tree, in the ledger's order: a page at a time, since others wait while
 * a statement runs. Fees, payouts and grants move no gift.
 * @param since those recorded before are in the tree
 * @param before those recorded then or later have time
 */
export async function* entriesWithoutLeaves(
  db: Kysely<Tables>,
  { orgId, live }: TreeKey,
  { since, before }: { readonly since: Date; readonly before: Date },
): AsyncGenerator<readonly string[]> {
  let [at, id] = [since, ''];
  for (;;) {
    const { rows } = await sql<{ id: string; created_at: Date; has_leaves: boolean }>`
      select e.id, e.created_at, exists (select from proof_entries p
        where p.org_id = ${orgId} and p.entry_id = e.id and p.live = ${live}) as has_leaves
      from ledger_entries e
      where e.org_id = ${orgId} and (e.created_at, e.id) > (${at}, ${id}) and e.created_at < ${before}
        and e.kind not in ('fee', 'payout', 'commitment', 'grant') and counts_now(e)
      order by e.created_at, e.id limit ${PAGE}`.execute(db);
    yield rows.filter(({ has_leaves }) => !has_leaves).map((row) => row.id);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    [at, id] = [last.created_at, last.id];
  }
}

/** What leaves say of these entries, in the ledger's order; without those that are in the tree by now. */
export function entriesToProve(db: Kysely<Tables>, { orgId, live }: TreeKey, ids: readonly string[]) {
  return db
    .selectFrom('ledger_entries')
    .leftJoin('receipts', 'receipts.ledger_entry_id', 'ledger_entries.id')
    .select(['ledger_entries.id', 'ledger_entries.kind', 'ledger_entries.fact', 'ledger_entries.amount_cents'])
    .select(['ledger_entries.carbon', 'ledger_entries.occurred_at', 'receipts.printed_number'])
    .where('ledger_entries.org_id', '=', orgId)
    .where(sql<SqlBool>`ledger_entries.id = any(${[...ids]}::text[])`)
    .where(
      sql<SqlBool>`not exists (select from proof_entries p
        where p.org_id = ${orgId} and p.entry_id = ledger_entries.id and p.live = ${live})`,
    )
    .orderBy('ledger_entries.created_at')
    .orderBy('ledger_entries.id')
    .execute();
}

export async function insertEntries(
  tx: Transaction<Tables>,
  entries: readonly Insertable<ProofEntriesTable>[],
): Promise<void> {
  await tx.insertInto('proof_entries').values(entries).execute();
}

export type PlacedNode = { readonly node: TreeNode; readonly start: number };

export async function insertNodes(
  tx: Transaction<Tables>,
  { orgId, live }: TreeKey,
  nodes: readonly PlacedNode[],
): Promise<void> {
  const rows = nodes.map(({ node: { size, sums, hash }, start }) => ({
    ...{ org_id: orgId, live, start, size, hash: Buffer.from(hash) },
    ...sumColumns(sums),
  }));
  if (rows.length === 0) return;
  await tx
    .insertInto('proof_nodes')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The nodes that are kept, by where they start and their size. */
export async function nodesAt(
  db: Kysely<Tables>,
  { orgId, live }: TreeKey,
  ranges: readonly { readonly start: number; readonly size: number }[],
): Promise<PlacedNode[]> {
  const rows = await db
    .selectFrom('proof_nodes')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('live', '=', live)
    .where(
      sql<SqlBool>`(start, size) in (select * from unnest(${ranges.map(({ start }) => start)}::int8[],
        ${ranges.map(({ size }) => size)}::int8[]))`,
    )
    .execute();
  return rows.map((row) => ({
    start: row.start,
    node: { size: row.size, sums: sumsOfRow(row), hash: new Uint8Array(row.hash) },
  }));
}

export async function insertHead(tx: Transaction<Tables>, head: Insertable<ProofHeadsTable>): Promise<void> {
  await tx.insertInto('proof_heads').values(head).execute();
}

export const sumColumns = ([cents_in, cents_out, pounds_in, pounds_out]: Sums) => ({
  ...{ cents_in, cents_out, pounds_in, pounds_out },
});

type SumRow = Pick<HeadRow, 'cents_in' | 'cents_out' | 'pounds_in' | 'pounds_out'>;

export const sumsOfRow = (row: SumRow): Sums => [row.cents_in, row.cents_out, row.pounds_in, row.pounds_out];

/** Where an entry is in a tree. */
export function placeOf(db: Kysely<Tables>, { orgId, live }: TreeKey, entryId: string) {
  return db
    .selectFrom('proof_entries')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('entry_id', '=', entryId)
    .where('live', '=', live)
    .executeTakeFirst();
}

/** The heads of a day and later ones, the oldest first. */
export function headsFrom(db: Kysely<Tables>, { orgId, live }: TreeKey, from: string, max: number): Promise<HeadRow[]> {
  return db
    .selectFrom('proof_heads')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('live', '=', live)
    .where('day', '>=', from)
    .orderBy('day')
    .limit(max)
    .execute();
}

/** All entries of the groups in which these are, with what their leaves commit to, in the tree's order. */
export function groupsAt(db: Kysely<Tables>, { orgId, live }: TreeKey, ordinals: readonly number[]) {
  return (
    db
      .selectFrom('proof_entries')
      .innerJoin('ledger_entries', 'ledger_entries.id', 'proof_entries.entry_id')
      .select(['proof_entries.group_first', 'proof_entries.date', 'proof_entries.receipt'])
      .select(['ledger_entries.kind', 'ledger_entries.fact', 'ledger_entries.amount_cents', 'ledger_entries.carbon'])
      .where('proof_entries.org_id', '=', orgId)
      .where('proof_entries.live', '=', live)
      .where(
        sql<SqlBool>`proof_entries.group_first in (select p.group_first from proof_entries p
        where p.org_id = ${orgId} and p.live = ${live} and p.ordinal = any(${[...ordinals]}::int8[]))`,
      )
      // Its whole group lies together.
      .orderBy('proof_entries.ordinal')
      .execute()
  );
}
