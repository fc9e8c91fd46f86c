import { DEFAULT_LANGUAGE, localizeAddress, splitLanguage } from '#contract/languages.ts';
import { findOrgId, findPage, isRenderedPage, PAGES, type PageName, pagePath } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { HandleCall, RenderPage } from '#contract/rendering.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import type { Language } from '#messages';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { type ResolvedAddress, resolveAddress } from '#server/features/site/resolve-address.ts';
import type { Log } from '#server/log.ts';
import { createWorkQueue } from '#server/process/work-queue.ts';
import type { BuiltClient } from './built-client.ts';
import { encode } from './encodings.ts';
import { type EncodedPage, hashContent, type PageCache } from './page-cache.ts';
import { createPageDocument } from './page-document.ts';

export type PageResponse =
  | { readonly kind: 'redirect'; readonly to: string }
  | {
      /** The empty document, which the browser renders. */
      readonly kind: 'shell';
      readonly status: number;
      readonly text: string;
      /** True for personal pages, whose URL may be secret. */
      readonly isPersonal: boolean;
    }
  | {
      readonly kind: 'page';
      readonly page: EncodedPage;
      /** Browsers must not cache personal pages. */
      readonly isPersonal: boolean;
    };

export type SitePages = {
  /**
   * Logs an error if a page can't be rendered; the browser then renders it.
   * @param url the requested URL; `search` includes the question mark
   */
  respond(url: { readonly path: string; readonly search: string }, log: Log): Promise<PageResponse>;
};

/**
 * Rendering is synchronous and the query is user input, so rendering can use at most a tenth of the CPU time. Requests
 * beyond that get the empty document.
 */
const PERSONAL_LIMITS = { maxRunning: 1, maxQueued: 4, timeoutSeconds: 30, pauseFactor: 9 };

export type SitePagesOptions = {
  readonly client: BuiltClient;
  readonly language: Language;
  readonly render: RenderPage | undefined;
  readonly handleCall: HandleCall;
  readonly cache: PageCache;
  /** Cache of personal pages. */
  readonly personalCache: PageCache;
};

/** Combines the pages of all languages, by the language folder in their paths. */
export function combineLanguages(pages: ReadonlyMap<Language, SitePages>, defaultPages: SitePages): SitePages {
  /** Finds a path's pages. If its language isn't built, the default language's pages treat the path as unknown. */
  const findPages = (path: string) => {
    const { language, rest } = splitLanguage(path);
    const languagePages = pages.get(language);
    return languagePages
      ? { selectedPages: languagePages, language, path: rest }
      : { selectedPages: defaultPages, language: DEFAULT_LANGUAGE, path };
  };
  return {
    respond: async ({ path: requestedPath, search }, log) => {
      const { selectedPages, language, path } = findPages(requestedPath);
      const response = await selectedPages.respond({ path, search }, log);
      return response.kind === 'redirect' ? { ...response, to: localizeAddress(response.to, language) } : response;
    },
  };
}

/**
 * Serves every page's document. Public pages are rendered once and cached until their organization changes, for at most 15
 * minutes. While the database is unavailable, outdated pages are sent, and `/` and slugs redirect as before.
 */
export function createSitePages(
  deps: Pick<AppDeps, 'db' | 'now' | 'publicUrl'> & WithSettings<'defaultOrg'>,
  { client, language, render, handleCall, cache, personalCache }: SitePagesOptions,
): SitePages {
  const shell = (status: number, isPersonal = false): PageResponse => ({
    kind: 'shell',
    status,
    text: client.shell,
    isPersonal,
  });
  const personalQueue = createWorkQueue(PERSONAL_LIMITS);
  /** Latest redirects of `/` and of slugs. At most one entry for each slug that an organization has ever had. */
  const knownRedirects = new Map<string, PageResponse>();
  const renderPage = async (path: string, quick = false): Promise<EncodedPage> => {
    if (!render) throw new Error('There is no renderer.');
    const calls = recordFailures(handleCall);
    try {
      const renderedPage = await render({ path, handleCall: calls.handleCall, publicUrl: deps.publicUrl() });
      return await encodePage(renderedPage, { client, language, quick });
    } catch (cause) {
      throw calls.failure() ?? cause;
    }
  };
  const renderPersonalPage = async (path: string): Promise<EncodedPage> => {
    const page = await personalQueue.run(() => renderPage(path, true));
    if (page instanceof Failure) throw page;
    return page;
  };
  const findOutdated = (path: string): PageResponse | undefined => {
    const page = cache.peekOutdated(path);
    return page ? toPageResponse(page) : knownRedirects.get(path);
  };
  return {
    respond: async ({ path: requestedPath, search }, log) => {
      const logError = (err: unknown) => log.error({ err }, 'failed to render a page');
      const path = normalizePath(requestedPath);
      const cachedPage = cache.peek(path);
      if (cachedPage) return toPageResponse(cachedPage);
      const address = await resolveAddress(deps, requestedPath).catch(logError);
      if (!address) return findOutdated(path) ?? shell(503);
      if (address.kind === 'redirect') {
        if (findOrgId(path) === undefined) knownRedirects.set(path, address);
        return address;
      }
      const personalPage = address.kind === 'page' && !isRenderedPage(address.name) ? address.name : undefined;
      if (!render) return shell(address.kind === 'missing' ? 404 : 200, personalPage !== undefined);
      if (personalPage) {
        const target = findPersonalTarget(personalPage, path, search, deps.settings.defaultOrg);
        const makePage = () => renderPersonalPage(target.path);
        const page = await (target.isCached
          ? personalCache.get(target.path, target.orgId, makePage)
          : makePage()
        ).catch((error: unknown) => (error instanceof Failure ? undefined : logError(error)));
        // Fall back to rendering in the browser.
        return page ? toPageResponse(page, true) : shell(200, true);
      }
      const publicTarget = findPublicTarget(address, path);
      try {
        return toPageResponse(
          await cache.get(publicTarget.key, publicTarget.orgId, () => renderPage(publicTarget.path)),
        );
      } catch (error) {
        if (!(error instanceof FailedCallError)) logError(error);
        const status = error instanceof FailedCallError ? error.status : 500;
        return (status === 503 ? findOutdated(publicTarget.key) : undefined) ?? shell(status);
      }
    },
  };
}

