import { localizeAddress } from '#contract/languages.ts';
import { WORKER_PATH, type WorkerMessage } from '#contract/offline.ts';
import { LANGUAGE } from '#messages';

/** Registers the service worker that caches visited pages for offline use (decisions §6). */
export async function registerOfflineWorker(): Promise<void> {
  const { serviceWorker } = navigator;
  // Undefined over plain HTTP, or if service workers are disabled.
  if (!serviceWorker) return;
  await serviceWorker.register(WORKER_PATH);
  const { active } = await serviceWorker.ready;
  active?.postMessage({ type: 'cache', urls: loadedUrls() } satisfies WorkerMessage);
  window.addEventListener('online', () => active?.postMessage({ type: 'recheck' } satisfies WorkerMessage));
}

/** Same-origin URLs of this document, its stylesheets, and everything it fetched. */
function loadedUrls(): string[] {
  const fetchedUrls = performance.getEntriesByType('resource').map(({ name }) => name);
  const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ href }) => href);
  const urls = [...fetchedUrls, ...styles].filter((url) => url.startsWith(`${window.location.origin}/`));
  return [window.location.href, ...new Set(urls)];
}

/** @returns whether the document at an address on this site is cached */
export async function hasCachedDocument(address: string): Promise<boolean> {
  if (!('caches' in window)) return false;
  const { origin, pathname } = new URL(localizeAddress(address, LANGUAGE), window.location.origin);
  return (await caches.match(origin + pathname.replace(/(.)\/$/, '$1'))) !== undefined;
}
