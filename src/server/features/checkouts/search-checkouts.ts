import type { CheckoutListed } from '#contract/schemas/checkout-records.ts';
import type { ReceivedBody } from '#contract/schemas.ts';
import { searchedFor } from '#domain/checkout-search.ts';
import { endOf, startOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { presentListed } from './checkout-records.present.ts';
import { wantedCheckouts } from './checkout-records.store.ts';

export type CheckoutsPart = { readonly checkouts: CheckoutListed[]; readonly nextCursor: string | undefined };

/**
 * The checkouts after a cursor or before it, in the order of the list, of those that were searched for.
 * @returns with them the id to go on from in the same direction, where there are more;
 *   Failure days-backwards, unknown-cursor
 */
export async function searchCheckouts(
  { db }: Pick<AppDeps, 'db'>,
  orgId: string,
  { max, cursorRef, isNext, order, query, status, from, to }: ReceivedBody<'searchCheckouts'>,
): Promise<CheckoutsPart | Failure> {
  if (from !== undefined && to !== undefined && to < from) return new Failure('days-backwards', { field: 'to' });
  const wanted = {
    for: searchedFor(query),
    status,
    from: from === undefined ? undefined : startOf(from),
    until: to === undefined ? undefined : endOf(to),
  };
  // One more than asked for says whether there is more, without a count of all.
  const rows = await wantedCheckouts(db, orgId, wanted, { max: max + 1, cursorRef, isNext, order });
  const back = !isNext && cursorRef !== undefined;
  const shown = rows.length <= max ? rows : back ? rows.slice(1) : rows.slice(0, max);
  const end = back ? shown[0] : shown.at(-1);
  return {
    checkouts: shown.map(presentListed),
    nextCursor: rows.length > max ? end?.id : undefined,
  };
}
