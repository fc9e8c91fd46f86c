import type { ReactNode } from 'react';
import { findOrgId, type PageName } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { parseAddress } from '#web/navigation/address.ts';
import type { Redirect } from '#web/navigation/navigator.ts';
import {
  createPage,
  type LoadInput,
  type OrgPageName,
  type PageInput,
  type PageRoute,
  type SitePageProps,
} from './page.ts';

/** A page outside of any organization. It has the frame of a related organization, if there is one. */
export function sitePage<Name extends Exclude<PageName, OrgPageName>, Data extends object>(
  name: Name,
  loadComponent: () => Promise<(props: SitePageProps & Data) => ReactNode>,
  load: (input: PageInput<Name>) => Data | Redirect | Promise<Data | Redirect>,
): PageRoute {
  return { ...createPage<Name, SitePageProps, Data>(name, loadComponent, load), chooseOrg: loadFrameOrg };
}

/** Organization for the frame: the return page's, the previous page's, or the default. */
export async function loadFrameOrg({ context, site, search, lastOrg }: LoadInput): Promise<Org | undefined> {
  const returnTo = safeReturnTo(search.return_to);
  const orgId = (returnTo && findOrgId(parseAddress(returnTo).path)) ?? lastOrg?.id ?? site.defaultOrg;
  if (orgId === lastOrg?.id) return lastOrg;
  return context.api.call('readOrg', { params: { orgid: orgId } }).catch(() => undefined);
}
