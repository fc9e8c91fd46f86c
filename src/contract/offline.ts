/** Where the program's worker for times without a network is, from the root of the site. */
export const WORKER_PATH = '/service-worker.js';

/** The document that says in the program's words that there is no network. */
export const OFFLINE_DOCUMENT = '/offline';

/** What a page says to the worker. */
export type WorkerMessage =
  /** The network is back: what was shown without it may be older than what the server has. */
  | { readonly say: 'recheck' }
  /** What the page was made of, also what was fetched before the worker was there. */
  | { readonly say: 'keep'; readonly urls: readonly string[] };
