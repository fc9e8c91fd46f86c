// @spec decisions.6
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CALLS, LIVE_PATH, REQUESTED_WITH_HEADER } from '#contract/calls.ts';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';
import { FAILURES } from '#domain/server-failures.ts';
import type { Parameter } from '#server/http/api-document.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { createUnreachableDatabase } from '#test/support/unreachable-database.ts';

type Schema = { properties?: object; required?: string[]; type?: string };
type Content = Record<string, { schema: { $ref?: string } }>;
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content: Content; headers?: object; $ref?: string }>;
};

const calls = Object.entries(CALLS);
const schemas: Readonly<Record<string, CallSchema>> = SCHEMAS;
const app = await buildTestApp(await createTestDeps(createUnreachableDatabase()));
const document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: { Problem: { required: string[]; properties: { code: { enum: string[] } } } } & Record<string, Schema>;
  };
} = (await app.inject('/api/docs')).json();

function findOperation(method: string, path: string): Operation | undefined {
  return document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

/** The component that a body refers to. */
function findSchema(content: Content = {}): Schema {
  const [name = ''] = Object.values(content).map(({ schema }) => schema.$ref?.replace('#/components/schemas/', ''));
  return document.components.schemas[name] ?? {};
}

test('every request and response of a call refers to a named schema', () => {
  const operations = calls.flatMap(([, { method, path }]) => findOperation(method, path) ?? []);
  const bodies = operations.flatMap(({ requestBody, responses }) => [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses['200']?.content ?? {}),
  ]);
  expect(operations).toHaveLength(calls.length);
  expect(bodies.filter(({ schema }) => !schema.$ref?.startsWith('#/components/schemas/'))).toEqual([]);
  expect(document.components.schemas).toMatchObject({ Checkout: {}, CartItem: {}, CreateCheckoutRequest: {} });
});

test('every reference resolves to a schema, and schemas have no dialect or id', () => {
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(names.filter((name) => name === undefined || !(name in document.components.schemas))).toEqual([]);
  expect(text).not.toMatch(/"\$schema"|"\$defs"|"id":"[A-Z]/);
});

test('every call has its own summary', () => {
  const summaries = calls.map(([, { method, path }]) => findOperation(method, path)?.summary);
  expect(new Set(summaries).size).toBe(calls.length);
});

test('the document contains every call once, the live stream, and the webhook', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    [...Object.keys(CALLS), 'followOrg', 'receiveEvent'].toSorted(),
  );
  expect(document.openapi).toBe('3.1.0');
});

// @asvs 2.1.1
test.each(calls)('%s has all its inputs documented', (name, { method, path }) => {
  const operation = findOperation(method, path);
  const { params, query, body, form } = schemas[name] ?? {};
  const listParameterNames = (place: string) =>
    operation?.parameters.filter((parameter) => parameter.in === place).map((parameter) => parameter.name);
  expect(operation?.operationId).toBe(name);
  expect(listParameterNames('path')).toEqual(Object.keys(params?.shape ?? {}));
  expect(listParameterNames('query')).toEqual(Object.keys(query?.shape ?? {}));
  expect(listParameterNames('header')).toEqual(method === 'GET' ? [] : [REQUESTED_WITH_HEADER]);
  expect(
    operation?.parameters.filter((parameter) => parameter.in === 'path').every((parameter) => parameter.required),
  ).toBe(true);
  expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(
    body ? ['application/json'] : form ? ['multipart/form-data'] : [],
  );
});

test.each(calls)('%s has its response and errors documented', (_name, { method, path }) => {
  const responses = findOperation(method, path)?.responses;
  expect(Object.keys(findSchema(responses?.['200']?.content))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:type|anyOf)$/)]),
  );
  expect(responses?.default?.$ref).toBe('#/components/responses/Problem');
});

test('the profile form is documented with its photo', () => {
  const content = findOperation('PUT', CALLS.submitProfile.path)?.requestBody?.content;
  const fields = Object.keys(findSchema(content).properties ?? {});
  expect(fields).toEqual(expect.arrayContaining(['email', 'name', 'story', 'shownAs', 'file']));
});

