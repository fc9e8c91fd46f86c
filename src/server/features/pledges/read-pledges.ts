import type { Pledge } from '#contract/schemas/pledges.ts';
import type { PledgeStatus } from '#domain/check.ts';
import { dayOf } from '#domain/days.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars } from '#domain/money.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import type { Database } from '#server/db/connection.ts';
import { listPledgesWithReceipts, type PledgeWithReceipt } from './pledges.store.ts';

export type { PledgeKey } from './pledges.store.ts';

/** Reads pledged and received checks by their ids, in no particular order. */
export async function readPledgesByIds({ kysely }: Database, orgId: OrgId, ids: readonly string[]): Promise<Pledge[]> {
  return (await listPledgesWithReceipts(kysely, orgId, ids)).map(presentPledge);
}

export function presentPledge(row: PledgeWithReceipt): Pledge {
  const status = pledgeStatus(row);
  // A check that was recorded by mistake doesn't count as arrived.
  const hasArrived = status === 'received' || status === 'bounced';
  return {
    id: row.id,
    name: row.name && makeDisplaySafe(row.name),
    email: row.email,
    amount: toDollars(row.amount_cents),
    status,
    receivedAmount: hasArrived ? toDollars(row.received_cents ?? row.amount_cents) : null,
    receivedOn: hasArrived && row.received_at ? dayOf(row.received_at, row.time_zone) : null,
    checkNumber: hasArrived ? row.check_number : null,
    note: row.note,
    receiptNumber: row.receipt_number,
    entryid: row.entry_id,
    donorid: row.donor_id,
    reversal: row.reversed_at && {
      on: dayOf(row.reversed_at, row.time_zone),
      reason: row.reversal_reason,
      by: row.reversed_by,
    },
    createdTimestamp: row.created_at.toISOString(),
  };
}

function pledgeStatus({ status, bounced, suspicious }: PledgeWithReceipt): PledgeStatus {
  if (status === 'withdrawn' && bounced) return 'bounced';
  return status === 'pledged' && suspicious ? 'suspicious' : status;
}
