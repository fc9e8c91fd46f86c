import { orgIdAt } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { readAddress } from './navigation/address.ts';
import type { LoadInput } from './screens.ts';

/**
 * The organisation in whose frame a page of the whole site stands: the one that signing in leads back to, the one whose
 * pages were seen last, or the default one. None where it cannot be read: the page itself is worth more than its frame.
 */
export async function orgBeside({ context, site, search }: LoadInput, last: Org | undefined): Promise<Org | undefined> {
  const returnTo = safeReturnTo(search.return_to);
  const orgid = (returnTo && orgIdAt(readAddress(returnTo).path)) ?? last?.id ?? site.defaultOrg;
  if (orgid === last?.id) return last;
  return context.api.call('readOrg', { params: { orgid } }).catch(() => undefined);
}
