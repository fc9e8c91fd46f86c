import { expect, test } from 'vitest';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { createApiClient } from '#web/api/client.ts';

type Sent = { url: string; init: RequestInit };

/** A client whose every call gets this answer, and what it sent. */
function clientAnswering(answer: () => Response | Promise<Response>, token?: () => string | undefined) {
  const sent: Sent[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    sent.push({ url: String(url), init });
    return answer();
  };
  const api = createApiClient({ base: 'http://api.test', fetch, ...(token ? { token } : {}) });
  return { api, sent };
}

const json = (content: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(content), init);

test('a read goes to the path of its call, with cookies, cors, no cache and the headers of §7', async () => {
  const { api, sent } = clientAnswering(() => json({ id: 'sample' }));
  expect(await api.call('readOrg', { params: { orgid: 'a/b' } })).toEqual({ id: 'sample' });
  expect(sent).toEqual([
    {
      url: 'http://api.test/api/orgs/a%2Fb',
      init: {
        method: 'GET',
        credentials: 'include',
        mode: 'cors',
        cache: 'no-store',
        headers: { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
      },
    },
  ]);
});

test('a query is sent without what is not said, and a body as JSON', async () => {
  const { api, sent } = clientAnswering(() => json([]));
  await api.call('searchCities', { query: { search: 'St. Louis & more' } });
  await api.list('readOffsetters', { params: { orgid: 'sample' }, query: { max: 3 } });
  await api.call('createCheckout', { params: { orgid: 'sample' }, body: { cart: [] } });
  expect(sent.map(({ url }) => url)).toEqual([
    'http://api.test/api/autocomplete?search=St.+Louis+%26+more',
    'http://api.test/api/orgs/sample/offsetters?max=3',
    'http://api.test/api/orgs/sample/checkouts',
  ]);
  expect(sent[2]?.init.method).toBe('POST');
  expect(sent[2]?.init.body).toBe('{"cart":[]}');
  expect(new Headers(sent[2]?.init.headers).get('content-type')).toBe('application/json');
});

test('a token is sent as the bearer, and asked for again at each call', async () => {
  const tokens = ['first', undefined];
  const { api, sent } = clientAnswering(
    () => json({}),
    () => tokens.shift(),
  );
  await api.call('readSite', {});
  await api.call('readSite', {});
  expect(sent.map(({ init }) => new Headers(init.headers).get('authorization'))).toEqual(['Bearer first', null]);
});

test('a list comes with the cursor to go on from, or with none at its end', async () => {
  const answers = [json([{ id: 'a' }], { headers: { 'x-next-cursor': 'a' } }), json([])];
  const { api } = clientAnswering(() => answers.shift() ?? json([]));
  const input = { params: { orgid: 'sample' } };
  expect(await api.list('readOffsetters', input)).toEqual({ items: [{ id: 'a' }], nextCursor: 'a' });
  expect(await api.list('readOffsetters', input)).toEqual({ items: [], nextCursor: undefined });
});

test('a refused call throws its problem, with the status that was answered', async () => {
  const problem = {
    type: 'about:blank',
    status: 400,
    code: 'invalid-email',
    title: 'No.',
    field: 'email',
    requestId: 'r1',
  };
  const { api } = clientAnswering(() => json(problem, { status: 422 }));
  const error = await api.call('readSite', {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiProblem);
  expect(error).toMatchObject({
    status: 422,
    code: 'invalid-email',
    title: 'No.',
    message: 'No.',
    field: 'email',
    requestId: 'r1',
  });
});

test.each(['<h1>Bad Gateway</h1>', '', '"text"', 'null', '{"error":"no"}'])(
  'an error that is no problem document (%s) throws a sentence of our own',
  async (content) => {
    const { api } = clientAnswering(() => new Response(content, { status: 502 }));
    const error = await api.call('readSite', {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'ApiProblem',
      status: 502,
      code: 'server-error',
      title: 'Something went wrong on our side. Please try again.',
    });
  },
);

test('a network that does not answer throws the offline sentence of §8', async () => {
  const { api } = clientAnswering(() => Promise.reject(new TypeError('Failed to fetch')));
  const error = await api.call('readSite', {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OfflineError);
  expect(error).toMatchObject({ message: 'Failed to get document because the client is offline.' });
});

test('an answer that breaks off throws the offline sentence too', async () => {
  const broken = () =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('network error')) }));
  const { api } = clientAnswering(broken);
  await expect(api.call('readSite', {})).rejects.toBeInstanceOf(OfflineError);
});

test('a call that its caller stops throws the reason of that', async () => {
  const stopped = new AbortController();
  const { api } = clientAnswering(() => {
    stopped.abort();
    throw stopped.signal.reason;
  });
  await expect(api.call('readSite', { signal: stopped.signal })).rejects.toMatchObject({ name: 'AbortError' });
});