/** A page to render, its cache key, and the organization whose changes invalidate it. */
type RenderTarget = { readonly path: string; readonly key: string; readonly orgId: OrgId | undefined };

/**
 * Finds the target for a public page. All unknown paths of an organization share one page, as do all other unknown paths.
 * Otherwise made-up paths could fill the cache.
 */
function findPublicTarget(address: ResolvedAddress, path: string): RenderTarget {
  if (address.kind !== 'missing') return { path, key: path, orgId: findPage(path)?.params.orgid };
  const { orgId } = address;
  const start = orgId === undefined ? '' : pagePath('home-page', { orgid: orgId });
  const unknownPath = `${start}/not/found`;
  return { path: unknownPath, key: unknownPath, orgId };
}

/** Personal pages that the server doesn't cache, because their content changes or is secret. */
const CHANGING_OR_SECRET_PAGES: readonly PageName[] = [
  'checkout-page',
  'checkout-complete-page',
  'recurring-gift-page',
  'gift-homes-page',
];

/**
 * Finds the target for a personal page. The target includes only the visible part of the query, so that other queries
 * share a page.
 */
function findPersonalTarget(name: PageName, path: string, search: string, defaultOrg: string) {
  if (CHANGING_OR_SECRET_PAGES.includes(name)) return { path: path + search, orgId: undefined, isCached: false };
  const { return_to, error } = Object.fromEntries(new URLSearchParams(search));
  const visibleQuery = new URLSearchParams({
    ...(return_to ? { return_to } : {}),
    ...(error === 'google' ? { error } : {}),
  });
  const returnPath = URL.parse(safeReturnTo(return_to) ?? '/', 'http://site.invalid')?.pathname ?? '/';
  return {
    path: visibleQuery.size > 0 ? `${path}?${visibleQuery.toString()}` : path,
    orgId: findOrgId(path) ?? findOrgId(returnPath) ?? defaultOrg,
    isCached: true,
  };
}

/** Normalizes a page's path, so that each page is cached once. */
function normalizePath(path: string): string {
  const page = findPage(path);
  return page ? fillPath<string>(PAGES[page.name], page.params) : path;
}

/** Thrown if one of a page's API calls failed. The reason is already logged. */
class FailedCallError extends Error {
  /** 500, or 503 if the failure is temporary. */
  readonly status: number;
  constructor(status: number) {
    super("One of the page's API calls failed.");
    this.status = status;
  }
}

/** Records whether a call failed with a server error. */
function recordFailures(call: HandleCall): { handleCall: HandleCall; failure(): FailedCallError | undefined } {
  let failure: FailedCallError | undefined;
  const handleCall: HandleCall = async (request) => {
    const response = await call(request);
    if (response.status >= 500) failure ??= new FailedCallError(response.status);
    return response;
  };
  return { handleCall, failure: () => failure };
}

async function encodePage(
  renderedPage: Awaited<ReturnType<RenderPage>>,
  { client, language, quick }: { readonly client: BuiltClient; readonly language: Language; readonly quick: boolean },
): Promise<EncodedPage> {
  const files = client.findFiles(renderedPage.module);
  if (!files) throw new Error('The build has no manifest.');
  const { status, text, styleHash } = createPageDocument(renderedPage, files, language);
  return { status, bodies: await encode(text, { quick }), etag: hashContent(text), styleHash };
}

function toPageResponse(page: EncodedPage, isPersonal = false): PageResponse {
  return { kind: 'page', page, isPersonal };
}
