// @spec 6.token 7.client 8.client 8.offline 9.token-refresh 9.token-age decisions.6
import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { createApiClient, type TokenSource } from '#web/api/client.ts';
import { retryDuringOutage } from '#web/api/retry-during-outage.ts';
import { type Renewal, retryCall } from '#web/session/session-keeper.ts';

type SentCall = { url: string; init: RequestInit };

/** Creates a client whose calls all get this response, and records its requests. */
function createClient(response: () => Response | Promise<Response>, bearer?: TokenSource) {
  const requests: SentCall[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    requests.push({ url: String(url), init });
    return response();
  };
  const api = createApiClient({ base: 'http://api.test', fetch, ...(bearer ? { bearer } : {}) });
  return { api, requests };
}

/** Creates a token source whose token is replaced by each fresh token in turn. */
function createBearer(token: string, ...freshTokens: readonly (string | undefined)[]) {
  const events: string[] = [];
  const state = { token: token as string | undefined, freshTokens: [...freshTokens] };
  const renewal: Renewal = {
    renew: async (stale) => {
      events.push(`renew ${stale}`);
      state.token = state.freshTokens.shift();
      return state.token;
    },
    confirm: async (byEmail) => {
      events.push(byEmail ? 'confirm by mail' : 'confirm');
      state.token = state.freshTokens.shift();
      return state.token;
    },
    expire: () => void events.push('expire'),
  };
  const bearer: TokenSource = {
    token: () => state.token,
    retry: (failedCall, makeCall) => retryCall(renewal, failedCall, makeCall),
  };
  return { bearer, renewal, state, events };
}

const readBearers = (requests: readonly SentCall[]) =>
  requests.map(({ init }) => new Headers(init.headers).get('authorization'));
const unauthorizedResponse = (code: string) => jsonResponse({ status: 401, code, detail: code }, { status: 401 });

const jsonResponse = (content: unknown, init: ResponseInit = {}) => Response.json(content, init);

test('a read uses its call’s path with cookies, CORS, no cache, and the headers from §7', async () => {
  const { api, requests } = createClient(() => jsonResponse({ id: 'sample' }));
  expect(await api.call('readOrg', { params: { orgid: 'a/b' } })).toEqual({ id: 'sample' });
  expect(requests).toEqual([
    {
      url: 'http://api.test/api/orgs/a%2Fb',
      init: {
        method: 'GET',
        credentials: 'include',
        mode: 'cors',
        cache: 'no-cache',
        headers: { Accept: 'application/json', 'Accept-Language': 'en', 'X-Requested-With': 'XMLHttpRequest' },
      },
    },
  ]);
});

test('a query omits undefined values, and a body is sent as JSON', async () => {
  const { api, requests } = createClient(() => jsonResponse([]));
  await api.call('searchCities', { query: { search: 'St. Louis & more' } });
  await api.list('readOffsetters', { params: { orgid: 'sample' }, query: { max: 3 } });
  await api.call('createCheckout', { params: { orgid: 'sample' }, body: { cart: [] } });
  expect(requests.map(({ url }) => url)).toEqual([
    'http://api.test/api/autocomplete?search=St.+Louis+%26+more',
    'http://api.test/api/orgs/sample/offsetters?max=3',
    'http://api.test/api/orgs/sample/checkouts',
  ]);
  expect(requests[2]?.init.method).toBe('POST');
  expect(requests[2]?.init.body).toBe('{"cart":[]}');
  expect(new Headers(requests[2]?.init.headers).get('content-type')).toBe('application/json');
});

test('a change that may be repeated is retried for a while during an outage', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let outages = 3;
  const outage = () => jsonResponse({ status: 503, code: 'database-unavailable', detail: 'Down.' }, { status: 503 });
  const { api, requests } = createClient(() => (outages-- > 0 ? outage() : jsonResponse({ id: 'c1' })));
  const checkOut = () => api.call('createCheckout', { params: { orgid: 'sample' }, body: { cart: [] } });
  const checkout = retryDuringOutage(checkOut);
  await vi.advanceTimersByTimeAsync(9000);
  expect(await checkout).toEqual({ id: 'c1' });
  expect(requests).toHaveLength(4);

  outages = Number.POSITIVE_INFINITY;
  const failure = expect(retryDuringOutage(checkOut)).rejects.toMatchObject({ code: 'database-unavailable' });
  await vi.advanceTimersByTimeAsync(18_000);
  await failure;
  expect(requests).toHaveLength(4 + 7);
});

