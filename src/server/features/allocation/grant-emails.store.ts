import { type Insertable, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { OrgId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';

export type GrantEmailRow = Selectable<Tables['grant_emails']>;

/** Lists organizations that have paid a grant. */
export async function listOrgsWithHomes(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('grants')
    .select('org_id')
    .distinct()
    .where('paid_entry_id', 'is not', null)
    .orderBy('org_id')
    .execute();
  return rows.map(({ org_id }) => org_id);
}

/** Lists pairs of a gift and a home for which an email was already sent or queued. */
export function listAnnouncedHomes(
  db: Kysely<Tables>,
  orgId: OrgId,
): Promise<Pick<GrantEmailRow, 'entry_id' | 'grant_id'>[]> {
  return db.selectFrom('grant_emails').select(['entry_id', 'grant_id']).where('org_id', '=', orgId).execute();
}

/** Inserts rows for pairs of a gift and a home that don't have one. @returns whether any row is new */
export async function insertGrantEmails(
  tx: Transaction<Tables>,
  rows: readonly Insertable<Tables['grant_emails']>[],
): Promise<boolean> {
  const newRows = await tx
    .insertInto('grant_emails')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['org_id', 'entry_id', 'grant_id']).doNothing())
    .returning('entry_id')
    .execute();
  return newRows.length > 0;
}

/** One email, which may be about several gifts and homes. */
export type GrantMailing = { readonly orgId: OrgId; readonly mailingId: string };

export function listMailingRows(db: Kysely<Tables>, { orgId, mailingId }: GrantMailing): Promise<GrantEmailRow[]> {
  return db
    .selectFrom('grant_emails')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('mailing_id', '=', mailingId)
    .where('status', '=', 'sending')
    .execute();
}

export async function recordGrantEmailOutcome(
  db: Kysely<Tables>,
  { orgId, mailingId }: GrantMailing,
  { status, error_code }: Pick<GrantEmailRow, 'status' | 'error_code'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('grant_emails')
    .set({ status, error_code, last_attempt_at: at })
    .where('org_id', '=', orgId)
    .where('mailing_id', '=', mailingId)
    .where('status', '=', 'sending')
    .execute();
}

/**
 * Finds the receipt's email address for each gift, unless the donor was erased or the address rejects email.
 * @returns addresses by gift, in the order of their receipts
 */
export async function findDonorAddresses(
  db: Kysely<Tables>,
  orgId: OrgId,
  entryIds: readonly string[],
): Promise<Map<string, string>> {
  if (entryIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('receipts')
    .leftJoin('checkouts', 'checkouts.id', 'receipts.checkout_id')
    .select(['ledger_entry_id', sql<string>`lower(receipts.email)`.as('address')])
    .where('receipts.org_id', '=', orgId)
    .where(sql<SqlBool>`ledger_entry_id = any(${entryIds})`)
    .where('receipts.email', 'is not', null)
    .where('receipts.erase_payer_after_delivery', '=', false)
    .where('receipts.delivery', '<>', 'rejected')
    .where('checkouts.payer_erased_at', 'is', null)
    .orderBy('receipts.number')
    .execute();
  return new Map(rows.map(({ ledger_entry_id, address }) => [ledger_entry_id, address]));
}
