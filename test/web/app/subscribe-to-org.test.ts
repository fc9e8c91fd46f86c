// @spec decisions.6
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApiClient } from '#web/api/client.ts';
import { type EventStream, keepPageCurrent, subscribeToOrg } from '#web/app/subscribe-to-org.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Subscribes to an organization with an event stream and long polls that the test controls. */
function startSubscription({ since = 1, base = '' } = {}) {
  const listeners: Record<string, (event: { data?: unknown }) => void> = {};
  const stream = {
    url: '',
    readyState: 0,
    addEventListener: (type: string, listener: (event: { data?: unknown }) => void) => {
      listeners[type] = listener;
    },
    close: () => {
      stream.readyState = 2;
    },
  };
  const polls: { since: number; respond: (version: number) => void; fail: () => void }[] = [];
  const call = (_name: string, { query, signal }: { query: { since: number }; signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
      polls.push({
        since: query.since,
        respond: (version) => resolve({ version }),
        fail: () => reject(new Error('no response')),
      });
    });
  const versions: number[] = [];
  const stop = subscribeToOrg({
    orgId: 'ours',
    since,
    api: { base, call: call as unknown as ApiClient['call'] },
    openStream: (url) => {
      stream.url = url;
      return stream satisfies EventStream;
    },
    onVersion: (version) => versions.push(version),
  });
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return {
    stream,
    polls,
    receivedVersions: versions,
    stop,
    settle,
    sendVersion: (version: number) => listeners.version?.({ data: String(version) }),
    breakStream: async (readyState: number) => {
      stream.readyState = readyState;
      listeners.error?.({});
      await settle();
    },
  };
}

test('each newer version is reported once', () => {
  const { stream, sendVersion, receivedVersions } = startSubscription({ since: 3 });
  expect(stream.url).toBe('/api/orgs/ours/live');
  expect(startSubscription({ base: 'https://api.example' }).stream.url).toBe('https://api.example/api/orgs/ours/live');
  for (const version of [3, 4, 4, 2, 7]) sendVersion(version);
  expect(receivedVersions).toEqual([4, 7]);
});

test('a broken stream reconnects, and a rejected one falls back to polling', async () => {
  const { breakStream, polls, receivedVersions, settle } = startSubscription();
  await breakStream(0);
  expect(polls).toHaveLength(0);
  await breakStream(2);
  expect(polls.map(({ since }) => since)).toEqual([1]);
  polls[0]?.respond(5);
  await settle();
  expect(receivedVersions).toEqual([5]);
  expect(polls.map(({ since }) => since)).toEqual([1, 5]);
});

test('a buffered stream falls back to polling after a while', async () => {
  const { stream, polls } = startSubscription();
  await vi.advanceTimersByTimeAsync(5999);
  expect(polls).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect([polls.length, stream.readyState]).toEqual([1, 2]);
});

test('a stream that has delivered data isn’t abandoned', async () => {
  const { sendVersion, polls } = startSubscription();
  sendVersion(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(polls).toHaveLength(0);
});

test('failed polls are retried with increasing delays', async () => {
  const { breakStream, polls } = startSubscription();
  await breakStream(2);
  for (const [index, delay] of [5000, 10_000, 20_000, 40_000, 60_000, 60_000].entries()) {
    polls[index]?.fail();
    await vi.advanceTimersByTimeAsync(delay - 1);
    expect(polls).toHaveLength(index + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(polls).toHaveLength(index + 2);
  }
});

test('after stopping, no versions are received and no requests are sent', async () => {
  const { breakStream, polls, receivedVersions, stop, stream, sendVersion } = startSubscription();
  sendVersion(2);
  stop();
  expect(stream.readyState).toBe(2);
  await breakStream(2);
  await vi.advanceTimersByTimeAsync(120_000);
  expect([polls.length, receivedVersions]).toEqual([0, [2]]);
});

test('a failed refresh is tried again after a pause', async () => {
  const listeners: Record<string, (event: { data: string }) => void> = {};
  const noEvents = { addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('document', { ...noEvents, visibilityState: 'visible' });
  vi.stubGlobal('window', noEvents);
  vi.stubGlobal(
    'EventSource',
    class {
      readyState = 1;
      addEventListener(type: string, listener: (event: { data: string }) => void) {
        listeners[type] = listener;
      }
      close() {}
    },
  );
  const refresh = vi.fn(async () => true).mockResolvedValueOnce(false);
  const call = vi.fn() as unknown as ApiClient['call'];
  const stop = keepPageCurrent({ orgId: 'ours', since: 1, api: { base: '', call }, refresh });
  listeners.version?.({ data: '2' });
  await vi.advanceTimersByTimeAsync(500);
  expect(refresh).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh).toHaveBeenCalledTimes(2);
  stop();
});
