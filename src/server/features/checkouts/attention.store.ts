import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Cents } from '#domain/money.ts';
import type { AttentionItemsTable, Tables } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';

export type AttentionRow = Selectable<AttentionItemsTable>;

export type NewAttentionItem = {
  /** The provider's object, such as 'session:cs_…': one item each. */
  readonly subject: string;
  readonly reason: string;
  /** As the payment claims; an organization that does not exist is stored as none. */
  readonly orgId: string;
  readonly checkoutId: string;
  readonly amount: Cents;
  readonly currency: string;
  readonly livemode: boolean;
  readonly occurredAt: Date;
};

/** Saves it once. A settled one stays settled. */
export async function addAttentionItem(tx: Transaction<Tables>, item: NewAttentionItem): Promise<void> {
  await tx
    .insertInto('attention_items')
    .values({
      id: newId(),
      subject: item.subject,
      reason: item.reason,
      org_id: sql<string | null>`(select id from orgs where id = ${item.orgId})`,
      checkout_id: item.checkoutId || null,
      amount_cents: item.amount,
      currency: item.currency,
      livemode: item.livemode,
      occurred_at: item.occurredAt,
    })
    .onConflict((conflict) => conflict.column('subject').doNothing())
    .execute();
}

/** The money was applied after all, say because its checkout was restored. */
export async function closeAttentionItem(tx: Transaction<Tables>, subject: string, at: Date): Promise<void> {
  await tx
    .updateTable('attention_items')
    .set({ settled_at: at, note: 'Counted later.' })
    .where('subject', '=', subject)
    .where('settled_at', 'is', null)
    .execute();
}

const MOST = 200;

/** What still needs attention, oldest first: an organization's, or what names no organization. */
export function openAttentionItems(db: Kysely<Tables>, orgId: string | null): Promise<AttentionRow[]> {
  return db
    .selectFrom('attention_items')
    .selectAll()
    .where('settled_at', 'is', null)
    .where('org_id', orgId === null ? 'is' : '=', orgId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST)
    .execute();
}
