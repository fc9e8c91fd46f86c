import { fillPath } from '#contract/path-pattern.ts';
import { API_BASE, LIVE_PATH } from '#contract/visitor-calls.ts';
import type { ApiClient } from '#web/api/client.ts';
import { pause } from '#web/browser/pause.ts';

/** The parts of EventSource used here. */
export type EventStream = {
  addEventListener(type: 'version' | 'error', listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
  readonly readyState: number;
};

type SubscribeOptions = {
  readonly orgId: string;
  /** The version on screen. */
  readonly since: number;
  readonly api: Pick<ApiClient, 'base' | 'call'>;
  readonly openStream: (url: string) => EventStream;
  /** Called with each newer version. */
  readonly onVersion: (version: number) => void;
};

const CLOSED = 2;
/** If no first message arrives within this time, a proxy is buffering the stream. */
const FIRST_MESSAGE_TIMEOUT_MS = 6000;
const LONG_POLL_SECONDS = 25;
/** Delay after a failed poll. It doubles each time. */
const INITIAL_RETRY_DELAY_MS = 5000;
const MAX_RETRY_DELAY_MS = 60_000;

/**
 * Subscribes to an organization's changes using server-sent events, with long polling as the fallback (decisions §6).
 * @returns a function that unsubscribes
 */
export function subscribeToOrg({ orgId, since, api, openStream, onVersion }: SubscribeOptions): () => void {
  const abortController = new AbortController();
  let latestVersion = since;
  const reportVersion = (version: number) => {
    if (!(version > latestVersion)) return;
    latestVersion = version;
    onVersion(version);
  };

  const stream = openStream(api.base + API_BASE + fillPath(LIVE_PATH, { orgid: orgId }));
  const pollInstead = () => {
    stopStream();
    if (!abortController.signal.aborted) void poll();
  };
  const firstMessageTimer = setTimeout(pollInstead, FIRST_MESSAGE_TIMEOUT_MS);
  const stopStream = () => {
    clearTimeout(firstMessageTimer);
    stream.close();
  };
  stream.addEventListener('version', ({ data }) => {
    clearTimeout(firstMessageTimer);
    reportVersion(Number(data));
  });
  // The browser reconnects a broken stream; a rejected stream stays closed.
  stream.addEventListener('error', () => {
    if (stream.readyState === CLOSED) pollInstead();
  });

  const poll = async () => {
    let retryDelayMs = INITIAL_RETRY_DELAY_MS;
    while (!abortController.signal.aborted) {
      try {
        const query = { since: latestVersion, wait: LONG_POLL_SECONDS };
        const { version } = await api.call('waitForChange', {
          params: { orgid: orgId },
          query,
          signal: abortController.signal,
        });
        reportVersion(version);
        retryDelayMs = INITIAL_RETRY_DELAY_MS;
      } catch {
        await pause(retryDelayMs, abortController.signal);
        retryDelayMs = Math.min(retryDelayMs * 2, MAX_RETRY_DELAY_MS);
      }
    }
  };
  return () => {
    abortController.abort();
    stopStream();
  };
}

type KeepPageCurrentOptions = Pick<SubscribeOptions, 'orgId' | 'since' | 'api'> & {
  /** @returns whether the page was replaced */
  readonly refresh: () => Promise<boolean>;
};

/** A gift updates all open pages at the same time; a random delay spreads out their requests. */
const MAX_JITTER_MS = 500;
/** Delay before a failed refresh is retried once. */
const REFRESH_RETRY_DELAY_MS = 5000;

/**
 * Keeps an open page up to date while it is visible. Changes during a refresh share the next refresh.
 * @returns a function that stops it
 */
export function keepPageCurrent({ orgId, since, api, refresh }: KeepPageCurrentOptions): () => void {
  let shownVersion = since;
  let latestVersion = since;
  let isRefreshing = false;
  let unsubscribe: (() => void) | undefined;
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;

  const tryRefresh = () => refresh().catch(() => false);
  const refreshUntilCurrent = async () => {
    if (isRefreshing) return;
    isRefreshing = true;
    while (shownVersion < latestVersion && unsubscribe) {
      const version = latestVersion;
      if (!(await tryRefresh())) {
        await pause(REFRESH_RETRY_DELAY_MS);
        if (!unsubscribe) break;
        await tryRefresh();
      }
      // Advances even if the retry failed; the next change refreshes the page again.
      shownVersion = version;
    }
    isRefreshing = false;
  };
  const subscribe = () => {
    unsubscribe ??= subscribeToOrg({
      orgId,
      since: shownVersion,
      api,
      openStream: (url) => new EventSource(url),
      onVersion: (version) => {
        latestVersion = version;
        clearTimeout(refreshTimer);
        refreshTimer = setTimeout(() => void refreshUntilCurrent(), Math.random() * MAX_JITTER_MS);
      },
    });
  };
  const stop = () => {
    unsubscribe?.();
    unsubscribe = undefined;
    clearTimeout(refreshTimer);
  };
  const handleVisibilityChange = () => (document.visibilityState === 'visible' ? subscribe() : stop());
  const restart = () => {
    stop();
    handleVisibilityChange();
  };
  document.addEventListener('visibilitychange', handleVisibilityChange);
  window.addEventListener('online', restart);
  handleVisibilityChange();
  return () => {
    document.removeEventListener('visibilitychange', handleVisibilityChange);
    window.removeEventListener('online', restart);
    stop();
  };
}
