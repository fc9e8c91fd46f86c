import { WORKER_PATH, type WorkerMessage } from '#contract/offline.ts';

/** Has what is seen kept for times without a network (decisions §6), where the browser can. */
export async function keepForOffline(): Promise<void> {
  const { serviceWorker } = navigator;
  // Not there over plain http, nor where somebody does not want it.
  if (!serviceWorker) return;
  await serviceWorker.register(WORKER_PATH);
  const { active } = await serviceWorker.ready;
  active?.postMessage({ say: 'keep', urls: seenUrls() } satisfies WorkerMessage);
  window.addEventListener('online', () => active?.postMessage({ say: 'recheck' } satisfies WorkerMessage));
}

/** What this document was made of: itself, what it fetched from the site, and the styles that stand inside it. */
function seenUrls(): string[] {
  const fetched = performance.getEntriesByType('resource').map(({ name }) => name);
  const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ href }) => href);
  const own = [...fetched, ...styles].filter((url) => url.startsWith(`${window.location.origin}/`));
  return [window.location.href, ...new Set(own)];
}

/** Whether the document of an address of this site was kept. */
export async function hasKeptDocument(address: string): Promise<boolean> {
  if (!('caches' in window)) return false;
  const { origin, pathname } = new URL(address, window.location.origin);
  return (await caches.match(origin + pathname.replace(/(.)\/$/, '$1'))) !== undefined;
}
