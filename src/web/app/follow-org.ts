import { API_BASE, LIVE_PATH } from '#contract/calls.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { ApiClient } from '#web/api/client.ts';

/** The part of the browser's EventSource that is needed. */
export type EventStream = {
  addEventListener(type: 'version' | 'error', listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
  readonly readyState: number;
};

export type FollowOptions = {
  readonly orgId: string;
  /** The version that is shown already. */
  readonly since: number;
  readonly api: Pick<ApiClient, 'call'>;
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

  const stream = openStream(API_BASE + fillPath(LIVE_PATH, { orgid: orgId }));
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
