import type { ReactElement } from 'react';
import { orgIdAt, type PageName, pageAt } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import { readAddress } from '#web/navigation/address.ts';
import { Redirect } from '#web/navigation/navigator.ts';
import type { AppContext } from '#web/session/app-context.ts';
import { type LoadInput, type Page, Replacement } from '#web/site/page.ts';

/** What is shown at an address: a page with its data, that there is none, or that it could not be loaded. */
export type Screen = {
  readonly name: PageName | undefined;
  readonly org: Org | undefined;
  readonly site: Site | undefined;
  readonly content:
    | { readonly kind: 'page'; readonly module: string; readonly data: object; readonly element: () => ReactElement }
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

/** Leads an address on to another one; nothing where it leads nowhere. */
type Lead = (context: AppContext, params: Record<string, string>) => Promise<string | undefined>;

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
    const element = data instanceof Replacement ? data.element : await page.element({ org, site }, data, search);
    return screen({ kind: 'page', module: page.module ?? page.name, data, element }, page.name);
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

type Load = (address: string, sent?: SentScreen) => Promise<Screen | Redirect>;
type Frame = Pick<Screen, 'org' | 'site'>;

/**
 * Leaves the frame of the pages around one that could not be loaded, as without a network: its organisation could not
 * be asked for either, and whoever stands there still needs the menu, and to know whose site it is.
 */
export function keepFrame(load: Load): Load {
  let last: Frame = { org: undefined, site: undefined };
  return async (address, sent) => {
    const screen = await load(address, sent);
    if (screen instanceof Redirect) return screen;
    if (screen.content.kind === 'error') return { ...screen, ...frameAround(screen, address, last) };
    last = { org: screen.org ?? last.org, site: screen.site ?? last.site };
    return screen;
  };
}

/** The frame that a screen has itself, or the last one, unless it is another organisation's. */
function frameAround(screen: Frame, address: string, last: Frame): Frame {
  const orgid = orgIdAt(readAddress(address).path);
  const near = orgid === undefined || orgid === last.org?.id ? last.org : undefined;
  return { org: screen.org ?? near, site: screen.site ?? last.site };
}