test.each([502, 503, 504])(
  'a proxy’s %i is retried like an outage, but the program’s own rejections are not',
  async (status) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const busy = { status: 503, code: 'too-busy', detail: 'Busy.', requestId: 'r1' };
    const responses = [new Response('', { status }), jsonResponse(busy, { status: 503 })];
    const { api, requests } = createClient(() => responses.shift() ?? jsonResponse({ id: 'c1' }));
    const checkOut = () => api.call('createCheckout', { params: { orgid: 'sample' }, body: { cart: [] } });
    const failure = expect(retryDuringOutage(checkOut)).rejects.toMatchObject({ code: 'too-busy' });
    await vi.advanceTimersByTimeAsync(3000);
    await failure;
    expect(requests).toHaveLength(2);
  },
);

test('each call sends the current token as bearer', async () => {
  const { bearer, state } = createBearer('first');
  const { api, requests } = createClient(() => jsonResponse({}), bearer);
  await api.call('readSite', {});
  state.token = undefined;
  await api.call('readSite', {});
  expect(readBearers(requests)).toEqual(['Bearer first', null]);
});

test('calls authenticated by the cookie are sent without a token', async () => {
  const { api, requests } = createClient(() => jsonResponse({}), createBearer('ended').bearer);
  await api.call('readToken', {});
  await api.call('signOut', {});
  expect(readBearers(requests)).toEqual([null, null]);
});

test.each(['token-invalid', 'token-stale'])(
  'a call that fails with %s is retried once with a fresh token',
  async (code) => {
    const { bearer, events } = createBearer('old', 'new');
    const responses = [unauthorizedResponse(code), jsonResponse({ id: 'u1' })];
    const { api, requests } = createClient(() => responses.shift() ?? jsonResponse({}), bearer);
    expect(await api.call('authorize', {})).toEqual({ id: 'u1' });
    expect(readBearers(requests)).toEqual(['Bearer old', 'Bearer new']);
    expect(events).toEqual(['renew old']);
  },
);

test('if the fresh token is also rejected, the session ends', async () => {
  const { bearer, events } = createBearer('old', 'new');
  const { api, requests } = createClient(() => unauthorizedResponse('token-invalid'), bearer);
  await expect(api.call('authorize', {})).rejects.toMatchObject({ code: 'token-invalid' });
  expect(requests).toHaveLength(2);
  expect(events).toEqual(['renew old', 'expire']);
});

test.each([
  ['confirmation-required', 'confirm'],
  ['email-confirmation-required', 'confirm by mail'],
])('a call that fails with %s is retried after the user confirms their identity', async (code, expectedEvent) => {
  const { bearer, events } = createBearer('old', 'confirmed');
  const responses = [unauthorizedResponse(code), jsonResponse({ id: 'u1' })];
  const { api, requests } = createClient(() => responses.shift() ?? jsonResponse({}), bearer);
  expect(await api.call('authorize', {})).toEqual({ id: 'u1' });
  expect([readBearers(requests), events]).toEqual([['Bearer old', 'Bearer confirmed'], [expectedEvent]]);
});

test('an expired token is renewed before the user is asked to confirm', async () => {
  const { bearer, events } = createBearer('old', 'new', 'confirmed');
  const responses = [
    unauthorizedResponse('token-stale'),
    unauthorizedResponse('confirmation-required'),
    jsonResponse({ id: 'u1' }),
  ];
  const { api, requests } = createClient(() => responses.shift() ?? jsonResponse({}), bearer);
  expect(await api.call('authorize', {})).toEqual({ id: 'u1' });
  expect(readBearers(requests)).toEqual(['Bearer old', 'Bearer new', 'Bearer confirmed']);
  expect(events).toEqual(['renew old', 'confirm']);
});

test('if the user declines to confirm, the call remains rejected', async () => {
  const { bearer, events } = createBearer('old');
  const { api, requests } = createClient(() => unauthorizedResponse('confirmation-required'), bearer);
  await expect(api.call('authorize', {})).rejects.toMatchObject({ code: 'confirmation-required' });
  expect([requests.length, events]).toEqual([1, ['confirm']]);
});

test('a new token that is still rejected as stale neither ends the session nor is renewed again', async () => {
  const { bearer, events } = createBearer('old', 'new');
  const { api, requests } = createClient(() => unauthorizedResponse('token-stale'), bearer);
  await expect(api.call('refreshClaims', {})).rejects.toMatchObject({ code: 'token-stale' });
  expect([requests.length, events]).toEqual([2, ['renew old']]);
});

test('after the session ends, public data is read as a visitor', async () => {
  const responses = [unauthorizedResponse('token-invalid'), jsonResponse({ id: 'sample' })];
  const { api, requests } = createClient(() => responses.shift() ?? jsonResponse({}), createBearer('old').bearer);
  expect(await api.call('readOrg', { params: { orgid: 'sample' } })).toEqual({ id: 'sample' });
  expect(readBearers(requests)).toEqual(['Bearer old', null]);
});

