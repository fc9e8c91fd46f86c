import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

/** Adds a payment of $25 that could not be applied. @returns its id */
export async function addAttentionItem(
  db: Database,
  orgId: string | null,
  overrides: Partial<Insertable<Tables['attention_items']>> = {},
): Promise<string> {
  const id = overrides.id ?? `attention-${randomUUID()}`;
  const item = {
    id,
    subject: `session:cs_${id}`,
    reason: 'amount',
    org_id: orgId,
    amount_cents: 2500,
    currency: 'usd',
    livemode: false,
    occurred_at: new Date('2026-03-14T09:30:00Z'),
    resolution: overrides.resolved_at ? ('manual' as const) : null,
    ...overrides,
  };
  await db.kysely.insertInto('attention_items').values(item).execute();
  return id;
}
