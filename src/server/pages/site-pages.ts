import { DEFAULT_LANGUAGE, localizeAddress, splitLanguage } from '#contract/languages.ts';
import { isRenderedPage, orgIdAt, PAGES, type PageName, pageAt, pagePath } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { HandleCall, RenderPage } from '#contract/rendering.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import type { Language } from '#messages';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { type Address, resolveAddress } from '#server/features/site/address-of.ts';
import { workQueue } from '#server/process/work-queue.ts';
import type { BuiltClient } from './built-client.ts';
import { encode } from './encodings.ts';
import { hashOf, pageCache, type ReadyPage } from './page-cache.ts';
import { pageDocument } from './page-document.ts';

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
      readonly page: ReadyPage;
      /** Browsers must not cache personal pages. */
      readonly isPersonal: boolean;
    };

export type SitePages = {
  /**
   * @param url the requested URL; `search` includes the question mark
   * @param onError called if a page can't be rendered; the browser then renders it
   */
  respond(
    requested: { readonly path: string; readonly search: string },
    onError: (error: unknown) => void,
  ): Promise<PageResponse>;
  /** Drops cached pages after a change. If the id is undefined, any organization may have changed. */
  orgChanged(orgId: OrgId | undefined): void;
};

const PERSONAL_BYTES = 8 * 1024 * 1024;
/**
 * Rendering is synchronous and the query is user input, so it can use at most a tenth of the CPU time. Requests beyond
 * that get the empty document.
 */
const PERSONAL_LIMITS = { maxRunning: 1, maxQueued: 4, timeoutSeconds: 30, pauseFactor: 9 };

export type SitePagesOptions = {
  readonly client: BuiltClient;
  readonly language: Language;
  readonly render: RenderPage | undefined;
  readonly handleCall: HandleCall;
};

/** Combines the pages of all languages, by the language folder in their paths. */
export function pagesInLanguages(pages: ReadonlyMap<Language, SitePages>, first: SitePages): SitePages {
  /** If a language isn't built, its paths are looked up in the default language, where they are unknown. */
  const findPages = (path: string) => {
    const { language, rest } = splitLanguage(path);
    const languagePages = pages.get(language);
    return languagePages
      ? { own: languagePages, language, path: rest }
      : { own: first, language: DEFAULT_LANGUAGE, path };
  };
  return {
    respond: async ({ path: requestedPath, search }, onError) => {
      const { own, language, path } = findPages(requestedPath);
      const response = await own.respond({ path, search }, onError);
      return response.kind === 'redirect' ? { ...response, to: localizeAddress(response.to, language) } : response;
    },
    orgChanged: (orgId) => {
      for (const own of pages.values()) own.orgChanged(orgId);
    },
  };
}

/**
 * Serves every page's document. Public pages are rendered once and cached until their organization changes, for at most 15
 * minutes.
 */
