import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { ACCOUNTS, type Lines } from '#domain/books.ts';
import type { LedgerEntriesTable, LedgerTotalsTable, Tables } from '#server/db/tables.ts';

export type LedgerTotals = Selectable<LedgerTotalsTable>;

/** @returns the entry's id; undefined if this fact was already posted */
export async function insertEntry(
  tx: Transaction<Tables>,
  entry: Insertable<LedgerEntriesTable>,
): Promise<string | undefined> {
  const inserted = await tx
    .insertInto('ledger_entries')
    .values(entry)
    .onConflict((conflict) => conflict.column('fact').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

/** The database refuses lines that do not sum to zero when the transaction ends. */
export async function insertLines(tx: Transaction<Tables>, entryId: string, lines: Lines): Promise<void> {
  const rows = ACCOUNTS.flatMap((account) => {
    const cents = lines[account] ?? 0;
    return cents === 0 ? [] : [{ entry_id: entryId, account, cents }];
  });
  if (rows.length > 0) await tx.insertInto('ledger_lines').values(rows).execute();
}

/** Adds an entry to its organization's totals, whose row stays locked until the transaction ends. */
export async function addToTotals(
  tx: Transaction<Tables>,
  entry: { org_id: string; amount_cents: number; carbon: number; gas: number; grants: number },
): Promise<void> {
  const { org_id, amount_cents, carbon, gas, grants } = entry;
  await tx
    .insertInto('ledger_totals')
    .values({ org_id, amount_cents, carbon, gas, grants, entries: 1 })
    .onConflict((conflict) =>
      conflict.column('org_id').doUpdateSet({
        amount_cents: sql`ledger_totals.amount_cents + excluded.amount_cents`,
        carbon: sql`ledger_totals.carbon + excluded.carbon`,
        gas: sql`ledger_totals.gas + excluded.gas`,
        grants: sql`ledger_totals.grants + excluded.grants`,
        entries: sql`ledger_totals.entries + 1`,
      }),
    )
    .execute();
}

export function totalsOf(db: Kysely<Tables>, orgId: string): Promise<LedgerTotals | undefined> {
  return db.selectFrom('ledger_totals').selectAll().where('org_id', '=', orgId).executeTakeFirst();
}

/** How many awardees an organization shows: each counts as a grant (decisions §2). */
export async function publishedAwardees(db: Kysely<Tables>, orgId: string): Promise<number> {
  const counted = await db
    .selectFrom('awardees')
    .select(sql<number>`count(*)`.as('awardees'))
    .where('org_id', '=', orgId)
    .where('status', '=', 'published')
    .executeTakeFirstOrThrow();
  return counted.awardees;
}

export type AdjustmentRow = Selectable<LedgerEntriesTable> & {
  /** Who made it; null once the account is deleted. */
  readonly actor_name: string | null;
  readonly actor_email: string | null;
};

/** An organization's adjustments, newest first. */
export function lastAdjustments(db: Kysely<Tables>, orgId: string, max: number): Promise<AdjustmentRow[]> {
  return db
    .selectFrom('ledger_entries')
    .leftJoin('users', 'users.id', 'ledger_entries.actor_id')
    .selectAll('ledger_entries')
    .select(['users.display_name as actor_name', 'users.email as actor_email'])
    .where('ledger_entries.org_id', '=', orgId)
    .where('ledger_entries.kind', '=', 'adjustment')
    .orderBy('ledger_entries.created_at', 'desc')
    .orderBy('ledger_entries.id', 'desc')
    .limit(max)
    .execute();
}
