// @spec 9.offline-cache decisions.6
import { afterAll, expect, test, vi } from 'vitest';

const ORIGIN = 'https://fund.example';
const FILE = `${ORIGIN}/assets/main.js`;

const handlers = new Map<string, (event: object) => void>();
/** Resolves once the test lets the cache store a response. */
let storage = Promise.withResolvers<void>();
const put = vi.fn(async (_url: string) => storage.promise);
const cache = { match: async () => undefined, put };
vi.stubGlobal('self', {
  caches: { open: async () => cache },
  navigator: { storage: { estimate: async () => ({}) } },
  location: { origin: ORIGIN },
  addEventListener: (type: string, handler: (event: object) => void) => handlers.set(type, handler),
});
vi.stubGlobal('fetch', async () => new Response('content'));
await import('#worker/service-worker.ts');

afterAll(() => {
  vi.unstubAllGlobals();
});

/** Sends an event to the worker. @returns its response, and a function that waits for the end of its work */
function dispatch(type: string, properties: object) {
  const work: Promise<unknown>[] = [];
  let response: Promise<Response> | undefined;
  handlers.get(type)?.({
    ...properties,
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
    respondWith: (promise: Promise<Response>) => {
      response = promise;
    },
  });
  return {
    response,
    finish: async () => {
      for (const promise of work) await promise;
    },
  };
}

test.each([
  ['a request', 'fetch', { request: new Request(FILE) }, 'content'],
  ['a message', 'message', { data: { type: 'cache', urls: [FILE] } }, undefined],
])('%s keeps the worker running until the response is stored', async (_case, type, properties, responseText) => {
  storage = Promise.withResolvers();
  put.mockClear();
  const { response, finish } = dispatch(type, properties);
  expect(await (await response)?.text()).toBe(responseText);
  await vi.waitFor(() => expect(put.mock.calls).toEqual([[FILE, expect.any(Response)]]));
  const onFinish = vi.fn();
  const end = finish().then(onFinish);
  await new Promise(setImmediate);
  expect(onFinish).not.toHaveBeenCalled();
  storage.resolve();
  await end;
});
