import type { Adjustment } from '#domain/adjustment.ts';
import type { Database } from '#server/db/connection.ts';
import { lastAdjustments } from './ledger.store.ts';

/** An adjustment, with who made it, when, and why (decisions §3). */
export type MadeAdjustment = Adjustment & {
  readonly id: string;
  readonly reason: string;
  /** By name, or by address; nothing once that account is deleted. */
  readonly by: string | null;
  readonly at: Date;
};

/** The last adjustments of an organisation's stats, the newest first. */
export async function readAdjustments(db: Database, orgId: string, max: number): Promise<MadeAdjustment[]> {
  const rows = await lastAdjustments(db.kysely, orgId, max);
  return rows.map((row) => ({
    id: row.id,
    amount: row.amount_cents,
    carbon: row.carbon,
    gas: row.gas,
    grants: row.grants,
    reason: row.reason ?? '',
    by: row.actor_name || row.actor_email,
    at: row.occurred_at,
  }));
}
