import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { API_BASE, CALLS, REQUESTED_WITH_HEADER } from '#contract/calls.ts';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';

/** The OpenAPI document of every call, made from the schemas that the calls are checked by (decisions §6). */
export async function apiDocument(app: FastifyInstance): Promise<void> {
  const document = openApiDocument();
  app.get(`${API_BASE}/docs`, async () => document);
}

export function openApiDocument() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, { method, path }] of Object.entries(CALLS)) {
    const url = path.replace(/:(\w+)/g, '{$1}');
    const schema = Object.entries<CallSchema>(SCHEMAS).find(([key]) => key === name)?.[1];
    if (schema) paths[url] = { ...paths[url], [method.toLowerCase()]: operationOf(name, method, schema) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'City Climate Fund', version: '1' },
    servers: [{ url: API_BASE }],
    paths,
  };
}

function operationOf(name: string, method: string, { params, query, body, form, answer }: CallSchema) {
  const content = contentOf(body, form);
  return {
    operationId: name,
    parameters: [
      ...parametersOf('path', params),
      ...parametersOf('query', query),
      ...(method === 'GET' ? [] : [REQUESTED_WITH]),
    ],
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: z.toJSONSchema(answer) } } },
      default: { description: 'A problem', content: { 'application/problem+json': { schema: { type: 'object' } } } },
    },
  };
}

const REQUESTED_WITH = { name: REQUESTED_WITH_HEADER, in: 'header', required: true, schema: { type: 'string' } };

function contentOf(body: CallSchema['body'], form: CallSchema['form']) {
  if (body) return { 'application/json': { schema: inputSchema(body) } };
  if (!form) return undefined;
  const fields = inputSchema(form);
  const file = { type: 'string', format: 'binary' };
  return { 'multipart/form-data': { schema: { ...fields, properties: { ...fields.properties, file } } } };
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject | undefined) {
  return Object.entries(schema?.shape ?? {}).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: inputSchema(part as z.ZodType),
  }));
}

function inputSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
