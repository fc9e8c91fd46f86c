import { createElement, type ReactElement, type ReactNode } from 'react';
import type { PAGES, PageName, PageParams } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { Action } from '#domain/permissions.ts';
import { withOfflineError } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import type { Search } from '#web/navigation/address.ts';
import type { Redirect } from '#web/navigation/navigator.ts';
import type { AppContext } from '#web/session/app-context.ts';
import type { SessionStore } from '#web/session/session-store.ts';

/** Props of every page of an organization, in addition to its own data. */
export type OrgPageProps = { readonly org: Org; readonly site: Site };

/** Props of every page. A page outside an organization has the frame of a related organization. */
export type SitePageProps = { readonly org: Org | undefined; readonly site: Site };

export type OrgPageName = {
  [Name in PageName]: (typeof PAGES)[Name] extends `/orgs/${string}` ? Name : never;
}[PageName];

export type PageInput<Name extends PageName> = {
  readonly api: ApiClient;
  readonly params: PageParams<Name>;
  readonly search: Search;
  /** The session is already loaded on a guarded page. On other pages, await `ready`. */
  readonly session: SessionStore;
};

export type LoadInput = {
  readonly context: AppContext;
  readonly site: Site;
  readonly params: Readonly<Record<string, string>>;
  readonly search: Search;
  readonly address: string;
  /** The organization of the previous page. */
  readonly lastOrg: Org | undefined;
};

/** A page: its code and its loader. */
export type PageRoute = {
  readonly name: PageName;
  /** The page's file under src/web/routes, without `.tsx`; by default, the page's name. */
  readonly module?: string;
  /** Permission to open the page; everyone by default. */
  readonly guard?: PageGuard;
  /** @returns the page's data, or its replacement */
  load(input: LoadInput): Promise<object | ReplacementPage | Redirect>;
  element(frame: SitePageProps, data: object, search: Search): Promise<() => ReactElement>;
  /** Chooses the organization that frames a page outside of any organization. */
  chooseOrg?(input: LoadInput): Promise<Org | undefined>;
};

/** A permission, or `signed-out` for pages that only logged-out visitors may open. */
export type PageGuard = Action | 'signed-out';

/** Replaces a page, for example to explain why the visitor may not see it. */
export class ReplacementPage {
  readonly element: () => ReactElement;

  constructor(element: () => ReactElement) {
    this.element = element;
  }
}

/**
 * A page of an organization.
 * @param propsFromSearch reads props from the browser's address, even on pages that the server rendered
 */
export function orgPage<Name extends OrgPageName, Data extends object>(
  name: Name,
  loadComponent: () => Promise<(props: OrgPageProps & Data) => ReactNode>,
  load: (input: PageInput<Name>) => Data | Promise<Data>,
  propsFromSearch?: PropsFromSearch<Data>,
): PageRoute {
  return createPage<Name, OrgPageProps, Data>(name, loadComponent, load, propsFromSearch);
}

type PropsFromSearch<Data> = (search: Search) => { readonly [Key in keyof Data]?: Data[Key] | undefined };

/** A page in the frame of the organization that its address contains or its route chooses. */
export function createPage<Name extends PageName, FrameProps extends SitePageProps, Data extends object>(
  name: Name,
  loadComponent: () => Promise<(props: FrameProps & Data) => ReactNode>,
  load: (input: PageInput<Name>) => Data | Redirect | Promise<Data | Redirect>,
  propsFromSearch?: PropsFromSearch<Data>,
): PageRoute {
  return {
    name,
    load: async ({ context: { api, session }, params, search }) => {
      // Loads the code in parallel. A failure is reported when the page renders.
      loadComponent().catch(() => {});
      return load({ api, params: params as PageParams<Name>, search, session });
    },
    element: async (frame, data, search) => {
      const component = await withOfflineError(loadComponent());
      // The frame has the page's organization, and the data comes from the page's own loader: the cast is safe.
      const props = { ...frame, ...data, ...propsFromSearch?.(search) } as unknown as FrameProps & Data;
      return () => createElement(component, props);
    },
  };
}
