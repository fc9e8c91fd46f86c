import { createElement, type ReactNode } from 'react';
import { orgIdAt, type PageName } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { readAddress } from './navigation/address.ts';
import type { Redirect } from './navigation/navigator.ts';
import type { SiteFrameData } from './page-data.ts';
import { type LoadInput, type OrgPageName, type Page, type PageInput, pageInput } from './screens.ts';

/** A page of the whole site. It stands in the frame of an organisation that is near, where there is one. */
export function sitePage<Name extends Exclude<PageName, OrgPageName>, Data extends object>(
  name: Name,
  code: () => Promise<(props: SiteFrameData & Data) => ReactNode>,
  load: (input: PageInput<Name>) => Data | Redirect | Promise<Data | Redirect>,
): Page {
  return {
    name,
    load: async (input) => load(pageInput(input)),
    element: async (frame, data) => {
      const component = await code();
      // The data is what its own loader answered.
      const props = { ...frame, ...(data as Data) };
      return () => createElement(component, props);
    },
    orgBeside,
  };
}

/**
 * The organisation in whose frame a page of the whole site stands: the one that signing in leads back to, the one whose
 * pages were seen last, or the default one. None where it cannot be read: the page itself is worth more than its frame.
 */
export async function orgBeside({ context, site, search, lastOrg }: LoadInput): Promise<Org | undefined> {
  const returnTo = safeReturnTo(search.return_to);
  const orgid = (returnTo && orgIdAt(readAddress(returnTo).path)) ?? lastOrg?.id ?? site.defaultOrg;
  if (orgid === lastOrg?.id) return lastOrg;
  return context.api.call('readOrg', { params: { orgid } }).catch(() => undefined);
}
