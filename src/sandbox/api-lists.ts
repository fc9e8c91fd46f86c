// Lists in Stripe's format: filtered, newest first, page by page.
import type Stripe from 'stripe';
import { type Collection, type Condition, equals, type Page, type ResourceList } from './collection.ts';
import { rejectUnsupported } from './parameters.ts';

export type ListRequest = Stripe.PaginationParams & {
  readonly created?: Stripe.RangeQueryParam | number;
  readonly expand?: readonly string[];
};

const PAGING = ['limit', 'starting_after', 'ending_before', 'expand'];

/** Reads the requested page and its filters on the given columns. */
export function readPage(
  request: ListRequest,
  columns: readonly string[],
  extraConditions: readonly Condition[] = [],
): Page {
  return {
    conditions: [...columns.flatMap((column) => readConditions(column, request)), ...extraConditions],
    limit: request.limit,
    startingAfter: request.starting_after,
    endingBefore: request.ending_before,
  };
}

export function rejectOtherFilters(request: ListRequest, filters: readonly string[]): void {
  rejectUnsupported(request, [...PAGING, ...filters]);
}

/** Lists a collection, filtered by the given columns. @throws StripeApiError for any other filter */
export function listCollection<T>(
  url: string,
  collection: Collection<T>,
  request: ListRequest,
  columns: readonly string[],
): object {
  rejectOtherFilters(request, columns);
  return presentList(url, collection.list(readPage(request, columns)));
}

export function presentList<T>(url: string, { data, hasMore }: ResourceList<T>): object {
  return { object: 'list', data, has_more: hasMore, url };
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Time columns also accept ranges, such as `created[gte]`. */
function readConditions(column: string, request: object): Condition[] {
  const value: unknown = Object.entries(request).find(([name]) => name === column)?.[1];
  if (value === undefined) return [];
  if (typeof value === 'string' || typeof value === 'number') return [equals(column, value)];
  return Object.entries(value ?? {}).flatMap(([name, limit]) => {
    const comparison = COMPARISONS[name as keyof typeof COMPARISONS];
    return [{ sql: `${column} ${comparison} ?`, values: [Number(limit)] }];
  });
}
