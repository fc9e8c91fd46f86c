import type { Pledge } from '#contract/schemas/pledges.ts';
import { dayOf } from '#domain/days.ts';
import { dollarsOf } from '#domain/money.ts';
import type { CountedPledgeRow } from './pledges.store.ts';

/** For the eyes of the organisation's editors. */
export function presentPledge(row: CountedPledgeRow): Pledge {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    amount: dollarsOf(row.amount_cents),
    status: row.status,
    receivedAmount: row.status === 'received' ? dollarsOf(row.received_cents ?? row.amount_cents) : null,
    receivedOn: row.received_at && dayOf(row.received_at),
    checkNumber: row.check_number,
    note: row.note,
    receiptNumber: row.receipt_number,
    entryid: row.entry_id,
    createdTimestamp: row.created_at.toISOString(),
  };
}
