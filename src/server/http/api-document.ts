import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { API_BASE, CALLS } from '#contract/calls.ts';
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
    if (schema) paths[url] = { ...paths[url], [method.toLowerCase()]: operationOf(name, schema) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'City Climate Fund', version: '1' },
    servers: [{ url: API_BASE }],
    paths,
  };
}

function operationOf(name: string, { params, query, body, answer }: CallSchema) {
  return {
    operationId: name,
    parameters: [...parametersOf('path', params), ...parametersOf('query', query)],
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: inputSchema(body) } } } }
      : {}),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: z.toJSONSchema(answer) } } },
      default: { description: 'A problem', content: { 'application/problem+json': { schema: { type: 'object' } } } },
    },
  };
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
