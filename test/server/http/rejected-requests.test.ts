// @spec 8.strings decisions.6
import { expect, test } from 'vitest';
import { CALLS, REQUESTED_WITH_HEADER } from '#contract/calls.ts';
import { PROBLEM_TYPE } from '#contract/problem.ts';
import { createIdentity } from '#server/gateways/identity/create-identity.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { createUnreachableDatabase, findAnyOrg } from '#test/support/unreachable-database.ts';

const db = createUnreachableDatabase();
const identity = createIdentity({
  db,
  publicUrl: () => 'https://fund.example',
  secret: 'a secret that is not in the database',
  now: () => new Date(),
  log: createLogSpy().log,
});
const app = await buildTestApp(await createTestDeps(db, { findOrg: findAnyOrg, identity }));

const JSON_TYPE = { 'content-type': 'application/json' };
const REQUESTED_WITH = { [REQUESTED_WITH_HEADER]: 'test' };

function postCheckout(payload: string | Buffer, headers: Record<string, string> = { ...REQUESTED_WITH, ...JSON_TYPE }) {
  return app.inject({ method: 'POST', url: '/api/orgs/sample/checkouts', headers, payload });
}

const nestedCart = (depth: number) => `${'{"cart":['.repeat(depth)}1${']}'.repeat(depth)}`;

