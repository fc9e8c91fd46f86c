import { setTimeout as pause } from 'node:timers/promises';

/** What became of the requests of one kind of visitor. */
export type Tally = { requests: number; refused: number; failed: number; readonly times: number[]; slowest: number };

export type Asked = {
  readonly who: string;
  /** The network address of the client, as the proxy would say it. */
  readonly from: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request; an answer that has begun counts. */
  readonly signal?: AbortSignal;
};

export type Ask = (asked: Asked) => Promise<Response>;

const PATIENCE_MS = 60_000;
/** More would be memory that grows here. */
const TIMES_KEPT = 5000;

/** Makes requests and counts what becomes of them. */
export function asking(url: string) {
  const tallies = new Map<string, Tally>();
  const ask: Ask = async ({ who, from, method = 'GET', path, body, form, headers, signal }) => {
    const tally = tallies.get(who) ?? { requests: 0, refused: 0, failed: 0, times: [], slowest: 0 };
    tallies.set(who, tally);
    const start = performance.now();
    const sent = {
      'x-requested-with': 'soak',
      'x-forwarded-for': from,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    };
    try {
      const response = await fetch(new URL(path, url), {
        ...{ method, headers: sent, redirect: 'manual' },
        signal: signal ?? AbortSignal.timeout(PATIENCE_MS),
        ...(form ? { body: form } : body ? { body: JSON.stringify(body) } : {}),
      });
      if (response.status === 429 || response.status === 503) tally.refused += 1;
      else if (response.status >= 500) tally.failed += 1;
      return response;
    } catch (error) {
      if (signal?.aborted !== true) tally.failed += 1;
      throw error;
    } finally {
      const took = performance.now() - start;
      tally.times[tally.requests % TIMES_KEPT] = took;
      tally.requests += 1;
      tally.slowest = Math.max(tally.slowest, took);
    }
  };
  return { ask, tallies };
}

const MOST_UNDER_WAY = 20;

/** Does something so often, but never too much at once. */
export async function pace(perSecond: number, ending: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  while (!ending.aborted) {
    if (underWay.size < MOST_UNDER_WAY) {
      const begun = work().catch(() => undefined);
      underWay.add(begun);
      void begun.finally(() => underWay.delete(begun));
    }
    await pause(1000 / perSecond, undefined, { signal: ending }).catch(() => undefined);
  }
  await Promise.all(underWay);
}

/** Reads an answer to its end, so that its connection can be used again. */
export async function readOff(answer: Response | Promise<Response>): Promise<void> {
  await (await answer).arrayBuffer();
}
