import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { splitLanguage } from '#contract/languages.ts';
import { findPage, isRenderedPage } from '#contract/pages.ts';
import { matchPath } from '#contract/path-pattern.ts';

/** Files never change. Pictures, public pages, and API reads may change or disappear. */
export type CacheKind = 'file' | 'picture' | 'page' | 'read';

export type WorkerRequest = {
  readonly method: string;
  readonly url: string;
  /** 'navigate' for a document. */
  readonly mode: string;
  readonly isSignedIn: boolean;
};

/** Public reads. Personal data is never cached on the device. */
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

/**
 * @param origin the site's origin
 * @returns undefined if the response must not be cached
 */
export function getCacheKind({ method, url, mode, isSignedIn }: WorkerRequest, origin: string): CacheKind | undefined {
  const { origin: requestOrigin, pathname, search } = new URL(url);
  if (method !== 'GET' || requestOrigin !== origin) return undefined;
  if (FILES.test(pathname)) return 'file';
  // A picture with a token in its URL belongs to a story that is not public.
  if (pathname.startsWith('/media/')) return search === '' ? 'picture' : undefined;
  if (mode === 'navigate') return isPublicPage(pathname) ? 'page' : undefined;
  const isRead = pathname.startsWith(`${API_BASE}/`) && !isSignedIn && isPublicRead(pathname.slice(API_BASE.length));
  return isRead ? 'read' : undefined;
}

/** The cache key. It omits a page's query, such as that of a canceled checkout. */
export function getCacheKey(kind: CacheKind, url: string): string {
  const { origin, pathname, search } = new URL(url);
  return kind === 'page' ? origin + pathname.replace(/(.)\/$/, '$1') : origin + pathname + search;
}

function isPublicPage(path: string): boolean {
  const page = findPage(splitLanguage(path).rest);
  return page !== undefined && isRenderedPage(page.name);
}

function isPublicRead(path: string): boolean {
  return CACHED_CALLS.some((name) => matchPath(CALLS[name].path, path) !== undefined);
}
