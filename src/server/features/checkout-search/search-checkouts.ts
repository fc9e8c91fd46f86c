import type { CheckoutSums, ListedGift } from '#contract/schemas/checkout-records.ts';
import type { ParsedBody } from '#contract/schemas.ts';
import { GIFT_LISTS, parseCheckoutSearch } from '#domain/checkout-search.ts';
import { endOfDay, startOfDay, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars } from '#domain/money.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { readPledgesByIds } from '#server/features/pledges/read-pledges.ts';
import { ListPage } from '#server/http/list-page.ts';
import { findCheckoutsByIds, findRenewalsByIds } from './checkout-records.store.ts';
import { presentListedCheckout, presentListedRenewal } from './checkouts.present.ts';
import { buildGiftBranches, type GiftBranch, type GiftFilter } from './gift-branches.store.ts';
import { countGifts, findGiftKey, type GiftKey, type GiftOrder, readGiftKeys, sumGifts } from './gift-search.store.ts';

/**
 * Lists the payments, attempts, and checks after or before a cursor, with the page's position in the list.
 * @returns Failure days-out-of-order
 * @throws Failure unknown-cursor
 */
export async function searchCheckouts(
  { db }: Pick<AppDeps, 'db'>,
  { id: orgId, timeZone }: OrgWithTimeZone,
  { max, cursorRef, isNext, sort, order, ...search }: ParsedBody<'searchCheckouts'>,
): Promise<ListPage<ListedGift[]> | Failure> {
  const filter = toFilter(timeZone, search);
  if (filter instanceof Failure) return filter;
  const branches = await buildGiftBranches(db.kysely, orgId, filter);
  const after = cursorRef === undefined ? undefined : await findGiftKey(db.kysely, orgId, cursorRef);
  const isBackward = !isNext && after !== undefined;
  // Read one extra row to find out whether there is another page.
  const range = { sort, order: isBackward ? reverseOrder(order) : order, after, max: max + 1 };
  const keys = await readGiftKeys(db.kysely, branches, range);
  const page = isBackward ? keys.slice(0, max).toReversed() : keys.slice(0, max);
  const lastKey = isBackward ? page[0] : page.at(-1);
  const [gifts, position] = await Promise.all([
    listGifts(db, orgId, page),
    after ? findPosition(db, branches, { sort, order }, page[0]) : 0,
  ]);
  return new ListPage(gifts, keys.length > max ? lastKey?.id : undefined, position);
}

function reverseOrder(order: GiftOrder['order']): GiftOrder['order'] {
  return order === 'asc' ? 'desc' : 'asc';
}

/** @returns the number of gifts before this one */
async function findPosition(
  { kysely }: Database,
  branches: readonly GiftBranch[],
  { sort, order }: GiftOrder,
  firstKey: GiftKey | undefined,
): Promise<number | undefined> {
  return firstKey && countGifts(kysely, branches, { sort, order: reverseOrder(order), after: firstKey });
}

/** Lists gifts in the order of their keys. Omits gifts that have been deleted since the keys were read. */
export async function listGifts(db: Database, orgId: OrgId, keys: readonly GiftKey[]): Promise<ListedGift[]> {
  const getIds = (kind: GiftKey['kind']) => keys.flatMap((key) => (key.kind === kind ? [key.id] : []));
  const [checkoutIds, renewalIds, checkIds] = [getIds('card'), getIds('renewal'), getIds('check')];
  const [checkouts, renewals, pledges] = await Promise.all([
    checkoutIds.length === 0 ? [] : findCheckoutsByIds(db.kysely, orgId, checkoutIds),
    renewalIds.length === 0 ? [] : findRenewalsByIds(db.kysely, orgId, renewalIds),
    checkIds.length === 0 ? [] : readPledgesByIds(db, orgId, checkIds),
  ]);
  const gifts = new Map<string, ListedGift>([
    ...checkouts.map((row) => [row.id, presentListedCheckout(row)] as const),
    ...renewals.map((row) => [row.entry_id, presentListedRenewal(row)] as const),
    ...pledges.map((pledge) => [pledge.id, pledge] as const),
  ]);
  return keys.flatMap(({ id }) => gifts.get(id) ?? []);
}

const UNKNOWN_SUMS: CheckoutSums = {
  checkouts: null,
  gross: null,
  refunded: null,
  fees: null,
  disputed: null,
  net: null,
};

/** Adds up the rows that match a search, unless there are too many. @returns Failure days-out-of-order */
export async function sumCheckouts(
  { db }: Pick<AppDeps, 'db'>,
  { id: orgId, timeZone }: OrgWithTimeZone,
  search: ParsedBody<'sumCheckouts'>,
): Promise<CheckoutSums | Failure> {
  const filter = toFilter(timeZone, search);
  if (filter instanceof Failure) return filter;
  const branches = await buildGiftBranches(db.kysely, orgId, filter);
  const checkouts = await countGifts(db.kysely, branches);
  if (checkouts === undefined) return UNKNOWN_SUMS;
  const { gross_cents, returned_cents, fee_cents, disputed_cents } = await sumGifts(db.kysely, orgId, branches);
  return {
    checkouts,
    gross: toDollars(gross_cents),
    refunded: toDollars(returned_cents),
    fees: toDollars(fee_cents),
    disputed: toDollars(disputed_cents),
    net: toDollars(gross_cents - returned_cents - fee_cents - disputed_cents),
  };
}

export function toFilter(
  timeZone: TimeZone,
  { query, kind, status, group, from, to }: ParsedBody<'sumCheckouts'>,
): GiftFilter | Failure {
  if (from !== undefined && to !== undefined && to < from) return new Failure('days-out-of-order', { field: 'to' });
  return {
    search: parseCheckoutSearch(query),
    kinds: GIFT_LISTS[kind],
    status,
    group,
    from: from === undefined ? undefined : startOfDay(from, timeZone),
    until: to === undefined ? undefined : endOfDay(to, timeZone),
  };
}
