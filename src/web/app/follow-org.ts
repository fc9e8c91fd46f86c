import { API_BASE, LIVE_PATH } from '#contract/calls.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { ApiClient } from '#web/api/client.ts';

/** The part of the browser's EventSource that is needed. */
export type EventStream = {
  addEventListener(type: 'version' | 'error', listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
  readonly readyState: number;
};

type FollowOptions = {
  readonly orgId: string;
  /** The version that is shown already. */
  readonly since: number;
  readonly api: Pick<ApiClient, 'base' | 'call'>;
  readonly openStream: (url: string) => EventStream;
  /** Told each version above those before it. */
  readonly onVersion: (version: number) => void;
};

const CLOSED = 2;
/** A stream that says nothing for so long at its beginning is held back by something on the way. */
const FIRST_WORD_MS = 6000;
const LONG_POLL_SECONDS = 25;
/** After a poll that failed, first this long, then ever longer. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Follows the changes of an organisation: by server-sent events, and by long polls where those are blocked
 * (decisions §6).
 * @returns how to stop
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
  const silent = setTimeout(pollInstead, FIRST_WORD_MS);
  const stopStream = () => {
    clearTimeout(silent);
    stream.close();
  };
  stream.addEventListener('version', ({ data }) => {
    clearTimeout(silent);
    hear(Number(data));
  });
  // The browser comes back by itself after a stream that broke; one that was refused is closed for good.
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
  /** Brings what is shown up to date. */
  readonly refresh: () => Promise<void>;
};

/** Every open page hears of a gift at once; that they do not all ask at once, each waits for its own short while. */
const SPREAD_MS = 500;

/**
 * Keeps an open page up to date while somebody may look at it. Several changes that come while one is fetched are
 * fetched together.
 * @returns how to stop
 */
export function keepUp({ orgId, since, api, refresh }: KeepUpOptions): () => void {
  let shown = since;
  let wanted = since;
  let underWay = false;
  let stopFollowing: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const catchUp = async () => {
    if (underWay) return;
    underWay = true;
    while (shown < wanted && stopFollowing) {
      const version = wanted;
      await refresh().catch(() => {});
      // Also after a failure: the next change, or the next look at the page, tries again.
      shown = version;
    }
    underWay = false;
  };
  const follow = () => {
    stopFollowing ??= followOrg({
      orgId,
      since: shown,
      api,
      openStream: (url) => new EventSource(url),
      onVersion: (version) => {
        wanted = version;
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
  const atSight = () => (document.visibilityState === 'visible' ? follow() : stop());
  const again = () => {
    stop();
    atSight();
  };
  document.addEventListener('visibilitychange', atSight);
  window.addEventListener('online', again);
  atSight();
  return () => {
    document.removeEventListener('visibilitychange', atSight);
    window.removeEventListener('online', again);
    stop();
  };
}
