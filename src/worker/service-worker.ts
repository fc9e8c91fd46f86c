import { FIRST_LANGUAGE, inLanguage, splitLanguage } from '#contract/languages.ts';
import { OFFLINE_DOCUMENT, type WorkerMessage } from '#contract/offline.ts';
import { CONCURRENT_RECHECKS } from '#domain/offline.ts';
import { LANGUAGES, type Language } from '#messages';
import { cacheKey, cacheKind } from './cache-kind.ts';
import { cachedResponses } from './cached-responses.ts';

declare const self: ServiceWorkerGlobalScope;

const responses = cachedResponses(self.caches, async () => {
  const { quota, usage } = await self.navigator.storage.estimate();
  return quota === undefined ? undefined : quota - (usage ?? 0);
});

/** Errors are not cached. A page that the server no longer has, such as a hidden story, is removed here too. */
async function fetchAndCache(request: Request, url: string): Promise<Response> {
  const response = await fetch(request);
  if (response.ok) void responses.add(url, response.clone()).catch(() => {});
  else if (response.status === 404) void responses.remove(url).catch(() => {});
  return response;
}

/** From the server, or from the cache if it can't be reached. */
async function newest(request: Request, url: string): Promise<Response | undefined> {
  try {
    return await fetchAndCache(request, url);
  } catch {
    return responses.find(url, true);
  }
}

/** Offline, a page that was never visited gets the bare document, whose program says that the client is offline. */
async function document(request: Request, url: string | undefined): Promise<Response> {
  const found = url === undefined ? await fetch(request).catch(() => undefined) : await newest(request, url);
  if (found) return found;
  const own = await responses.find(offlineDocumentIn(languageAt(request.url)), false);
  return own ?? (await responses.find(offlineDocumentIn(FIRST_LANGUAGE), false)) ?? Response.error();
}

function offlineDocumentIn(language: Language): string {
  return absolute(inLanguage(OFFLINE_DOCUMENT, language));
}

function languageAt(url: string): Language {
  return splitLanguage(new URL(url).pathname).language;
}

/** The first one, and those of pages that are open or were seen. */
async function languagesInUse(): Promise<readonly Language[]> {
  const open = (await self.clients.matchAll({ includeUncontrolled: true })).map(({ url }) => languageAt(url));
  const inUse = LANGUAGES.map(async (language) => {
    const isOpen = language === FIRST_LANGUAGE || open.includes(language);
    return isOpen || (await responses.has(offlineDocumentIn(language))) ? [language] : [];
  });
  return (await Promise.all(inUse)).flat();
}

async function cacheOfflineDocuments(): Promise<void> {
  await Promise.all((await languagesInUse()).map(cacheOfflineDocument));
}

/** For pages in a language that is new to this browser. */
async function cacheOfflineDocumentOf(url: string): Promise<void> {
  const language = languageAt(url);
  if (!(await responses.has(offlineDocumentIn(language)))) await cacheOfflineDocument(language).catch(() => undefined);
}

async function cacheOfflineDocument(language: Language): Promise<void> {
  // Not from the browser's cache: it must match this worker's build.
  const url = offlineDocumentIn(language);
  const response = await fetch(url, { cache: 'reload' });
  if (!response.ok) throw new Error('The offline document is missing.');
  const text = await response.clone().text();
  await responses.add(url, response);
  // It needs its stylesheets and scripts, too.
  const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => absolute(file));
  await cacheSeen(files);
}

function absolute(path: string): string {
  return new URL(path, self.location.origin).href;
}

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([cacheOfflineDocuments(), self.skipWaiting()]));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([responses.dropOlder(), self.clients.claim()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { method, url, mode, headers } = request;
  const kind = cacheKind({ method, url, mode, isSignedIn: headers.has('authorization') }, self.location.origin);
  const under = kind && cacheKey(kind, url);
  if (mode === 'navigate' && method === 'GET') {
    event.respondWith(document(request, under));
    event.waitUntil(cacheOfflineDocumentOf(url));
  } else if (kind === 'file' && under) {
    event.respondWith(responses.find(under, false).then((found) => found ?? fetchAndCache(request, under)));
  } else if ((kind === 'read' || kind === 'picture') && under) {
    event.respondWith(newest(request, under).then((found) => found ?? Response.error()));
  }
});

/** Refreshes pages that were served offline, once the network is back. */
async function recheck(): Promise<void> {
  const stale = await responses.stale(CONCURRENT_RECHECKS);
  await Promise.all(stale.map((url) => fetchAndCache(new Request(url), url).catch(() => undefined)));
}

/** Caches files that a page loaded before this worker was running, mostly from the browser's cache. */
async function cacheSeen(urls: readonly string[]): Promise<void> {
  const asked = urls.map(async (url) => {
    const mode = FILE.test(new URL(url).pathname) || url.includes('/api/') ? 'cors' : 'navigate';
    const kind = cacheKind({ method: 'GET', url, mode, isSignedIn: false }, self.location.origin);
    const under = kind && cacheKey(kind, url);
    if (under && !(await responses.has(under))) await fetchAndCache(new Request(url), under).catch(() => undefined);
  });
  await Promise.all(asked);
}

const FILE = /\.\w+$/;

self.addEventListener('message', (event) => {
  const message: WorkerMessage = event.data;
  if (message.say === 'recheck') event.waitUntil(recheck());
  if (message.say === 'keep') event.waitUntil(cacheSeen(message.urls));
});
