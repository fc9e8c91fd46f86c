export const WORKER_PATH = '/service-worker.js';

/** The page shown when there is no network. */
export const OFFLINE_DOCUMENT = '/offline';

/** A page's message to the service worker. */
export type WorkerMessage =
  /** The network is back: cached documents may be stale. */
  | { readonly type: 'recheck' }
  /** URLs that the page loaded, including those loaded before the worker was active. */
  | { readonly type: 'cache'; readonly urls: readonly string[] };
