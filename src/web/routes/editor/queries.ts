import type { ApiClient } from '#web/api/client.ts';
import { callQuery } from '#web/api/queries.ts';

/** The money that is available for grants. */
export function availableFundsQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readAvailableFunds', { params: { orgid: orgId } });
}

/** The number of stories that are waiting, and whether new ones are reviewed. */
export function reviewQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readReview', { params: { orgid: orgId } });
}
