import type { ReactElement } from 'react';
import { findOrgId, findPage, type PageName } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { ApiProblem, withOfflineError } from '#web/api/api-error.ts';
import { parseAddress } from '#web/navigation/address.ts';
import { Redirect } from '#web/navigation/navigator.ts';
import type { AppContext } from '#web/session/app-context.ts';
import { type LoadInput, type PageRoute, ReplacementPage } from '#web/site/page.ts';

export type Screen = {
  readonly name: PageName | undefined;
  readonly org: Org | undefined;
  readonly site: Site | undefined;
  /** The person for whom a page with a permission was loaded. */
  readonly uid?: string | undefined;
  readonly content:
    | { readonly kind: 'page'; readonly module: string; readonly data: object; readonly element: () => ReactElement }
    | { readonly kind: 'missing' }
    /** The document came without the page's data, which the browser still has to load. */
    | { readonly kind: 'waiting' }
    | { readonly kind: 'error'; readonly error: unknown };
};

/** Data that the server used to render the document, embedded in the document. */
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

type Frame = { org: Org | undefined; site: Site | undefined };

/**
 * Creates a function that loads the screen for an address. The function never throws: errors are screens, too, and keep
 * the last frame, because a visitor who is offline still needs the menu.
 */
export function createScreenLoader(routes: Routes, context: AppContext) {
  /** The last organization and site shown or loaded. */
  const lastFrame: Frame = { org: undefined, site: undefined };
  let sitePromise: Promise<Site> | undefined;
  /** Reads the site's settings once. After a failure, the next call tries again. */
  const loadSite = () => {
    sitePromise ??= context.api.call('readSite', {}).catch((error: unknown) => {
      sitePromise = undefined;
      throw error;
    });
    return sitePromise;
  };
  /** @param embedded data from the document, which is not requested again */
  return async (address: string, embedded?: EmbeddedScreen): Promise<Screen | Redirect> => {
    const { path, search } = parseAddress(address);
    const match = findPage(path);
    const frame: Frame = { org: embedded?.org, site: embedded?.site };
    const makeScreen = (content: Screen['content'], name?: PageName): Screen => ({ name, ...frame, content });
    try {
      if (embedded?.site) sitePromise = Promise.resolve(embedded.site);
      const site = await loadSite();
      frame.site = site;
      lastFrame.site = site;
      const resolveRedirect = match && routes.redirects[match.name];
      if (resolveRedirect) {
        const to = await resolveRedirect(context, match.params);
        return to === undefined ? makeScreen({ kind: 'missing' }) : new Redirect(to);
      }
      lastFrame.org = frame.org ?? lastFrame.org;
      // Screens have a name only once their page is loaded.
      if (embedded?.isWaiting) return makeScreen({ kind: 'waiting' });
      if (embedded && !embedded.data) return makeScreen({ kind: 'missing' });
      const page = match && (await loadPageRoute(routes, match.name));
      const input = { context, site, params: match?.params ?? {}, search, address, lastOrg: lastFrame.org };
      const dataPromise = Promise.resolve(embedded?.data ?? page?.load(input));
      // The rejection is handled below: a page that fails to load still needs its organization's frame, which loads in
      // parallel.
      dataPromise.catch(() => {});
      frame.org ??= await loadOrg(path, page, input);
      lastFrame.org = frame.org ?? lastFrame.org;
      const data = await dataPromise;
      if (data instanceof Redirect) return data;
      if (!page || !data) return makeScreen({ kind: 'missing' });
      const element =
        data instanceof ReplacementPage ? data.element : await page.element({ org: frame.org, site }, data, search);
      const isPersonal = page.guard !== undefined && page.guard !== 'signed-out';
      return {
        ...makeScreen({ kind: 'page', module: page.module ?? page.name, data, element }, page.name),
        uid: isPersonal ? context.session.now().uid : undefined,
      };
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return makeScreen({ kind: 'missing' });
      frame.org ??= findFrameOrg(path, lastFrame);
      frame.site ??= lastFrame.site;
      return makeScreen({ kind: 'error', error });
    }
  };
}

/** The last organization, unless the page belongs to another one. */
function findFrameOrg(path: string, { org }: Frame): Org | undefined {
  const orgId = findOrgId(path);
  return orgId === undefined || orgId === org?.id ? org : undefined;
}

export function errorScreen(error: unknown): Screen {
  return { name: undefined, org: undefined, site: undefined, content: { kind: 'error', error } };
}

/** Loads the empty frame of a personal page, which the browser fills. @throws the error of a failed call */
export async function loadWaitingScreen(routes: Routes, context: AppContext, address: string): Promise<Screen> {
  const { path, search } = parseAddress(address);
  const match = findPage(path);
  const site = await context.api.call('readSite', {});
  const page = match && (await loadPageRoute(routes, match.name));
  const input = { context, site, params: match?.params ?? {}, search, address, lastOrg: undefined };
  const org = await loadOrg(path, page, input);
  return { name: match?.name, org, site, content: { kind: 'waiting' } };
}

async function loadPageRoute({ pages, loadSignedInPages }: Routes, pageName: PageName): Promise<PageRoute | undefined> {
  const hasName = ({ name }: PageRoute) => name === pageName;
  return pages.find(hasName) ?? (await withOfflineError(loadSignedInPages())).find(hasName);
}

/** The organization in the page's address, or the one that the page chooses. */
function loadOrg(path: string, page: PageRoute | undefined, input: LoadInput): Promise<Org | undefined> | undefined {
  const orgId = findOrgId(path);
  return orgId === undefined
    ? page?.chooseOrg?.(input)
    : input.context.api.call('readOrg', { params: { orgid: orgId } });
}
