import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import { APPLIED_LATER_NOTE, type AttentionReason, CONTESTED_REASONS } from '#domain/attention.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { selectUserName } from '#server/entities/find-user.ts';

export type AttentionRow = Selectable<Tables['attention_items']>;

export type NewAttentionItem = {
  /** The provider's object, such as 'session:cs_…'. Each object has at most one item. */
  readonly subject: string;
  readonly reason: AttentionReason;
  /** Organization in the payment's metadata, if any. Stored as null if it doesn't exist. */
  readonly orgId?: OrgId | undefined;
  readonly checkoutId?: CheckoutId | undefined;
  readonly amount: Cents;
  readonly currency: string;
  readonly livemode: boolean;
  readonly occurredAt: Date;
  /** Deadline for submitting evidence. */
  readonly dueAt?: Date | undefined;
};

/** Adds an item unless its subject already has one. A resolved item stays resolved. */
export async function insertAttentionItem(tx: Transaction<Tables>, item: NewAttentionItem): Promise<void> {
  await tx
    .insertInto('attention_items')
    .values(toRow(item))
    .onConflict((conflict) => conflict.column('subject').doNothing())
    .execute();
}

/**
 * Adds an item, or reopens the existing one if its amount, deadline, or reason changed.
 * @returns the item's id if it was added or reopened
 */
export async function addOrReopenAttentionItem(
  tx: Transaction<Tables>,
  item: NewAttentionItem,
): Promise<string | undefined> {
  const { reason, amount_cents, due_at, ...row } = toRow(item);
  const openState = {
    reason,
    amount_cents,
    due_at,
    resolved_at: null,
    resolution: null,
    resolved_by: null,
    note: null,
  };
  const openItem = await tx
    .insertInto('attention_items')
    .values({ ...row, ...openState })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet(openState)
        .where(sql<SqlBool>`(attention_items.reason, attention_items.amount_cents, attention_items.due_at)
          is distinct from (${reason}, ${amount_cents}::int8, ${due_at})`),
    )
    .returning('id')
    .executeTakeFirst();
  return openItem?.id;
}

function toRow(item: NewAttentionItem) {
  return {
    id: newId(),
    subject: item.subject,
    reason: item.reason,
    org_id: sql<string | null>`(select id from orgs where id = ${item.orgId ?? null})`,
    checkout_id: item.checkoutId ?? null,
    amount_cents: item.amount,
    currency: item.currency,
    livemode: item.livemode,
    occurred_at: item.occurredAt,
    due_at: item.dueAt ?? null,
  };
}

/** Resolves an item automatically. Without a closing note, its payment was recorded after all. */
export async function resolveAttentionAutomatically(
  tx: Transaction<Tables>,
  subject: string,
  resolvedAt: Date,
  closingNote?: string,
): Promise<void> {
  const resolution = closingNote === undefined ? 'recorded' : 'closed';
  await tx
    .updateTable('attention_items')
    .set({ resolved_at: resolvedAt, resolution, note: closingNote ?? APPLIED_LATER_NOTE })
    .where('subject', '=', subject)
    .where('resolved_at', 'is', null)
    .execute();
}

/** Condition that the item is resolved although its payment wasn't recorded. */
export function isResolvedOutsideBooks(items: string): RawBuilder<boolean> {
  return sql`coalesce(${sql.ref(`${items}.resolution`)} in ('manual', 'closed'), false)`;
}

/** `orgId` is null for an item without an organization. */
export type AttentionKey = { readonly orgId: OrgId | null; readonly itemId: string };

export function findAttentionItem(db: Kysely<Tables>, key: AttentionKey): Promise<AttentionRow | undefined> {
  return queryItems(db, key.orgId).selectAll().where('id', '=', key.itemId).executeTakeFirst();
}

export function lockAttentionItem(tx: Transaction<Tables>, key: AttentionKey): Promise<AttentionRow | undefined> {
  return queryItems(tx, key.orgId).selectAll().where('id', '=', key.itemId).forUpdate().executeTakeFirst();
}

/** The caller must hold the lock on the item. */
export async function resolveAttentionItem(
  tx: Transaction<Tables>,
  { itemId }: AttentionKey,
  { note, resolvedBy, resolvedAt }: { readonly note: string; readonly resolvedBy: string; readonly resolvedAt: Date },
): Promise<void> {
  const changes = { resolved_at: resolvedAt, resolution: 'manual', resolved_by: resolvedBy, note } as const;
  await tx.updateTable('attention_items').set(changes).where('id', '=', itemId).execute();
}

const MAX_OPEN_ITEMS = 200;
const MAX_RESOLVED = 20;

export type ListedAttentionRow = AttentionRow & {
  /** Null if the organization has no such checkout, or it was deleted. */
  readonly existing_checkout_id: string | null;
  readonly payer: string | null;
  readonly resolved_by_name: string | null;
};

/** Lists open items, oldest first. A null `orgId` selects items without an organization. */
export function listOpenAttentionItems(db: Kysely<Tables>, orgId: OrgId | null): Promise<ListedAttentionRow[]> {
  return queryListedItems(db, orgId)
    .where('resolved_at', 'is', null)
    .orderBy('attention_items.created_at')
    .orderBy('attention_items.id')
    .limit(MAX_OPEN_ITEMS)
    .execute();
}

/** Lists recently resolved items, newest first. */
export function listResolvedAttentionItems(db: Kysely<Tables>, orgId: OrgId | null): Promise<ListedAttentionRow[]> {
  return queryListedItems(db, orgId)
    .where('resolved_at', 'is not', null)
    .orderBy('resolved_at', 'desc')
    .orderBy('attention_items.id')
    .limit(MAX_RESOLVED)
    .execute();
}

function queryListedItems(db: Kysely<Tables>, orgId: OrgId | null) {
  return queryItems(db, orgId)
    .leftJoin('users', 'users.id', 'attention_items.resolved_by')
    .leftJoin('checkouts', (join) =>
      join
        .onRef('checkouts.id', '=', 'attention_items.checkout_id')
        .onRef('checkouts.org_id', '=', 'attention_items.org_id')
        .on('checkouts.deleted_at', 'is', null),
    )
    .selectAll('attention_items')
    .select('checkouts.id as existing_checkout_id')
    .select(sql<string | null>`coalesce(nullif(checkouts.display_name, ''), checkouts.email)`.as('payer'))
    .select(selectUserName().as('resolved_by_name'));
}

/** `attention` is money that isn't in the books. `contested` excludes checkouts with an open dispute. */
export type OpenAttention = { readonly attention: number; readonly contested: number };

/** Counts the payments that need an organization's attention. */
export async function countOpenAttention(db: Kysely<Tables>, orgId: OrgId): Promise<OpenAttention> {
  const isContested = sql`i.reason = any(${[...CONTESTED_REASONS]})`;
  const { rows } = await sql<OpenAttention>`
    select count(*) filter (where not ${isContested}) as attention,
      count(*) filter (where ${isContested} and not exists (
        select from checkouts c join payments p on p.checkout_id = c.id and p.status = 'disputed'
        where c.id = i.checkout_id and c.payment_status = 'disputed' and c.deleted_at is null)) as contested
    from attention_items i where i.org_id = ${orgId} and i.resolved_at is null`.execute(db);
  return rows[0] ?? { attention: 0, contested: 0 };
}

function queryItems(db: Kysely<Tables>, orgId: OrgId | null) {
  return db.selectFrom('attention_items').where('attention_items.org_id', orgId === null ? 'is' : '=', orgId);
}
