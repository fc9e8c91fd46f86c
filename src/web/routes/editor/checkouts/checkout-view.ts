import { pagePath } from '#contract/pages.ts';
import type { SentBody } from '#contract/schemas.ts';
import { PLEDGE_STATUSES, type PledgeStatus } from '#domain/check.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '#domain/checkout.ts';
import { type Day, isDay } from '#domain/days.ts';
import type { Search } from '#web/navigation/address.ts';

/** What somebody searches for among checkouts. */
export type CheckoutFilters = {
  readonly query: string;
  readonly status: PaymentStatus | undefined;
  readonly from: Day | undefined;
  readonly to: Day | undefined;
};

/** What the page of checkouts shows. All of it stands in its address, so that the back button leads to what was seen. */
export type CheckoutView = CheckoutFilters & {
  readonly part: 'checkouts' | 'checks';
  /** The checkout after which the page begins or, going back, before which it ends. */
  readonly cursor: string | undefined;
  readonly back: boolean;
  /** Which checks are shown; all of them where it is nothing. */
  readonly checks: PledgeStatus | undefined;
};

export const NO_FILTERS: CheckoutFilters = { query: '', status: undefined, from: undefined, to: undefined };

/** Reads the view from the address; what is none there is left out. */
export function viewAt(search: Search): CheckoutView {
  const dayIn = (text = '') => (isDay(text) ? text : undefined);
  const [from, to] = [dayIn(search.from), dayIn(search.to)];
  const isBackwards = from !== undefined && to !== undefined && to < from;
  return {
    part: search.part === 'checks' ? 'checks' : 'checkouts',
    query: search.query ?? '',
    status: PAYMENT_STATUSES.find((status) => status === search.status),
    from,
    to: isBackwards ? undefined : to,
    cursor: search.before ?? search.after,
    back: search.before !== undefined,
    checks: search.checks === 'all' ? undefined : (PLEDGE_STATUSES.find((each) => each === search.checks) ?? 'pledged'),
  };
}

/** What the call is asked for. */
export function wantedOf({ query, status, from, to }: CheckoutFilters): NonNullable<SentBody<'searchCheckouts'>> {
  return {
    query,
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

type Turn = { readonly after: string } | { readonly before: string } | Record<never, never>;

/** The address of the checkouts that these filters find, from their beginning or from a page on. */
export function checkoutsAddress(orgid: string, { query, status, from, to }: CheckoutFilters, turn: Turn = {}): string {
  return address(orgid, { query: query.trim(), status, from, to, ...turn });
}

/** The address of the checks of a status, or of all. */
export function checksAddress(orgid: string, status: PledgeStatus | 'all' = 'pledged'): string {
  return address(orgid, { part: 'checks', checks: status === 'pledged' ? undefined : status });
}

function address(orgid: string, parts: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value) search.set(name, value);
  const path = pagePath('checkouts-page', { orgid });
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Whether somebody searches at all. */
export function isFiltered({ query, status, from, to }: CheckoutFilters): boolean {
  return query !== '' || status !== undefined || from !== undefined || to !== undefined;
}
