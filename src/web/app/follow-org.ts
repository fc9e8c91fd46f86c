import { API_BASE, LIVE_PATH } from '#contract/calls.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { ApiClient } from '#web/api/client.ts';

/** The parts of EventSource used here. */
export type EventStream = {
  addEventListener(type: 'version' | 'error', listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
  readonly readyState: number;
};

type FollowOptions = {
  readonly orgId: string;
  /** The version on screen. */
  readonly since: number;
  readonly api: Pick<ApiClient, 'base' | 'call'>;
  readonly openStream: (url: string) => EventStream;
  /** Called with each newer version. */
  readonly onVersion: (version: number) => void;
};

const CLOSED = 2;
/** A stream that is silent for this long at first is being held back by a proxy. */
const FIRST_MESSAGE_MS = 6000;
const LONG_POLL_SECONDS = 25;
/** The delay after a failed poll, which doubles each time. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Follows an organization's changes by server-sent events, or by long polls where those are blocked (decisions §6).
 * @returns a function that stops it
 */
export function followOrg({ orgId, since, api, openStream, onVersion }: FollowOptions): () => void {
  const stopping = new AbortController();
  let latest = since;
  const hear = (version: number) => {
    if (!(version > latest)) return;
    latest = version;
    onVersion(version);
  };

  const stream = openStream(api.base + API_BASE + fillPath(LIVE_PATH, { orgid: orgId }));
  const pollInstead = () => {
    stopStream();
    if (!stopping.signal.aborted) void poll();
  };
  const silent = setTimeout(pollInstead, FIRST_MESSAGE_MS);
  const stopStream = () => {
    clearTimeout(silent);
    stream.close();
  };
  stream.addEventListener('version', ({ data }) => {
    clearTimeout(silent);
    hear(Number(data));
  });
  // The browser reconnects a broken stream itself; a refused one stays closed.
  stream.addEventListener('error', () => {
    if (stream.readyState === CLOSED) pollInstead();
  });

  const poll = async () => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      try {
        const query = { since: latest, wait: LONG_POLL_SECONDS };
        const { version } = await api.call('waitForChange', {
          params: { orgid: orgId },
          query,
          signal: stopping.signal,
        });
        hear(version);
        pauseMs = FIRST_PAUSE_MS;
      } catch {
        await pause(pauseMs, stopping.signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  };
  return () => {
    stopping.abort();
    stopStream();
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

type KeepUpOptions = Pick<FollowOptions, 'orgId' | 'since' | 'api'> & {
  readonly refresh: () => Promise<void>;
};

/** All open pages hear of a gift at the same moment; a random delay spreads their requests. */
const SPREAD_MS = 500;

/**
 * Keeps an open page up to date while it is visible. Changes that arrive during a refresh share the next one.
 * @returns a function that stops it
 */
export function keepUp({ orgId, since, api, refresh }: KeepUpOptions): () => void {
  let shown = since;
  let latest = since;
  let refreshing = false;
  let stopFollowing: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const catchUp = async () => {
    if (refreshing) return;
    refreshing = true;
    while (shown < latest && stopFollowing) {
      const version = latest;
      await refresh().catch(() => {});
      // Even after a failure; the next change tries again.
      shown = version;
    }
    refreshing = false;
  };
  const follow = () => {
    stopFollowing ??= followOrg({
      orgId,
      since: shown,
      api,
      openStream: (url) => new EventSource(url),
      onVersion: (version) => {
        latest = version;
        clearTimeout(timer);
        timer = setTimeout(() => void catchUp(), Math.random() * SPREAD_MS);
      },
    });
  };
  const stop = () => {
    stopFollowing?.();
    stopFollowing = undefined;
    clearTimeout(timer);
  };
  const onVisibility = () => (document.visibilityState === 'visible' ? follow() : stop());
  const restart = () => {
    stop();
    onVisibility();
  };
  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('online', restart);
  onVisibility();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('online', restart);
    stop();
  };
}