export function sitePages(
  deps: Pick<AppDeps, 'db' | 'now' | 'publicUrl'> & WithSettings<'defaultOrg'>,
  { client, language, render, handleCall }: SitePagesOptions,
): SitePages {
  const cache = pageCache({ now: deps.now });
  const shell = (status: number, isPersonal = false): PageResponse => ({
    kind: 'shell',
    status,
    text: client.shell,
    isPersonal,
  });
  const personalCache = pageCache({ now: deps.now, maxBytes: PERSONAL_BYTES });
  const personalQueue = workQueue(PERSONAL_LIMITS);
  const renderPage = async (path: string, quick = false): Promise<ReadyPage> => {
    if (!render) throw new Error('There is no renderer.');
    const calls = recordFailures(handleCall);
    try {
      const renderedPage = await render({ path, handleCall: calls.handleCall, publicUrl: deps.publicUrl() });
      return await readyPage(renderedPage, { client, language, quick });
    } catch (cause) {
      throw calls.failure() ?? cause;
    }
  };
  const renderPersonalPage = async (path: string): Promise<ReadyPage> => {
    const page = await personalQueue.run(() => renderPage(path, true));
    if (page instanceof Failure) throw page;
    return page;
  };
  return {
    respond: async ({ path: asked, search }, onError) => {
      const path = canonicalPath(asked);
      const cachedPage = cache.peek(path);
      if (cachedPage) return asResponse(cachedPage);
      const address = await resolveAddress(deps, asked).catch((error: unknown) => {
        onError(error);
      });
      if (!address) return shell(503);
      if (address.kind === 'redirect') return address;
      const personalPage = address.kind === 'page' && !isRenderedPage(address.name) ? address.name : undefined;
      if (!render) return shell(address.kind === 'missing' ? 404 : 200, personalPage !== undefined);
      if (personalPage) {
        const target = personalPlaceOf(personalPage, path, search, deps.settings.defaultOrg);
        const makePage = () => renderPersonalPage(target.path);
        const page = await (target.isKept ? personalCache.get(target.path, target.orgId, makePage) : makePage()).catch(
          (error: unknown) => (error instanceof Failure ? undefined : onError(error)),
        );
        // Fall back to rendering in the browser.
        return page ? asResponse(page, true) : shell(200, true);
      }
      const place = placeOf(address, path);
      try {
        return asResponse(await cache.get(place.key, place.orgId, () => renderPage(place.path)));
      } catch (error) {
        if (!(error instanceof FailedCallError)) onError(error);
        return shell(error instanceof FailedCallError ? error.status : 500);
      }
    },
    orgChanged: (orgId) => {
      for (const pages of [cache, personalCache]) {
        if (orgId === undefined) pages.dropAll();
        else pages.dropOrg(orgId);
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
function placeOf(address: Address, path: string): RenderTarget {
  if (address.kind !== 'missing') return { path, key: path, orgId: pageAt(path)?.params.orgid };
  const { orgId } = address;
  const start = orgId === undefined ? '' : pagePath('home-page', { orgid: orgId });
  const unknownPath = `${start}/not/found`;
  return { path: unknownPath, key: unknownPath, orgId };
}

/** Pages with changing or secret content. */
const UNCACHED: readonly PageName[] = ['checkout-page', 'checkout-complete-page', 'gift-page', 'gift-homes-page'];

/** Finds the target for a personal page. It includes only the visible part of the query, so that other queries share it. */
function personalPlaceOf(name: PageName, path: string, search: string, defaultOrg: string) {
  if (UNCACHED.includes(name)) return { path: path + search, orgId: undefined, isKept: false };
  const { return_to, error } = Object.fromEntries(new URLSearchParams(search));
  const visibleQuery = new URLSearchParams({
    ...(return_to ? { return_to } : {}),
    ...(error === 'google' ? { error } : {}),
  });
  const returnPath = URL.parse(safeReturnTo(return_to) ?? '/', 'http://site.invalid')?.pathname ?? '/';
  return {
    path: visibleQuery.size > 0 ? `${path}?${visibleQuery.toString()}` : path,
    orgId: orgIdAt(path) ?? orgIdAt(returnPath) ?? defaultOrg,
    isKept: true,
  };
}

/** Normalizes a page's path, so that each page is cached once. */
function canonicalPath(path: string): string {
  const page = pageAt(path);
  return page ? fillPath<string>(PAGES[page.name], page.params) : path;
}

/** Thrown if one of a page's API calls failed. The call has logged the reason. */
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

async function readyPage(
  rendered: Awaited<ReturnType<RenderPage>>,
  { client, language, quick }: { readonly client: BuiltClient; readonly language: Language; readonly quick: boolean },
): Promise<ReadyPage> {
  const files = client.filesOf(rendered.module);
  if (!files) throw new Error('The build has no manifest.');
  const { status, text, styleHash } = pageDocument(rendered, files, language);
  return { status, bodies: await encode(text, { quick }), etag: hashOf(text), styleHash };
}

function asResponse(page: ReadyPage, isPersonal = false): PageResponse {
  return { kind: 'page', page, isPersonal };
}
