import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { splitLanguage } from '#contract/languages.ts';
import { isRenderedPage, pageAt } from '#contract/pages.ts';
import { matchPath } from '#contract/path-pattern.ts';

/** Cacheable responses: immutable files, and pictures, public pages, and API reads, which may change or disappear. */
export type Kept = 'file' | 'picture' | 'page' | 'read';

export type WorkerRequest = {
  readonly method: string;
  readonly url: string;
  /** 'navigate' for a document. */
  readonly mode: string;
  readonly isSignedIn: boolean;
};

/** The public reads. Personal data is never cached on the device. */
const CACHED_CALLS: readonly CallName[] = [
  'readSite',
  'readCardFee',
  'readOrgs',
  'readOrg',
  'readCells',
  'readCell',
  'readOffsetters',
  'readOffsetter',
  'readOffsetterNeighbors',
  'readAwardees',
  'readAwardee',
  'readAwardeeNeighbors',
  'readInstallers',
  'readInstaller',
  'readInstallerNeighbors',
];

const FILES = /^\/(?:assets|img|fonts)\//;

/** Nothing if the request should not be cached. @param origin the site's own */
export function cacheKind({ method, url, mode, isSignedIn }: WorkerRequest, origin: string): Kept | undefined {
  const { origin: asked, pathname, search } = new URL(url);
  if (method !== 'GET' || asked !== origin) return undefined;
  if (FILES.test(pathname)) return 'file';
  // With a pass it is of a story that is not shown.
  if (pathname.startsWith('/media/')) return search === '' ? 'picture' : undefined;
  if (mode === 'navigate') return isPublicPage(pathname) ? 'page' : undefined;
  const isRead = pathname.startsWith(`${API_BASE}/`) && !isSignedIn && isPublicRead(pathname.slice(API_BASE.length));
  return isRead ? 'read' : undefined;
}

/** The cache key. A page's search, such as a cancelled checkout, does not make it another page. */
export function cacheKey(kind: Kept, url: string): string {
  const { origin, pathname, search } = new URL(url);
  return kind === 'page' ? origin + pathname.replace(/(.)\/$/, '$1') : origin + pathname + search;
}

function isPublicPage(path: string): boolean {
  const page = pageAt(splitLanguage(path).rest);
  return page !== undefined && isRenderedPage(page.name);
}

function isPublicRead(path: string): boolean {
  return CACHED_CALLS.some((name) => matchPath(CALLS[name].path, path) !== undefined);
}
