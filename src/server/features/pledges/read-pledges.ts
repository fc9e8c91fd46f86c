import type { Pledge } from '#contract/schemas/pledges.ts';
import type { PledgeStatus } from '#domain/check.ts';
import { dayOf } from '#domain/days.ts';
import { dollarsOf } from '#domain/money.ts';
import type { Database } from '#server/db/connection.ts';
import type { Page } from '#server/db/keyset.ts';
import { type ListPage, listPage } from '#server/list-page.ts';
import { type PledgeWithReceipt, pledgesPage } from './pledges.store.ts';

export async function readPledges(
  db: Database,
  orgId: string,
  { status, ...page }: Page & { readonly status?: PledgeStatus | undefined },
): Promise<ListPage<Pledge[]>> {
  const rows = await pledgesPage(db, orgId, status, { ...page, max: page.max + 1 });
  return listPage(rows, page.max, presentPledge);
}

export function presentPledge(row: PledgeWithReceipt): Pledge {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    amount: dollarsOf(row.amount_cents),
    status: row.status,
    receivedAmount: row.status === 'received' ? dollarsOf(row.received_cents ?? row.amount_cents) : null,
    receivedOn: row.received_at && dayOf(row.received_at, row.time_zone),
    checkNumber: row.check_number,
    note: row.note,
    receiptNumber: row.receipt_number,
    entryid: row.entry_id,
    createdTimestamp: row.created_at.toISOString(),
  };
}
