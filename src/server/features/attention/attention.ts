import type { Transaction } from 'kysely';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import { type AttentionReason, resolutionNoteFailure } from '#domain/attention.ts';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { addField } from '#server/http/problems.ts';
import {
  type AttentionKey,
  insertAttentionItem,
  type ListedAttentionRow,
  listOpenAttentionItems,
  listResolvedAttentionItems,
  lockAttentionItem,
  type NewAttentionItem,
  resolveAttentionItem,
} from './attention.store.ts';

export {
  type AttentionRow,
  addOrReopenAttentionItem,
  countOpenAttention,
  findAttentionItem,
  isResolvedOutsideBooks,
  type NewAttentionItem,
  resolveAttentionAutomatically,
} from './attention.store.ts';

/** Outcome for money that couldn't be applied. */
export type AttentionOutcome = {
  readonly outcome: 'attention';
  readonly reason: AttentionReason;
  readonly checkoutId: CheckoutId | undefined;
};

/** Lists money that can't be applied under "Needs attention" until a person resolves it (decisions §3). */
export async function reportForAttention(tx: Transaction<Tables>, item: NewAttentionItem): Promise<AttentionOutcome> {
  await insertAttentionItem(tx, item);
  return { outcome: 'attention', reason: item.reason, checkoutId: item.checkoutId };
}

/** Reads an organization's open and recently resolved items. A null `orgId` selects items without an organization. */
export async function readAttention({ kysely }: Database, orgId: OrgId | null): Promise<AttentionItem[]> {
  const openItems = await listOpenAttentionItems(kysely, orgId);
  return [...openItems, ...(await listResolvedAttentionItems(kysely, orgId))].map(presentItem);
}

/**
 * Resolves an item with a note about how a person handled the money. Repeating the call changes nothing.
 * @returns Failure attention-not-found, attention-resolved, or for an invalid note
 */
export async function resolveAttention(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  key: AttentionKey,
  resolution: { readonly note: string; readonly resolvedBy: string },
): Promise<Record<string, never> | Failure> {
  const failure = addField('note', resolutionNoteFailure(resolution.note));
  if (failure) return failure;
  const { resolvedBy } = resolution;
  const note = resolution.note.trim();
  return inTransaction(db, async (tx) => {
    const item = await lockAttentionItem(tx, key);
    if (!item) return new Failure('attention-not-found');
    if (item.resolved_at === null) await resolveAttentionItem(tx, key, { note, resolvedBy, resolvedAt: now() });
    else if (item.resolved_by !== resolvedBy || item.note !== note) return new Failure('attention-resolved');
    return {};
  });
}

function presentItem(row: ListedAttentionRow): AttentionItem {
  return {
    id: row.id,
    amount: row.amount_cents,
    currency: row.currency,
    livemode: row.livemode,
    reason: row.reason,
    providerId: row.subject.slice(row.subject.indexOf(':') + 1),
    checkoutid: row.existing_checkout_id,
    payer: row.payer && makeDisplaySafe(row.payer),
    occurredTimestamp: row.occurred_at.toISOString(),
    dueTimestamp: row.due_at === null ? null : row.due_at.toISOString(),
    resolution: row.resolved_at && {
      note: row.note ?? '',
      by: row.resolved_by_name,
      timestamp: row.resolved_at.toISOString(),
    },
  };
}
