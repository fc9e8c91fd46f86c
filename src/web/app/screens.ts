import type { ReactElement } from 'react';
import { findOrgId, findPage, type PageName } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import { parseAddress } from '#web/navigation/address.ts';
import { Redirect } from '#web/navigation/navigator.ts';
import type { AppContext } from '#web/session/app-context.ts';
import { type LoadInput, type PageRoute, ReplacementPage } from '#web/site/page.ts';

export type Screen = {
  readonly name: PageName | undefined;
  readonly org: Org | undefined;
  readonly site: Site | undefined;
  readonly content:
    | { readonly kind: 'page'; readonly module: string; readonly data: object; readonly element: () => ReactElement }
    | { readonly kind: 'missing' }
    /** The document came without the page's data, which the browser still has to load. */
    | { readonly kind: 'waiting' }
    | { readonly kind: 'error'; readonly error: unknown };
};

/** The data from which the server rendered the document; embedded in the document. */
export type EmbeddedScreen = {
  readonly name: PageName | undefined;
  readonly org: Org | undefined;
  readonly site: Site | undefined;
  /** Undefined if the page doesn't exist, or if the browser has to load its data. */
  readonly data: object | undefined;
  /** True for a personal page: the server renders only its frame. */
  readonly isWaiting: boolean;
};

/** Finds the address to redirect to; undefined if the page doesn't exist. */
type ResolveRedirect = (context: AppContext, params: Record<string, string>) => Promise<string | undefined>;

export type Routes = {
  readonly pages: readonly PageRoute[];
  readonly loadSignedInPages: () => Promise<readonly PageRoute[]>;
  readonly redirects: Partial<Record<PageName, ResolveRedirect>>;
};

/**
 * Loads the screen of an address. It never throws: an error is a screen too.
 * @param embedded data from the document, which is not requested again
 */
export async function loadScreen(
  routes: Routes,
  context: AppContext,
  address: string,
  embedded?: EmbeddedScreen,
): Promise<Screen | Redirect> {
  const { path, search } = parseAddress(address);
  const match = findPage(path);
  const frame: { org?: Org; site?: Site } = {};
  const makeScreen = (content: Screen['content'], name?: PageName): Screen => ({
    name,
    org: frame.org,
    site: frame.site,
    content,
  });
  try {
    const site = embedded?.site ?? (await loadSite(context.api));
    frame.site = site;
    const resolveRedirect = match && routes.redirects[match.name];
    if (resolveRedirect) {
      const to = await resolveRedirect(context, match.params);
      return to === undefined ? makeScreen({ kind: 'missing' }) : new Redirect(to);
    }
    if (embedded?.org) frame.org = embedded.org;
    // Only a loaded page has a name.
    if (embedded?.isWaiting) return makeScreen({ kind: 'waiting' });
    if (embedded && !embedded.data) return makeScreen({ kind: 'missing' });
    const page = match && (await loadPageRoute(routes, match.name));
    const lastOrg = lastOrgs.get(context.api);
    const input = { context, site, params: match?.params ?? {}, search, address, lastOrg };
    const dataPromise = Promise.resolve(embedded?.data ?? page?.load(input));
    // Handled below: a page that fails to load still needs its organization's frame, which loads in parallel.
    dataPromise.catch(() => {});
    const org = embedded?.org ?? (await loadOrg(path, page, input));
    if (org) {
      frame.org = org;
      lastOrgs.set(context.api, org);
    }
    const data = await dataPromise;
    if (data instanceof Redirect) return data;
    if (!page || !data) return makeScreen({ kind: 'missing' });
    const element = data instanceof ReplacementPage ? data.element : await page.element({ org, site }, data, search);
    return makeScreen({ kind: 'page', module: page.module ?? page.name, data, element }, page.name);
  } catch (error) {
    const isMissing = error instanceof ApiProblem && error.status === 404;
    return makeScreen(isMissing ? { kind: 'missing' } : { kind: 'error', error });
  }
}

export function errorScreen(error: unknown): Screen {
  return { name: undefined, org: undefined, site: undefined, content: { kind: 'error', error } };
}

/** Loads the empty frame of a personal page, which the browser fills. @throws the error of a failed call */
export async function loadWaitingScreen(routes: Routes, context: AppContext, address: string): Promise<Screen> {
  const { path, search } = parseAddress(address);
  const match = findPage(path);
  const site = await loadSite(context.api);
  const page = match && (await loadPageRoute(routes, match.name));
  const input = { context, site, params: match?.params ?? {}, search, address, lastOrg: undefined };
  const org = await loadOrg(path, page, input);
  return { name: match?.name, org, site, content: { kind: 'waiting' } };
}

async function loadPageRoute({ pages, loadSignedInPages }: Routes, pageName: PageName): Promise<PageRoute | undefined> {
  const hasName = ({ name }: PageRoute) => name === pageName;
  return pages.find(hasName) ?? (await loadSignedInPages()).find(hasName);
}

/** The organization in the page's address, or the one that the page chooses. */
function loadOrg(path: string, page: PageRoute | undefined, input: LoadInput): Promise<Org | undefined> | undefined {
  const orgId = findOrgId(path);
  return orgId === undefined
    ? page?.chooseOrg?.(input)
    : input.context.api.call('readOrg', { params: { orgid: orgId } });
}

const lastOrgs = new WeakMap<ApiClient, Org>();

const sites = new WeakMap<ApiClient, Promise<Site>>();

/** Reads the site's settings once. After a failure, the next call tries again. */
function loadSite(api: ApiClient): Promise<Site> {
  const cached = sites.get(api);
  if (cached) return cached;
  const site = api.call('readSite', {});
  sites.set(api, site);
  site.catch(() => sites.delete(api));
  return site;
}

type Load = (address: string, embedded?: EmbeddedScreen) => Promise<Screen | Redirect>;
type Frame = Pick<Screen, 'org' | 'site'>;

/**
 * Keeps the last frame around a page that fails to load, for example when offline. The page's organization can't be
 * loaded either, but the visitor still needs the menu.
 */
export function withLastFrame(load: Load): Load {
  let lastFrame: Frame = { org: undefined, site: undefined };
  return async (address, embedded) => {
    const screen = await load(address, embedded);
    if (screen instanceof Redirect) return screen;
    if (screen.content.kind === 'error') return { ...screen, ...chooseFrame(screen, address, lastFrame) };
    lastFrame = { org: screen.org ?? lastFrame.org, site: screen.site ?? lastFrame.site };
    return screen;
  };
}

/** The screen's frame, or the last frame unless it belongs to another organization. */
function chooseFrame(screen: Frame, address: string, lastFrame: Frame): Frame {
  const orgId = findOrgId(parseAddress(address).path);
  const lastOrg = orgId === undefined || orgId === lastFrame.org?.id ? lastFrame.org : undefined;
  return { org: screen.org ?? lastOrg, site: screen.site ?? lastFrame.site };
}
