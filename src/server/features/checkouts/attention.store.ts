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
export async function closeAttentionItems(
  tx: Transaction<Tables>,
  subjects: readonly string[],
  at: Date,
): Promise<void> {
  if (subjects.length === 0) return;
  await tx
    .updateTable('attention_items')
    .set({ settled_at: at, note: 'Counted later.' })
    .where('subject', 'in', subjects)
    .where('settled_at', 'is', null)
    .execute();
}

/** An item of an organization, or without one. */
export type AttentionKey = { readonly orgId: string | null; readonly itemId: string };

export function lockedAttentionItem(tx: Transaction<Tables>, key: AttentionKey): Promise<AttentionRow | undefined> {
  return itemsOf(tx, key.orgId).selectAll().where('id', '=', key.itemId).forUpdate().executeTakeFirst();
}

/** The caller holds the lock on it. */
export async function settleAttentionItem(
  tx: Transaction<Tables>,
  { itemId }: AttentionKey,
  { note, by, at }: { readonly note: string; readonly by: string; readonly at: Date },
): Promise<void> {
  const settled = { settled_at: at, settled_by: by, note };
  await tx.updateTable('attention_items').set(settled).where('id', '=', itemId).execute();
}

const MOST = 200;
const MOST_SETTLED = 20;

export type ListedAttentionRow = AttentionRow & {
  /** If the organization has it and it was not deleted. */
  readonly known_checkout_id: string | null;
  readonly settled_by_name: string | null;
};

/** What still needs attention, oldest first: an organization's, or what names no organization. */
export function openAttentionItems(db: Kysely<Tables>, orgId: string | null): Promise<ListedAttentionRow[]> {
  return listed(db, orgId)
    .where('settled_at', 'is', null)
    .orderBy('attention_items.created_at')
    .orderBy('attention_items.id')
    .limit(MOST)
    .execute();
}

/** What was settled lately, newest first. */
export function settledAttentionItems(db: Kysely<Tables>, orgId: string | null): Promise<ListedAttentionRow[]> {
  return listed(db, orgId)
    .where('settled_at', 'is not', null)
    .orderBy('settled_at', 'desc')
    .orderBy('attention_items.id')
    .limit(MOST_SETTLED)
    .execute();
}

function listed(db: Kysely<Tables>, orgId: string | null) {
  const known = sql<string | null>`(
    select c.id from checkouts c
    where c.id = attention_items.checkout_id and c.org_id = attention_items.org_id and c.deleted_at is null)`;
  return itemsOf(db, orgId)
    .leftJoin('users', 'users.id', 'attention_items.settled_by')
    .selectAll('attention_items')
    .select(known.as('known_checkout_id'))
    .select(sql<string | null>`coalesce(nullif(users.display_name, ''), users.email)`.as('settled_by_name'));
}

export async function countOpenAttention(db: Kysely<Tables>, orgId: string): Promise<number> {
  const row = await itemsOf(db, orgId)
    .select(({ fn }) => fn.countAll<number>().as('items'))
    .where('settled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.items;
}

function itemsOf(db: Kysely<Tables>, orgId: string | null) {
  return db.selectFrom('attention_items').where('org_id', orgId === null ? 'is' : '=', orgId);
}