test('after the session ends, changes and private reads are rejected instead of sent as a visitor', async () => {
  const { api, requests } = createClient(() => unauthorizedResponse('token-invalid'), createBearer('old').bearer);
  await expect(api.call('createCheckout', { params: { orgid: 'sample' }, body: { cart: [] } })).rejects.toMatchObject({
    code: 'token-invalid',
  });
  expect(requests).toHaveLength(1);
  const responses = [
    unauthorizedResponse('token-invalid'),
    jsonResponse({ status: 403, code: 'forbidden' }, { status: 403 }),
  ];
  const otherClient = createClient(() => responses.shift() ?? jsonResponse({}), createBearer('old').bearer);
  await expect(otherClient.api.call('authorize', {})).rejects.toMatchObject({ code: 'token-invalid' });
});

test.each([
  [undefined, 'token-invalid'],
  ['some', 'forbidden'],
])('a call with token %s that fails with %s isn’t retried', async (token, code) => {
  const { bearer, state, events } = createBearer('some', 'new');
  state.token = token;
  const { api, requests } = createClient(() => unauthorizedResponse(code), bearer);
  await expect(api.call('authorize', {})).rejects.toMatchObject({ code });
  expect([requests.length, events]).toEqual([1, []]);
});

test('a token that can’t be renewed while offline throws OfflineError', async () => {
  const { bearer, renewal } = createBearer('old');
  const offlineRenewal: Renewal = { ...renewal, renew: () => Promise.reject(new OfflineError()) };
  const { api } = createClient(() => unauthorizedResponse('token-invalid'), {
    ...bearer,
    retry: (failedCall, makeCall) => retryCall(offlineRenewal, failedCall, makeCall),
  });
  await expect(api.call('authorize', {})).rejects.toBeInstanceOf(OfflineError);
});

test('a list returns the cursor of its next page, or none at the end', async () => {
  const responses = [jsonResponse([{ id: 'a' }], { headers: { 'x-next-cursor': 'a' } }), jsonResponse([])];
  const { api } = createClient(() => responses.shift() ?? jsonResponse([]));
  const input = { params: { orgid: 'sample' } };
  expect(await api.list('readOffsetters', input)).toEqual({ items: [{ id: 'a' }], nextCursor: 'a' });
  expect(await api.list('readOffsetters', input)).toEqual({ items: [], nextCursor: undefined });
});

test('a failed call throws its problem with the status', async () => {
  const problem = {
    type: '/api/docs#invalid-email',
    title: 'Invalid email',
    status: 400,
    detail: 'No.',
    code: 'invalid-email',
    field: 'email',
    requestId: 'r1',
  };
  const { api } = createClient(() => jsonResponse(problem, { status: 422 }));
  const error = await api.call('readSite', {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiProblem);
  expect(error).toMatchObject({
    status: 422,
    code: 'invalid-email',
    message: 'No.',
    field: 'email',
    requestId: 'r1',
  });
});

test.each(['<h1>Bad Gateway</h1>', '', '"text"', 'null', '{"error":"no"}'])(
  'an error without a problem document (%s) throws our own message',
  async (content) => {
    const { api } = createClient(() => new Response(content, { status: 502 }));
    const error = await api.call('readSite', {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'ApiProblem',
      status: 502,
      code: 'server-error',
      message: 'Something went wrong on our side. Please try again.',
    });
  },
);

test('a network failure is logged and throws the offline message from §8', async () => {
  const log = vi.spyOn(console, 'info').mockReturnValue();
  const cause = new TypeError('Failed to fetch');
  const { api } = createClient(() => Promise.reject(cause));
  const error = await api.call('readSite', {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OfflineError);
  expect(error).toMatchObject({ message: 'Failed to get document because the client is offline.' });
  expect(log).toHaveBeenCalledWith(expect.any(String), cause);
  log.mockRestore();
});

test('a truncated response also throws OfflineError', async () => {
  const failConnection = () =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('network error')) }));
  const { api } = createClient(failConnection);
  await expect(api.call('readSite', {})).rejects.toBeInstanceOf(OfflineError);
});

test('a response that isn’t JSON is parsed as text', async () => {
  const { api } = createClient(() => new Response('All is well.', { headers: { 'content-type': 'text/plain' } }));
  expect(await api.call('readSite', {})).toBe('All is well.');
});

test('an aborted call throws the abort reason', async () => {
  const abortController = new AbortController();
  const { api } = createClient(() => {
    abortController.abort();
    throw abortController.signal.reason;
  });
  await expect(api.call('readSite', { signal: abortController.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

test('a download without a line count may have no line breaks', async () => {
  const { api } = createClient(() => new Response('%PDF'));
  const file = await api.download('downloadDonorStatements', { params: { orgid: 'sample' }, query: { year: '2026' } });
  expect(await file.text()).toBe('%PDF');
});
