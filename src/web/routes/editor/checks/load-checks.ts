import type { Pledge } from '#contract/schemas/pledges.ts';
import type { PledgeStatus } from '#domain/check.ts';
import type { ApiClient } from '#web/api/client.ts';

export type ChecksPart = { readonly items: readonly Pledge[]; readonly nextCursor: string | undefined };

/** A part of the checks of a status, or of all of them. */
export function loadChecks(
  api: ApiClient,
  orgid: string,
  status: PledgeStatus | undefined,
  cursorRef?: string,
): Promise<ChecksPart> {
  const query = { ...(status === undefined ? {} : { status }), ...(cursorRef === undefined ? {} : { cursorRef }) };
  return api.list('readPledges', { params: { orgid }, query });
}