test('exactly the required fields are marked as required', () => {
  const search = findOperation('GET', CALLS.searchCities.path)?.parameters;
  expect(search).toMatchObject([{ name: 'search', required: true }]);
  const list = findOperation('GET', CALLS.readOrgs.path);
  expect(list?.parameters.map(({ required }) => required)).not.toContain(true);
  expect(list?.responses['200']?.headers).toHaveProperty('x-next-cursor');
  const listRequiredFields = (path: string, method = 'PUT') =>
    findSchema(findOperation(method, path)?.requestBody?.content).required ?? [];
  expect(listRequiredFields(CALLS.replaceHeader.path)).toEqual(['file']);
  expect(listRequiredFields(CALLS.addPicture.path, 'POST')).toEqual(['file']);
  expect(listRequiredFields(CALLS.editOffsetter.path)).not.toContain('file');
});

test('the ledger is documented as CSV, and the live stream as an event stream', () => {
  expect(Object.keys(findOperation('GET', CALLS.downloadLedger.path)?.responses['200']?.content ?? {})).toEqual([
    'text/csv',
  ]);
  expect(findOperation('GET', LIVE_PATH)?.responses['200']?.content).toHaveProperty(['text/event-stream']);
});

test('a call that needs a token documents it, along with the error for a missing token', () => {
  const settings = findOperation('GET', CALLS.readOrgSettings.path);
  expect([settings?.security, settings?.responses['401']?.$ref]).toEqual([
    [{ bearer: [] }],
    '#/components/responses/LoginRequired',
  ]);
  const org = findOperation('GET', CALLS.readOrg.path);
  expect([org?.security, org?.responses['401']]).toEqual([[{}, { bearer: [] }], undefined]);
  expect(findOperation('POST', '/webhooks/stripe')?.security).toEqual([{ signature: [] }]);
});

test('every operation has one tag, a noun', () => {
  const tags = Object.values(document.paths).flatMap((path) =>
    Object.values(path).flatMap((operation) => operation.tags),
  );
  expect([...new Set(tags)].toSorted()).toEqual([
    'activity',
    'attention',
    'awardees',
    'bank',
    'cells',
    'checkouts',
    'cities',
    'deposits',
    'donors',
    'editors',
    'email-choices',
    'first-steps',
    'grants',
    'installers',
    'ledger',
    'months',
    'offsetters',
    'orgs',
    'pledges',
    'receipts',
    'recurring-gifts',
    'session',
    'site',
    'team-notes',
    'users',
    'webhooks',
  ]);
});

test('a problem documents every code', () => {
  const { required, properties } = document.components.schemas.Problem;
  expect(required).toEqual(['type', 'title', 'status', 'detail', 'code', 'requestId']);
  expect(properties.code.enum).toEqual(Object.keys(FAILURES));
});

test('a browser gets a page that lists every call and loads nothing from other hosts', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const response = await app.inject({ url: '/api/docs', headers: browser });
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(response.headers.vary).toContain('Accept');
  for (const name of Object.keys(CALLS)) expect(response.body).toContain(`id="${name}"`);
  expect(response.body).toContain('id="cart-below-minimum"');
  expect(response.body).not.toMatch(/<script|src=|href="(?!#|data:,)/);
  const style = /<style>([\s\S]*)<\/style>/.exec(response.body)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(response.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
  // The page's empty icon isn't blocked; a blocked icon would log an error in the browser.
  expect(response.body).toContain('<link rel="icon" href="data:,">');
  expect(response.headers['content-security-policy']).toContain('img-src data:;');
});

test.each([undefined, '*/*', 'application/json'])('a client that accepts %s gets the document', async (accept) => {
  const response = await app.inject({ url: '/api/docs', headers: accept === undefined ? {} : { accept } });
  expect([response.statusCode, response.json()]).toEqual([200, document]);
});
