import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import type { ParsedQuery } from '#contract/schemas.ts';
import type { OrgId } from '#domain/ids.ts';
import { dollarsOf } from '#domain/money.ts';
import type { AppDeps } from '#server/deps.ts';
import { type ListPage, listPage } from '#server/http/list-page.ts';
import { countUndelivered, type ReceiptWithReturns, undeliveredReceipts } from './receipt-sources.store.ts';

/** Attempts are at most an hour apart, so a receipt that has waited longer than this is no longer being sent. */
const MAX_WAIT_MS = 2 * 60 * 60_000;

/** Undelivered receipts, newest first. */
export async function readUndelivered(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  orgId: OrgId,
  { max, cursorRef }: ParsedQuery<'readUndelivered'>,
): Promise<ListPage<UndeliveredReceipt[]>> {
  const page = { max: max + 1, after: cursorRef, waitingSince: waitingSince(now) };
  const rows = await undeliveredReceipts(db.kysely, orgId, page);
  return listPage(
    rows.map((row) => ({ ...row, id: row.ledger_entry_id })),
    max,
    present,
  );
}

/** Number of undelivered receipts. */
export function undeliveredCount({ db, now }: Pick<AppDeps, 'db' | 'now'>, orgId: OrgId): Promise<number> {
  return countUndelivered(db.kysely, orgId, waitingSince(now));
}

function waitingSince(now: () => Date): Date {
  return new Date(now().getTime() - MAX_WAIT_MS);
}

function present(row: ReceiptWithReturns): UndeliveredReceipt {
  return {
    id: row.ledger_entry_id,
    number: row.printed_number,
    name: row.name,
    email: row.alternate_email ?? row.email,
    amount: dollarsOf(row.amount_cents),
    givenOn: row.document.givenOn,
    reason: reasonOf(row),
    code: row.delivery_error_code,
    triedTimestamp: row.delivery_at.toISOString(),
  };
}

/** The list has no receipts with another delivery status. */
function reasonOf({ delivery }: ReceiptWithReturns): UndeliveredReceipt['reason'] {
  return delivery === 'rejected' || delivery === 'failed' || delivery === 'no-address' ? delivery : 'pending';
}
