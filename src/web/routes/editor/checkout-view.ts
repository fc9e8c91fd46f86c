import { pagePath } from '#contract/pages.ts';
import type { BodyInput } from '#contract/schemas.ts';
import type { CheckoutGroup } from '#domain/checkout.ts';
import { GIFT_KINDS, type GiftKind, SEARCH_STATUSES, type SearchStatus } from '#domain/checkout-search.ts';
import { type Day, isDay } from '#domain/days.ts';
import type { Search } from '#web/navigation/address.ts';
import { withSearch } from '#web/navigation/with-search.ts';

export type CheckoutFilters = {
  readonly query: string;
  /** Undefined for gifts of any kind. */
  readonly kind: GiftKind | undefined;
  /** Undefined for any status. */
  readonly status: SearchStatus | CheckoutGroup | undefined;
  readonly from: Day | undefined;
  readonly to: Day | undefined;
};

export type Sorting = { readonly sort: 'date' | 'amount'; readonly order: 'asc' | 'desc' };

/** The gift shown in the dialog. */
export type OpenGift = {
  readonly kind: GiftKind;
  readonly id: string;
  /** Ledger entry of the payment to highlight, if the gift has several. */
  readonly paymentEntryId?: string | undefined;
};

/** Filters, order, and position of the checkouts page. The URL contains all of them, so that the back button works. */
export type CheckoutView = CheckoutFilters &
  Sorting & {
    readonly tab: 'checkouts' | 'receipts';
    /** The page starts after this row or, going back, ends before it. */
    readonly cursor: string | undefined;
    readonly isBackward: boolean;
    readonly openGift: OpenGift | undefined;
  };

const STATUSES = [...SEARCH_STATUSES, 'received', 'attempts'] as const;

export const NO_FILTERS: CheckoutFilters = {
  query: '',
  kind: undefined,
  status: undefined,
  from: undefined,
  to: undefined,
};

/** @returns whether the last day is before the first */
export function isDateRangeReversed({ from, to }: Pick<CheckoutFilters, 'from' | 'to'>): boolean {
  return from !== undefined && to !== undefined && to < from;
}

/** Parses the view from the URL. Ignores invalid values. */
export function parseView(search: Search): CheckoutView {
  const parseDay = (text = '') => (isDay(text) ? text : undefined);
  const [from, to] = [parseDay(search.from), parseDay(search.to)];
  return {
    tab: search.part === 'receipts' ? 'receipts' : 'checkouts',
    query: search.query ?? '',
    kind: GIFT_KINDS.find((kind) => kind === search.kind),
    status: STATUSES.find((status) => status === search.status),
    from,
    to: isDateRangeReversed({ from, to }) ? undefined : to,
    sort: search.sort === 'amount' ? 'amount' : 'date',
    order: search.order === 'asc' ? 'asc' : 'desc',
    cursor: search.before ?? search.after,
    isBackward: search.before !== undefined,
    openGift: parseOpenGift(search),
  };
}

function parseOpenGift({ gift, check, payment }: Search): OpenGift | undefined {
  if (gift) return { kind: 'card', id: gift, paymentEntryId: payment };
  return check ? { kind: 'check', id: check } : undefined;
}

export function toSearchBody({
  query,
  kind,
  status,
  from,
  to,
}: CheckoutFilters): NonNullable<BodyInput<'sumCheckouts'>> {
  return {
    query,
    kind: kind === 'card' ? 'online' : (kind ?? 'all'),
    ...toStatusQuery(status),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

function toStatusQuery(status: CheckoutFilters['status']) {
  if (status === 'received' || status === 'attempts') return { group: status };
  return status === undefined ? {} : { status };
}

type PagePosition = {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly openGift?: OpenGift | undefined;
};

/** URL of a search's first page, of the page at a cursor, or of an open gift. */
export function checkoutsUrl(
  orgId: string,
  { query = '', kind, status, from, to, sort, order }: Partial<CheckoutFilters & Sorting> = {},
  { after, before, openGift }: PagePosition = {},
): string {
  return buildUrl(orgId, {
    query: query.trim(),
    kind,
    status,
    from,
    to,
    sort: sort === 'amount' ? sort : undefined,
    order: order === 'asc' ? order : undefined,
    after,
    before,
    [openGift?.kind === 'check' ? 'check' : 'gift']: openGift?.id,
    payment: openGift?.paymentEntryId,
  });
}

/** URL of this page of the list, with or without an open gift. */
export function viewUrl(orgId: string, view: CheckoutView, openGift?: OpenGift): string {
  const { cursor, isBackward } = view;
  const position = isBackward ? { before: cursor } : { after: cursor };
  return checkoutsUrl(orgId, view, { ...position, openGift });
}

export function receiptsUrl(orgId: string): string {
  return buildUrl(orgId, { part: 'receipts' });
}

function buildUrl(orgId: string, parts: Readonly<Record<string, string | undefined>>): string {
  return withSearch(pagePath('checkouts-page', { orgid: orgId }), parts);
}

/** @returns whether the search form has filters; the kind of gift isn't part of the form */
export function isFiltered(filters: CheckoutFilters): boolean {
  return filters.query !== '' || countExtraFilters(filters) > 0;
}

/** Number of filters other than the query. */
export function countExtraFilters({ status, from, to }: CheckoutFilters): number {
  return [status, from, to].filter((filter) => filter !== undefined).length;
}
