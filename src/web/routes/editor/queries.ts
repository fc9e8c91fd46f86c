import type { ApiClient } from '#web/api/client.ts';
import { callQuery } from '#web/api/queries.ts';

/** Money available for grants. */
export function availableFundsQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readAvailableFunds', { params: { orgid: orgId } });
}

/** The months in the books, and the last closed one. */
export function bookMonthsQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readBookMonths', { params: { orgid: orgId } });
}

/** Number of stories to review, and whether new stories are reviewed. */
export function reviewQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readReview', { params: { orgid: orgId } });
}
