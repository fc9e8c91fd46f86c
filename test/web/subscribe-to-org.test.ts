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
function startFollowing({ since = 1, base = '' } = {}) {
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
    heard: versions,
    stop,
    settle,
    says: (version: number) => listeners.version?.({ data: String(version) }),
    breaks: async (readyState: number) => {
      stream.readyState = readyState;
      listeners.error?.({});
      await settle();
    },
  };
}

test('each newer version is reported once', () => {
  const { stream, says: sendVersion, heard: receivedVersions } = startFollowing({ since: 3 });
  expect(stream.url).toBe('/api/orgs/ours/live');
  expect(startFollowing({ base: 'https://api.example' }).stream.url).toBe('https://api.example/api/orgs/ours/live');
  for (const version of [3, 4, 4, 2, 7]) sendVersion(version);
  expect(receivedVersions).toEqual([4, 7]);
});

test('a broken stream reconnects, and a rejected one falls back to polling', async () => {
  const { breaks: breakStream, polls, heard, settle } = startFollowing();
  await breakStream(0);
  expect(polls).toHaveLength(0);
  await breakStream(2);
  expect(polls.map(({ since }) => since)).toEqual([1]);
  polls[0]?.respond(5);
  await settle();
  expect(heard).toEqual([5]);
  expect(polls.map(({ since }) => since)).toEqual([1, 5]);
});

test('a buffered stream falls back to polling after a while', async () => {
  const { stream, polls } = startFollowing();
  await vi.advanceTimersByTimeAsync(5999);
  expect(polls).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect([polls.length, stream.readyState]).toEqual([1, 2]);
});

test('a stream that has delivered data isn’t abandoned', async () => {
  const { says, polls } = startFollowing();
  says(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(polls).toHaveLength(0);
});

test('failed polls are retried with growing delays', async () => {
  const { breaks, polls } = startFollowing();
  await breaks(2);
  for (const [index, delay] of [5000, 10_000, 20_000, 40_000, 60_000, 60_000].entries()) {
    polls[index]?.fail();
    await vi.advanceTimersByTimeAsync(delay - 1);
    expect(polls).toHaveLength(index + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(polls).toHaveLength(index + 2);
  }
});

test('after stopping, no versions are received and no requests are sent', async () => {
  const { breaks, polls, heard, stop, stream, says } = startFollowing();
  says(2);
  stop();
  expect(stream.readyState).toBe(2);
  await breaks(2);
  await vi.advanceTimersByTimeAsync(120_000);
  expect([polls.length, heard]).toEqual([0, [2]]);
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
