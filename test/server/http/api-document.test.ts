import { expect, test } from 'vitest';
import { CALLS, REQUESTED_WITH_HEADER } from '#contract/calls.ts';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';
import { openApiDocument } from '#server/http/api-document.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { unusedDatabase } from '#test/support/unused-database.ts';

type Parameter = { name: string; in: string; required: boolean; schema: object };
type Content = Record<string, { schema: { properties?: object } }>;
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content: Content }>;
};

const calls = Object.entries(CALLS);
const schemas: Readonly<Record<string, CallSchema>> = SCHEMAS;
// As it is sent: what JSON cannot hold would be lost.
const document: { openapi: string; paths: Record<string, Record<string, Operation>> } = JSON.parse(
  JSON.stringify(openApiDocument()),
);

function operationOf(method: string, path: string): Operation | undefined {
  return document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

test('the document holds every call once, and nothing else', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(CALLS).toSorted());
  expect(document.openapi).toBe('3.1.0');
});

test.each(calls)('%s is described with all that it takes', (name, { method, path }) => {
  const operation = operationOf(method, path);
  const { params, query, body, form } = schemas[name] ?? {};
  const named = (place: string) => operation?.parameters.filter((one) => one.in === place).map((one) => one.name);
  expect(operation?.operationId).toBe(name);
  expect(named('path')).toEqual(Object.keys(params?.shape ?? {}));
  expect(named('query')).toEqual(Object.keys(query?.shape ?? {}));
  expect(named('header')).toEqual(method === 'GET' ? [] : [REQUESTED_WITH_HEADER]);
  expect(operation?.parameters.filter((one) => one.in === 'path').every((one) => one.required)).toBe(true);
  expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(
    body ? ['application/json'] : form ? ['multipart/form-data'] : [],
  );
});

test.each(calls)('%s is described with its answer, and with the way it is refused', (_name, { method, path }) => {
  const responses = operationOf(method, path)?.responses;
  const schema = responses?.['200']?.content['application/json']?.schema;
  expect(Object.keys(schema ?? {})).toEqual(expect.arrayContaining([expect.stringMatching(/^(?:type|anyOf)$/)]));
  expect(responses?.default?.content).toHaveProperty(['application/problem+json']);
});

test('the form of a profile is described with its photo', () => {
  const content = operationOf('PUT', CALLS.submitProfile.path)?.requestBody?.content;
  const fields = Object.keys(content?.['multipart/form-data']?.schema.properties ?? {});
  expect(fields).toEqual(expect.arrayContaining(['email', 'name', 'story', 'shownAs', 'file']));
});

test('the document is served under the base of the calls', async () => {
  const app = await buildTestApp(await testDeps(unusedDatabase()));
  const answer = await app.inject('/api/docs');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual(document);
});
