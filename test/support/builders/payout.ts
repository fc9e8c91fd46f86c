import { randomUUID } from 'node:crypto';
import type { Database } from '#server/db/connection.ts';

/** Adds a $9.41 payout in transit with one gift of an organization. @returns its id */
export async function addPayout({ kysely }: Database, orgId: string): Promise<string> {
  const [id, paidAt] = [`po_${randomUUID()}`, new Date('2026-03-14T12:00:00Z')];
  await kysely
    .insertInto('payouts')
    .values({
      id,
      amount_cents: 941,
      currency: 'usd',
      status: 'in-transit',
      livemode: true,
      has_all_movements: true,
      arrives_on: '2026-03-16',
      failed_at: null,
      replacement_payout_id: null,
      created_at: paidAt,
    })
    .execute();
  await kysely
    .insertInto('payout_movements')
    .values({
      movement_id: `txn_${randomUUID()}`,
      payout_id: id,
      kind: 'payment',
      org_id: orgId,
      occurred_at: paidAt,
      source_id: null,
      charge_id: null,
      entry_id: null,
      gross_cents: 1000,
      fee_cents: 59,
      net_cents: 941,
    })
    .execute();
  return id;
}
