import { createElement, type ReactElement, type ReactNode } from 'react';
import { orgIdAt, type PAGES, type PageName, type PageParams, pageAt } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { ApiProblem } from './api/api-error.ts';
import type { ApiClient } from './api/client.ts';
import type { AppContext } from './app-context.ts';
import type { SessionStore } from './features/session/session-store.ts';
import { readAddress, type Search } from './navigation/address.ts';
import { Redirect } from './navigation/navigator.ts';
import type { OrgFrame, SiteFrameData } from './page-data.ts';

/** What is shown at an address: a page with its data, that there is none, or that it could not be loaded. */
export type Screen = {
  readonly name: PageName | undefined;
  readonly org: Org | undefined;
  readonly site: Site | undefined;
  readonly content:
    | { readonly kind: 'page'; readonly data: object; readonly element: () => ReactElement }
    | { readonly kind: 'missing' }
    /** The document came without the page's own data: the browser has still to ask for it. */
    | { readonly kind: 'waiting' }
    | { readonly kind: 'error'; readonly error: unknown };
};

/** A screen as the server sends it along with the document that it rendered of it. */
export type SentScreen = {
  readonly name: PageName | undefined;
  readonly org: Org | undefined;
  readonly site: Site | undefined;
  /** The page's data; nothing where there is no such page, or where the page waits. */
  readonly data: object | undefined;
  /** Whether the page is each person's own, so that the server knows its frame alone. */
  readonly isWaiting: boolean;
};

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

/** A page: its code, the one place where its data is asked for, and what the browser's own address adds. */
export type Page = {
  readonly name: PageName;
  /** @returns its data, or what is shown in its place */
  load(input: LoadInput): Promise<object | Instead | Redirect>;
  element(frame: SiteFrameData, data: object, search: Search): Promise<() => ReactElement>;
  /** The organisation in whose frame a page stands whose address names none. */
  orgBeside?(input: LoadInput): Promise<Org | undefined>;
};

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

/** Leads an address on to another one; nothing where it leads nowhere. */
export type Lead = (context: AppContext, params: Record<string, string>) => Promise<string | undefined>;

export type Routes = {
  readonly pages: readonly Page[];
  /** The pages that are each person's own, whose table a visitor need not fetch. */
  readonly later: () => Promise<readonly Page[]>;
  readonly leads: Partial<Record<PageName, Lead>>;
};

/**
 * The screen of an address. It never throws: what failed is a screen too.
 * @param sent what the server sent for this very address, which is then not asked for again
 */
export async function loadScreen(
  routes: Routes,
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
    const lead = found && routes.leads[found.name];
    if (lead) {
      const to = await lead(context, found.params);
      return to === undefined ? screen({ kind: 'missing' }) : new Redirect(to);
    }
    if (sent?.org) frame.org = sent.org;
    // Its name belongs to the page, and not to what stands in its place until then.
    if (sent?.isWaiting) return screen({ kind: 'waiting' });
    if (sent && !sent.data) return screen({ kind: 'missing' });
    const page = found && (await pageOf(routes, found.name));
    const lastOrg = lastOrgs.get(context.api);
    const input = { context, site, params: found?.params ?? {}, search, address, lastOrg };
    const asked = Promise.resolve(sent?.data ?? page?.load(input));
    // Asked for at once; the organisation is told first, as its frame stands around whatever else is missing.
    asked.catch(() => {});
    const org = sent?.org ?? (await orgOf(path, page, input));
    if (org) {
      frame.org = org;
      lastOrgs.set(context.api, org);
    }
    const data = await asked;
    if (data instanceof Redirect) return data;
    if (!page || !data) return screen({ kind: 'missing' });
    const element = data instanceof Instead ? data.element : await page.element({ org, site }, data, search);
    return screen({ kind: 'page', data, element }, page.name);
  } catch (error) {
    const isMissing = error instanceof ApiProblem && error.status === 404;
    return screen(isMissing ? { kind: 'missing' } : { kind: 'error', error });
  }
}

/**
 * The screen that the document of a page starts with whose data is each person's own: its frame, with nothing in it yet.
 * @throws what a call failed with
 */
export async function loadWaitingScreen(routes: Routes, context: AppContext, address: string): Promise<Screen> {
  const { path, search } = readAddress(address);
  const found = pageAt(path);
  const site = await siteOf(context.api);
  const page = found && (await pageOf(routes, found.name));
  const input = { context, site, params: found?.params ?? {}, search, address, lastOrg: undefined };
  const org = await orgOf(path, page, input);
  return { name: found?.name, org, site, content: { kind: 'waiting' } };
}

async function pageOf({ pages, later }: Routes, asked: PageName): Promise<Page | undefined> {
  const isAsked = ({ name }: Page) => name === asked;
  return pages.find(isAsked) ?? (await later()).find(isAsked);
}

/** Whether a screen shows the page itself, and not that it could not be loaded: as a refresh of it may wish. */
export function showsPage(screen: object): boolean {
  return 'content' in screen && (screen as Screen).content.kind === 'page';
}

/** The organisation around a page: the one that its address names, or the one beside it. */
function orgOf(path: string, page: Page | undefined, input: LoadInput): Promise<Org | undefined> | undefined {
  const orgid = orgIdAt(path);
  return orgid === undefined ? page?.orgBeside?.(input) : input.context.api.call('readOrg', { params: { orgid } });
}

const lastOrgs = new WeakMap<ApiClient, Org>();

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
