import { pagePath } from '#contract/pages.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { PLEDGE_STATUSES, type PledgeStatus } from '#domain/check.ts';
import { type CheckoutGroup, PAYMENT_STATUSES, type PaymentStatus } from '#domain/checkout.ts';
import { type Day, isDay } from '#domain/days.ts';
import type { Search } from '#web/navigation/address.ts';

export type CheckoutFilters = {
  readonly query: string;
  /** Undefined shows all. */
  readonly status: PaymentStatus | CheckoutGroup | undefined;
  readonly from: Day | undefined;
  readonly to: Day | undefined;
};

/** Filters of the checkouts page. All of them are in the address, so that the back button works. */
export type CheckoutView = CheckoutFilters & {
  readonly tab: 'checkouts' | 'checks' | 'receipts';
  /** The page starts after this checkout or, going back, ends before it. */
  readonly cursor: string | undefined;
  readonly back: boolean;
  /** Undefined shows all checks. */
  readonly checks: PledgeStatus | undefined;
};

const STATUSES = [...PAYMENT_STATUSES, 'received', 'attempts'] as const;

export const NO_FILTERS: CheckoutFilters = { query: '', status: undefined, from: undefined, to: undefined };

/** Reads the view from the address. Invalid values are ignored. */
export function viewAt(search: Search): CheckoutView {
  const dayIn = (text = '') => (isDay(text) ? text : undefined);
  const [from, to] = [dayIn(search.from), dayIn(search.to)];
  const isBackwards = from !== undefined && to !== undefined && to < from;
  return {
    tab: search.part === 'checks' || search.part === 'receipts' ? search.part : 'checkouts',
    query: search.query ?? '',
    status: STATUSES.find((status) => status === search.status),
    from,
    to: isBackwards ? undefined : to,
    cursor: search.before ?? search.after,
    back: search.before !== undefined,
    checks: search.checks === 'all' ? undefined : (PLEDGE_STATUSES.find((each) => each === search.checks) ?? 'pledged'),
  };
}

export function searchBodyOf({ query, status, from, to }: CheckoutFilters): NonNullable<BodyInput<'searchCheckouts'>> {
  return {
    query,
    ...statusPart(status),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

function statusPart(status: CheckoutFilters['status']) {
  if (status === 'received' || status === 'attempts') return { group: status };
  return status === undefined ? {} : { status };
}

type Cursor = { readonly after: string } | { readonly before: string } | Record<never, never>;

/** The address of the first page of a search, or of the page at a cursor. */
export function checkoutsAddress(
  orgId: string,
  { query, status, from, to }: CheckoutFilters,
  cursor: Cursor = {},
): string {
  return address(orgId, { query: query.trim(), status, from, to, ...cursor });
}

export function checksAddress(orgId: string, status: PledgeStatus | 'all' = 'pledged'): string {
  return address(orgId, { part: 'checks', checks: status === 'pledged' ? undefined : status });
}

export function receiptsAddress(orgId: string): string {
  return address(orgId, { part: 'receipts' });
}

function address(orgId: string, parts: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value) search.set(name, value);
  const path = pagePath('checkouts-page', { orgid: orgId });
  return search.size > 0 ? `${path}?${search}` : path;
}

export function isFiltered({ query, status, from, to }: CheckoutFilters): boolean {
  return query !== '' || status !== undefined || from !== undefined || to !== undefined;
}
