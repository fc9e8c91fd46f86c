import { createElement, type ReactElement, type ReactNode } from 'react';
import { orgIdAt, type PAGES, type PageName, type PageParams } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { Action } from '#domain/permissions.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import type { ApiClient } from '#web/api/client.ts';
import { readAddress, type Search } from '#web/navigation/address.ts';
import type { Redirect } from '#web/navigation/navigator.ts';
import type { AppContext } from '#web/session/app-context.ts';
import type { SessionStore } from '#web/session/session-store.ts';

/** What every page of an organisation is given beside its own data. */
export type OrgFrame = { readonly org: Org; readonly site: Site };

/** What every page is given; one whose address names no organisation stands in the frame of one that is near. */
export type SiteFrameData = { readonly org: Org | undefined; readonly site: Site };

export type OrgPageName = {
  [Name in PageName]: (typeof PAGES)[Name] extends `/orgs/${string}` ? Name : never;
}[PageName];

export type PageInput<Name extends PageName> = {
  readonly api: ApiClient;
  readonly params: PageParams<Name>;
  readonly search: Search;
  /** Who asks: on a guarded page it is known, elsewhere `ready` finds it out. */
  readonly session: SessionStore;
};

/** What a page is loaded by: beside its own parameters, who asks for it, and from where. */
export type LoadInput = {
  readonly context: AppContext;
  readonly site: Site;
  readonly params: Readonly<Record<string, string>>;
  readonly search: Search;
  readonly address: string;
  /** In whose part of the site one was last. */
  readonly lastOrg: Org | undefined;
};

/** A page: its code, how its data is loaded, and what the browser's own address adds. */
export type Page = {
  readonly name: PageName;
  /** The file of its code under src/web/routes, without `.tsx`. The page's own name unless said otherwise. */
  readonly module?: string;
  /** Who may open it; everybody where absent. */
  readonly guard?: PageGuard;
  /** @returns its data, or what is shown in its place */
  load(input: LoadInput): Promise<object | Instead | Redirect>;
  element(frame: SiteFrameData, data: object, search: Search): Promise<() => ReactElement>;
  /** The organisation in whose frame a page stands whose address names none. */
  orgBeside?(input: LoadInput): Promise<Org | undefined>;
};

/** Who sees a page: those who may do this, or those who are not logged in. */
export type PageGuard = Action | 'signed-out';

/** Stands at a page's address in the page's place: that one may not see it, and why. */
export class Instead {
  readonly element: () => ReactElement;

  constructor(element: () => ReactElement) {
    this.element = element;
  }
}

/**
 * A page of an organisation.
 * @param fromSearch what the browser's own address says, also where the data came with the document
 */
export function orgPage<Name extends OrgPageName, Data extends object>(
  name: Name,
  code: () => Promise<(props: OrgFrame & Data) => ReactNode>,
  load: (input: PageInput<Name>) => Data | Promise<Data>,
  fromSearch?: (search: Search) => { readonly [Key in keyof Data]?: Data[Key] | undefined },
): Page {
  return {
    name,
    // The parameters are those of the page's own path, and the data is what its own loader answered or the server sent.
    load: async (input) => load(pageInput(input)),
    element: async (frame, data, search) => {
      const component = await code();
      // The frame of such a page is that of the organisation which its address names.
      const props = { ...(frame as OrgFrame), ...(data as Data), ...fromSearch?.(search) };
      return () => createElement(component, props);
    },
  };
}

/** What a page's own loader is given. */
export function pageInput<Name extends PageName>({ context, params, search }: LoadInput): PageInput<Name> {
  return { api: context.api, params: params as PageParams<Name>, search, session: context.session };
}

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
