import { API_BASE, CALLS } from '#contract/calls.ts';
import { DEFAULT_LANGUAGE, localizeAddress, splitLanguage } from '#contract/languages.ts';
import { OFFLINE_DOCUMENT, type WorkerMessage } from '#contract/offline.ts';
import { CONCURRENT_RECHECKS } from '#domain/offline.ts';
import { LANGUAGES, type Language } from '#messages';
import { getCacheKey, getCacheKind } from './cache-kind.ts';
import { createResponseCache } from './cached-responses.ts';

declare const self: ServiceWorkerGlobalScope;

const responses = createResponseCache(self.caches, async () => {
  const { quota, usage } = await self.navigator.storage.estimate();
  return quota === undefined ? undefined : quota - (usage ?? 0);
});

/**
 * Fetches and caches a response. Errors aren't cached, and a page that no longer exists, such as a hidden story, is
 * removed from the cache.
 * @param event stays active until the response is stored, so that the browser doesn't stop the worker
 */
async function fetchAndCache(event: ExtendableEvent, request: Request, url: string): Promise<Response> {
  const response = await fetch(request);
  if (response.ok) event.waitUntil(responses.add(url, response.clone()).catch(() => {}));
  else if (response.status === 404) event.waitUntil(responses.remove(url).catch(() => {}));
  return response;
}

/** Responds from the cache if the server can't be reached. */
async function networkFirst(event: FetchEvent, url: string): Promise<Response | undefined> {
  try {
    return await fetchAndCache(event, event.request, url);
  } catch {
    return responses.find(url, true);
  }
}

/** Responds from the cache if there is no network, or with the offline page if the page isn't cached. */
async function respondWithDocument(event: FetchEvent, url: string | undefined): Promise<Response> {
  const { request } = event;
  const response = url === undefined ? await fetch(request).catch(() => undefined) : await networkFirst(event, url);
  if (response) return response;
  const offlinePage = await responses.find(getOfflineDocumentUrl(getLanguage(request.url)), false);
  return offlinePage ?? (await responses.find(getOfflineDocumentUrl(DEFAULT_LANGUAGE), false)) ?? Response.error();
}

function getOfflineDocumentUrl(language: Language): string {
  return absoluteUrl(localizeAddress(OFFLINE_DOCUMENT, language));
}

function getLanguage(url: string): Language {
  return splitLanguage(new URL(url).pathname).language;
}

/** Finds the default language and the languages of open and visited pages. */
async function findLanguagesInUse(): Promise<readonly Language[]> {
  const openLanguages = (await self.clients.matchAll({ includeUncontrolled: true })).map(({ url }) => getLanguage(url));
  const usedLanguages = LANGUAGES.map(async (language) => {
    const isOpen = language === DEFAULT_LANGUAGE || openLanguages.includes(language);
    return isOpen || (await responses.has(getOfflineDocumentUrl(language))) ? [language] : [];
  });
  return (await Promise.all(usedLanguages)).flat();
}

async function cacheOfflineDocuments(event: ExtendableEvent): Promise<void> {
  const languages = await findLanguagesInUse();
  await Promise.all(languages.map((language) => cacheOfflineDocument(event, language)));
}

/** Caches the offline page when a page in a new language is opened. */
async function cacheOfflineDocumentFor(event: FetchEvent): Promise<void> {
  const language = getLanguage(event.request.url);
  if (!(await responses.has(getOfflineDocumentUrl(language))))
    await cacheOfflineDocument(event, language).catch(() => undefined);
}

async function cacheOfflineDocument(event: ExtendableEvent, language: Language): Promise<void> {
  // Bypasses the browser's cache, because the page must match this worker's build.
  const url = getOfflineDocumentUrl(language);
  const response = await fetch(url, { cache: 'reload' });
  if (!response.ok) throw new Error('The offline document is missing.');
  const text = await response.clone().text();
  await responses.add(url, response);
  // The page also needs its stylesheets, its scripts, and the site's settings, which other documents contain.
  const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => absoluteUrl(file));
  await cacheFiles(event, [...files, absoluteUrl(API_BASE + CALLS.readSite.path)]);
}

function absoluteUrl(path: string): string {
  return new URL(path, self.location.origin).href;
}

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([cacheOfflineDocuments(event), self.skipWaiting()]));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([responses.deleteOldCaches(), self.clients.claim()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { method, url, mode, headers } = request;
  const kind = getCacheKind({ method, url, mode, isSignedIn: headers.has('authorization') }, self.location.origin);
  const key = kind && getCacheKey(kind, url);
  if (mode === 'navigate' && method === 'GET') {
    event.respondWith(respondWithDocument(event, key));
    event.waitUntil(cacheOfflineDocumentFor(event));
  } else if (kind === 'file' && key) {
    event.respondWith(responses.find(key, false).then((response) => response ?? fetchAndCache(event, request, key)));
  } else if ((kind === 'read' || kind === 'picture') && key) {
    event.respondWith(networkFirst(event, key).then((response) => response ?? Response.error()));
  }
});

/** Refreshes pages that were served offline, once the network is back. */
async function refreshStalePages(event: ExtendableEvent): Promise<void> {
  const urls = await responses.listStaleUrls(CONCURRENT_RECHECKS);
  await Promise.all(urls.map((url) => fetchAndCache(event, new Request(url), url).catch(() => undefined)));
}

/** Caches files that a page loaded before this worker was running, mostly from the browser's cache. */
async function cacheFiles(event: ExtendableEvent, urls: readonly string[]): Promise<void> {
  const fetches = urls.map(async (url) => {
    const mode = FILE_PATH.test(new URL(url).pathname) || url.includes('/api/') ? 'cors' : 'navigate';
    const kind = getCacheKind({ method: 'GET', url, mode, isSignedIn: false }, self.location.origin);
    const key = kind && getCacheKey(kind, url);
    if (key && !(await responses.has(key))) await fetchAndCache(event, new Request(url), key).catch(() => undefined);
  });
  await Promise.all(fetches);
}

const FILE_PATH = /\.\w+$/;

self.addEventListener('message', (event) => {
  const message: WorkerMessage = event.data;
  if (message.type === 'recheck') event.waitUntil(refreshStalePages(event));
  if (message.type === 'cache') event.waitUntil(cacheFiles(event, message.urls));
});
