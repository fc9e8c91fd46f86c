import type { Undelivered } from '#contract/schemas/receipts.ts';
import type { ReceivedQuery } from '#contract/schemas.ts';
import { dollarsOf } from '#domain/money.ts';
import type { AppDeps } from '#server/deps.ts';
import { type ListPage, listPage } from '#server/http/list-page.ts';
import { countUndelivered, type ReceiptSource, undeliveredReceipts } from './receipt-sources.store.ts';

/** Tries are at most an hour apart: a receipt that waits longer than this is not being tried any more. */
const WAITING_TOO_LONG_MS = 2 * 60 * 60_000;

/** The receipts that did not arrive, the newest first, so that none is silently unsent. */
export async function readUndelivered(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  orgId: string,
  { max, cursorRef }: ReceivedQuery<'readUndelivered'>,
): Promise<ListPage<Undelivered[]>> {
  const page = { max: max + 1, after: cursorRef, waitingSince: waitingSince(now) };
  const rows = await undeliveredReceipts(db.kysely, orgId, page);
  return listPage(
    rows.map((row) => ({ ...row, id: row.ledger_entry_id })),
    max,
    present,
  );
}

/** How many receipts did not arrive. */
export function undeliveredCount({ db, now }: Pick<AppDeps, 'db' | 'now'>, orgId: string): Promise<number> {
  return countUndelivered(db.kysely, orgId, waitingSince(now));
}

function waitingSince(now: () => Date): Date {
  return new Date(now().getTime() - WAITING_TOO_LONG_MS);
}

function present(row: ReceiptSource): Undelivered {
  return {
    id: row.ledger_entry_id,
    number: row.donee_number,
    name: row.name,
    email: row.sent_to ?? row.email,
    amount: dollarsOf(row.amount_cents),
    givenOn: row.document.givenOn,
    // The list has no others.
    reason: reasonOf(row),
    code: row.delivery_code,
    triedTimestamp: row.delivery_at.toISOString(),
  };
}

function reasonOf({ delivery }: ReceiptSource): Undelivered['reason'] {
  return delivery === 'refused' || delivery === 'failed' || delivery === 'no-address' ? delivery : 'waiting';
}
