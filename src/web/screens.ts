import { createElement, type ReactElement, type ReactNode } from 'react';
import { orgIdAt, type PAGES, type PageName, type PageParams, pageAt } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { ApiProblem } from './api/api-error.ts';
import type { ApiClient } from './api/client.ts';
import type { AppContext } from './app-context.ts';
import { readAddress, type Search } from './navigation/address.ts';
import { Redirect } from './navigation/navigator.ts';
import type { OrgFrame } from './page-data.ts';

/** What is shown at an address: a page with its data, that there is none, or that it could not be loaded. */
export type Screen = {
  readonly name: PageName | undefined;
  readonly org: Org | undefined;
  readonly site: Site | undefined;
  readonly content:
    | { readonly kind: 'page'; readonly data: object; readonly element: () => ReactElement }
    | { readonly kind: 'missing' }
    | { readonly kind: 'error'; readonly error: unknown };
};

/** A screen as the server sends it along with the document that it rendered of it. */
export type SentScreen = {
  readonly name: PageName | undefined;
  readonly org: Org | undefined;
  readonly site: Site | undefined;
  /** The page's data; nothing where there is no such page. */
  readonly data: object | undefined;
};

export type OrgPageName = {
  [Name in PageName]: (typeof PAGES)[Name] extends `/orgs/${string}` ? Name : never;
}[PageName];

export type PageInput<Name extends PageName> = {
  readonly api: ApiClient;
  readonly params: PageParams<Name>;
  readonly search: Search;
};

/** A page: its code, the one place where its data is asked for, and what the browser's own address adds. */
export type Page = {
  readonly name: PageName;
  load(input: { api: ApiClient; params: Record<string, string>; search: Search }): Promise<object>;
  element(frame: OrgFrame, data: object, search: Search): Promise<() => ReactElement>;
};

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
    load: async (input) => load(input as PageInput<Name>),
    element: async (frame, data, search) => {
      const component = await code();
      const props = { ...frame, ...(data as Data), ...fromSearch?.(search) };
      return () => createElement(component, props);
    },
  };
}

/** Leads an address on to another one; nothing where it leads nowhere. */
export type Lead = (context: AppContext, params: Record<string, string>) => Promise<string | undefined>;

export type Routes = {
  readonly pages: readonly Page[];
  readonly leads: Partial<Record<PageName, Lead>>;
};

/**
 * The screen of an address. It never throws: what failed is a screen too.
 * @param sent what the server sent for this very address, which is then not asked for again
 */
export async function loadScreen(
  { pages, leads }: Routes,
  context: AppContext,
  address: string,
  sent?: SentScreen,
): Promise<Screen | Redirect> {
  const { path, search } = readAddress(address);
  const found = pageAt(path);
  const frame: { org?: Org; site?: Site } = {};
  const screen = (content: Screen['content'], name?: PageName): Screen => ({
    name,
    org: frame.org,
    site: frame.site,
    content,
  });
  try {
    const site = sent?.site ?? (await siteOf(context.api));
    frame.site = site;
    const lead = found && leads[found.name];
    if (lead) {
      const to = await lead(context, found.params);
      return to === undefined ? screen({ kind: 'missing' }) : new Redirect(to);
    }
    const page = pages.find(({ name }) => name === found?.name);
    if (sent?.org) frame.org = sent.org;
    if (sent && !sent.data) return screen({ kind: 'missing' });
    const orgid = orgIdAt(path);
    if (orgid === undefined) return screen({ kind: 'missing' });
    const asked = sent?.data ?? page?.load({ api: context.api, params: found?.params ?? {}, search });
    // Asked for at once; the organisation is told first, as its frame stands around whatever else is missing.
    void Promise.resolve(asked).catch(() => {});
    const org = sent?.org ?? (await context.api.call('readOrg', { params: { orgid } }));
    frame.org = org;
    const data = await asked;
    if (!page || !data) return screen({ kind: 'missing' });
    return screen({ kind: 'page', data, element: await page.element({ org, site }, data, search) }, page.name);
  } catch (error) {
    const isMissing = error instanceof ApiProblem && error.status === 404;
    return screen(isMissing ? { kind: 'missing' } : { kind: 'error', error });
  }
}

const sites = new WeakMap<ApiClient, Promise<Site>>();

/** What the whole site says of itself: asked once, and again after a failure. */
function siteOf(api: ApiClient): Promise<Site> {
  const known = sites.get(api);
  if (known) return known;
  const asked = api.call('readSite', {});
  sites.set(api, asked);
  asked.catch(() => sites.delete(api));
  return asked;
}