// @asvs 1.5.2 15.3.6
test.each([
  ['nothing', '', 'no-data', 'The request is empty.'],
  ['null', 'null', 'no-data', 'The request is empty.'],
  ['half an object', '{"cart":', 'invalid-input', 'The request isn’t valid JSON.'],
  ['NaN', '{"cart":[{"cost":NaN}]}', 'invalid-input', 'The request isn’t valid JSON.'],
  ['Infinity', '{"cart":[{"cost":Infinity}]}', 'invalid-input', 'The request isn’t valid JSON.'],
  ['a comment', '{"cart":[]} // none', 'invalid-input', 'The request isn’t valid JSON.'],
  ['__proto__', '{"cart":[],"__proto__":{"cart":[1]}}', 'invalid-input', 'The request isn’t valid JSON.'],
  ['__proto__ in an item', '{"cart":[{"__proto__":{"cost":1}}]}', 'invalid-input', 'The request isn’t valid JSON.'],
  ['an escaped __proto__', '{"\\u005f_proto__":{"a":1}}', 'invalid-input', 'The request isn’t valid JSON.'],
  ['constructor.prototype', '{"constructor":{"prototype":1}}', 'invalid-input', 'The request isn’t valid JSON.'],
  ['bytes that aren’t text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'invalid-input', 'The request isn’t valid JSON.'],
  ['a very deep list', '['.repeat(30_000) + ']'.repeat(30_000), 'invalid-input', 'The request is nested too deeply.'],
  ['a very deep cart', nestedCart(5000), 'invalid-input', 'The request is nested too deeply.'],
])('%s is rejected with a 400', async (_title, payload, code, title) => {
  const response = await postCheckout(payload);
  expect([response.statusCode, response.json().code]).toEqual([400, code]);
  expect(response.json().detail).toBe(title);
});

test('a body over 64 kB is rejected before it’s read', async () => {
  const response = await postCheckout(JSON.stringify({ cart: [], filler: 'x'.repeat(65_536) }));
  expect([response.statusCode, response.json().code]).toEqual([413, 'body-too-large']);
  expect(response.json().detail).toBe('The request is too large.');
});

// @asvs 3.5.2
test.each([
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
])('content of type %s is rejected with a 415', async (type) => {
  const response = await postCheckout('{"cart":[]}', { ...REQUESTED_WITH, 'content-type': type });
  expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported-media-type']);
  expect(response.json().detail).toBe('This content type isn’t supported.');
});

const changingCalls = Object.entries(CALLS).filter(([, { method }]) => method !== 'GET');
const readingCalls = Object.entries(CALLS).filter(([, { method }]) => method === 'GET');
const examplePath = (path: string) => `/api${path.replace(/:\w+/g, 'a1')}`;

// @asvs 3.5.2
test.each(changingCalls)('%s is rejected without our header', async (_name, { method, path }) => {
  const response = await app.inject({ method, url: examplePath(path) });
  expect([response.statusCode, response.json().code]).toEqual([400, 'missing-requested-with']);
  expect(response.json().detail).toBe('Requests that change data need the X-Requested-With header.');
});

test.each([...readingCalls, ...changingCalls])(
  '%s accepts no token while sign-in is unavailable',
  async (name, { method, path }) => {
    const search = name === 'searchCities' ? '?search=Ithaca' : '';
    const body = { createCheckout: { cart: [] }, pledgeCheck: { name: '', email: '', amount: 5 } }[name];
    for (const authorization of ['Bearer abc.def.ghi', 'Bearer', 'Basic dXNlcjpwYXNz', '']) {
      const response = await app.inject({
        method,
        url: examplePath(path) + search,
        headers: { ...REQUESTED_WITH, authorization },
        ...(body ? { payload: body } : {}),
      });
      expect([response.statusCode, response.json().code]).toEqual([401, 'token-invalid']);
    }
  },
);

test('a cookie alone grants no access and causes no error', async () => {
  const response = await app.inject({ url: '/api/site', headers: { cookie: 'session=stolen' } });
  expect(response.statusCode).toBe(200);
});

test.each([
  ['GET', '/api/orgs/sample/checkouts', 'POST'],
  ['DELETE', '/api/orgs/sample', 'GET, HEAD, PATCH'],
  ['PUT', '/api/site', 'GET, HEAD'],
  ['POST', '/api/site', 'GET, HEAD'],
  ['OPTIONS', '/api/orgs', 'GET, HEAD, POST'],
] as const)(
  '%s is not allowed on %s, and the response lists the allowed methods',
  async (method, url, allowedMethods) => {
    const response = await app.inject({ method, url });
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([405, 'method-not-allowed']);
    expect(response.headers.allow).toBe(allowedMethods);
  },
);

test.each([
  ['GET', '/api/unknown'],
  ['GET', '/api'],
  ['GET', '/api/'],
  ['GET', '/sandbox'],
  ['GET', '/dev/mailbox'],
  ['GET', '/v1/checkout/sessions'],
] as const)('%s %s is not a call and returns a problem', async (method, url) => {
  const response = await app.inject({ method, url, headers: REQUESTED_WITH });
  expect([response.statusCode, response.json().code]).toEqual([404, 'call-not-found']);
});

test.each([
  ['PATCH', '/orgs/sample', 'application/json', '{"name":'],
  ['PUT', '/orgs/sample/editors', 'application/json', '{"email":1}'],
  ['POST', '/orgs', 'application/json', ''],
  ['POST', '/orgs/sample/checkouts-search', 'text/plain', 'all of them'],
  ['PUT', '/orgs/sample/header', 'multipart/form-data; boundary=x', 'not a form'],
  ['PUT', '/orgs/sample/pledges/p1', 'application/json', `{"name":"${'x'.repeat(2_000_000)}"}`],
  ['GET', '/orgs/sample/grants?max=many', undefined, undefined],
] as const)('a visitor must log in before anything else is checked: %s %s', async (method, path, type, payload) => {
  const response = await app.inject({
    method,
    url: `/api${path}`,
    headers: { ...REQUESTED_WITH, ...(type === undefined ? {} : { 'content-type': type }) },
    ...(payload === undefined ? {} : { payload }),
  });
  expect([response.statusCode, response.json().code]).toEqual([401, 'login-required']);
  expect(response.headers['www-authenticate']).toBe('Bearer');
});

test.each(['x%20y', '%00', '%ff', '%', '..%2F..', 'a'.repeat(101), 'a'.repeat(5000), "1'or'1", 'Zürich'])(
  'an invalid id matches nothing: %s',
  async (id) => {
    for (const path of ['', '/cells', '/offsetters', `/offsetters/${id}`, `/checkouts/${id}`]) {
      const response = await app.inject(`/api/orgs/${id}${path}`);
      expect([response.statusCode, response.json().code]).toEqual([404, 'no-event']);
    }
  },
);

test('every error is an uncached problem document with the request id', async () => {
  const responses = [
    await postCheckout(''),
    await postCheckout('{'),
    await postCheckout('{}', JSON_TYPE),
    await app.inject('/api/unknown'),
    await app.inject('/api/orgs/%'),
    await app.inject({ url: '/api/site', headers: { authorization: 'Bearer x', 'request-id': 'mine' } }),
  ];
  for (const response of responses) {
    const problem = response.json();
    expect(response.headers).toMatchObject({
      'content-type': `${PROBLEM_TYPE}; charset=utf-8`,
      'cache-control': 'no-store',
    });
    expect(problem).toMatchObject({
      type: `/api/docs#${problem.code}`,
      title: expect.stringMatching(/^[A-Z][a-z]+( [a-z]+)*$/),
      status: response.statusCode,
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
  }
  expect(new Set(responses.map((response) => response.json().requestId)).size).toBe(responses.length);
});
