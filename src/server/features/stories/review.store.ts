import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { ReviewSearch } from '#contract/schemas/review.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { readPage } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';

/** An offsetter, and whether its gift was fully refunded. */
export type ReviewedRow = Selectable<Tables['offsetters']> & { readonly refunded: boolean };

const IS_REFUNDED = sql<boolean>`exists (
  select from checkouts
  where checkouts.id = offsetters.checkout_id and checkouts.org_id = offsetters.org_id
    and checkouts.payment_status = 'refunded'
)`.as('refunded');

const STATUSES_BY_STATE: Readonly<Record<ReviewSearch['state'], readonly StoryStatus[]>> = {
  waiting: ['draft'],
  decided: ['published', 'hidden'],
  published: ['published'],
  hidden: ['hidden'],
};

/** Lists offsetters whose authors agreed to be shown. */
export function listReviewedOffsetters(
  db: Kysely<Tables>,
  orgId: OrgId,
  { state, query, ...page }: ReviewSearch,
): Promise<ReviewedRow[]> {
  const candidates = db
    .selectFrom('offsetters')
    .selectAll()
    .select(IS_REFUNDED)
    .where('shown_as', '<>', 'none')
    .where('status', 'in', STATUSES_BY_STATE[state]);
  const matchingOffsetters =
    query === undefined || query.trim() === '' ? candidates : candidates.where('name', 'ilike', toLikePattern(query));
  return readPage(matchingOffsetters, 'offsetters', page, orgId);
}

/** Counts stories that are waiting for approval. */
export async function countWaitingStories(db: Kysely<Tables>, orgId: OrgId): Promise<number> {
  const { count } = await db
    .selectFrom('offsetters')
    .select(sql<number>`count(*)`.as('count'))
    .where('org_id', '=', orgId)
    .where('status', '=', 'draft')
    .where('shown_as', '<>', 'none')
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns whether a checkout was fully refunded. */
export async function isRefunded(
  tx: Transaction<Tables>,
  orgId: OrgId,
  checkoutId: CheckoutId | null,
): Promise<boolean> {
  if (checkoutId === null) return false;
  const checkout = await tx
    .selectFrom('checkouts')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', checkoutId)
    .where('payment_status', '=', 'refunded')
    .executeTakeFirst();
  return checkout !== undefined;
}

/** Creates a LIKE pattern that matches any text containing this text, with wildcards escaped. */
export function toLikePattern(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
