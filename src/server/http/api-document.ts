import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  API_BASE,
  CALLS,
  type CallName,
  LINE_COUNT_HEADER,
  LIVE_PATH,
  NEXT_CURSOR_HEADER,
  REQUESTED_WITH_HEADER,
  WEBHOOK_PATH,
} from '#contract/calls.ts';
import { DOCS_PATH, PROBLEM_TYPE } from '#contract/problem.ts';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';
import { type Action, can, VISITOR } from '#domain/permissions.ts';
import { FAILURES } from '#domain/server-failures.ts';
import { renderApiDocs } from './api-docs-page.ts';

/** Required permission of each call, by the call's name. */
export type CallActions = Readonly<Record<string, Action>>;

/** Serves the API documentation (decisions §6): JSON for programs, a page for browsers. Must be registered before the calls. */
export async function registerApiDocs(app: FastifyInstance): Promise<void> {
  const actions: Record<string, Action> = {};
  app.addHook('onRoute', ({ config }) => {
    if (config?.call && config.action) actions[config.call] = config.action;
  });
  let documents: { json: ApiDocument; page: ReturnType<typeof renderApiDocs> } | undefined;
  app.get(DOCS_PATH, async (request, reply) => {
    if (!documents) {
      const json = createOpenApiDocument(actions);
      documents = { json, page: renderApiDocs(json) };
    }
    void reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '));
    if (!request.headers.accept?.includes('text/html')) return documents.json;
    const { content, policy } = documents.page;
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(content);
  });
}

export type Media = Readonly<Record<string, { readonly schema: object }>>;
type ResponseDocument = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Media;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly schema: object;
};

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  /** Empty if no token is needed. */
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Media };
  readonly responses: Readonly<Record<string, ResponseDocument | { readonly $ref: string }>>;
};

export type ApiDocument = ReturnType<typeof createOpenApiDocument>;

export function createOpenApiDocument(actions: CallActions) {
  const components = new Components();
  const paths: Record<string, Record<string, Operation>> = {};
  const add = (method: string, path: string, operation: Operation) => {
    const url = path.replace(/:(\w+)/g, '{$1}');
    paths[url] = { ...paths[url], [method.toLowerCase()]: operation };
  };
  for (const name of Object.keys(CALLS) as CallName[]) {
    add(CALLS[name].method, CALLS[name].path, createOperation(name, actions[name], components));
  }
  add('GET', LIVE_PATH, LIVE_OPERATION);
  add('POST', WEBHOOK_PATH.slice(API_BASE.length), WEBHOOK_OPERATION);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return {
    openapi: '3.1.0',
    info: {
      title: 'City Climate Fund',
      version: '1',
      description:
        'The API of the web client, which other programs can use too. A call without a token acts as a visitor.',
    },
    servers: [{ url: API_BASE }],
    tags: [...new Set(operations.flatMap(({ tags }) => tags))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The identity token that POST /session/token returns. It is valid for an hour.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-fund.session_token',
          description: 'Set by logging in. Only valid for getting a new token and for logging out.',
        },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'stripe-signature',
          description: "The payment provider's signature over the body.",
        },
      },
      schemas: { Problem: PROBLEM_SCHEMA, ...components.schemas },
      responses: {
        Problem: { description: 'A problem', content: createProblemContent() },
        LoginRequired: {
          description: 'The token is missing or has expired',
          headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
          content: createProblemContent(),
        },
      },
    },
  };
}

/** RFC 9457, with this API's own members. */
const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: "URL of the code's explanation." },
    title: { type: 'string', description: 'The same for every problem of this code.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'A user-facing message about this error.' },
    code: { type: 'string', enum: Object.keys(FAILURES) },
    field: { type: 'string', description: 'The path of the invalid field, such as "cart.1.cost".' },
    details: { type: 'object', description: 'Data that the caller needs to continue.' },
    requestId: { type: 'string' },
  },
};

function createProblemContent(): Media {
  return { [PROBLEM_TYPE]: { schema: { $ref: `${REFERENCE}Problem` } } };
}

const ERROR_RESPONSES = { default: { $ref: '#/components/responses/Problem' } };

/** Collects the document's named schemas. */
class Components {
  readonly schemas: Record<string, object> = {};

  /** Adds a schema and the named schemas in it. @returns a reference, by the schema's own name if it has one */
  add(name: string, schema: z.ZodType, io: 'input' | 'output'): object {
    const json = this.#withReferences(toJsonSchema(schema, io));
    if (json.$ref !== undefined) return json;
    this.schemas[name] = json;
    return { $ref: REFERENCE + name };
  }

  /** Returns the schema itself, with references to the named schemas in it. */
  inline(schema: z.ZodType): JsonSchema {
    return this.#withReferences(toJsonSchema(schema, 'input'));
  }

  #withReferences(json: JsonSchema): JsonSchema {
    const { $defs = {}, ...schema }: JsonSchema = JSON.parse(
      JSON.stringify(json).replaceAll('"#/$defs/', `"${REFERENCE}`),
    );
    Object.assign(this.schemas, $defs);
    return schema;
  }
}

/** Prefix of a reference to a named schema. */
const REFERENCE = '#/components/schemas/';

type JsonSchema = z.core.JSONSchema.BaseSchema;

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

function createOperation(name: CallName, action: Action | undefined, components: Components): Operation {
  const { method, path } = CALLS[name];
  const { summary, description, params, query, ...schema }: CallSchema = SCHEMAS[name];
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const content = createRequestContent(`${title}Request`, schema, components);
  const usesCookie = name === 'readToken' || name === 'signOut';
  const needsToken = action !== undefined && !can(VISITOR, action);
  return {
    operationId: name,
    summary,
    description,
    tags: [getPathTag(path)],
    security: usesCookie ? [{ session: [] }, {}] : needsToken ? [{ bearer: [] }] : [{}, { bearer: [] }],
    parameters: [
      ...createParameters('path', params, components),
      ...createParameters('query', query, components),
      ...(method === 'GET' ? [] : [REQUESTED_WITH]),
    ],
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      200: createResponse(`${title}Response`, schema, components, query !== undefined && 'cursorRef' in query.shape),
      ...(needsToken ? { 401: { $ref: '#/components/responses/LoginRequired' } } : {}),
      ...ERROR_RESPONSES,
    },
  };
}

function createResponse(
  name: string,
  { response, responseType }: Pick<CallSchema, 'response' | 'responseType'>,
  components: Components,
  isList: boolean,
): ResponseDocument {
  const createTextHeader = (description: string) => ({ description, schema: { type: 'string' } });
  const headers = {
    ...(isList ? { [NEXT_CURSOR_HEADER]: createTextHeader('The cursorRef of the next page, if there is one') } : {}),
    ...(responseType === 'text/csv'
      ? { [LINE_COUNT_HEADER]: createTextHeader('The number of lines below the header') }
      : {}),
  };
  return {
    description: 'Success',
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: { [responseType ?? 'application/json']: { schema: components.add(name, response, 'output') } },
  };
}

const REQUESTED_WITH: Parameter = {
  name: REQUESTED_WITH_HEADER,
  in: 'header',
  required: true,
  schema: { type: 'string' },
};

function createRequestContent(
  name: string,
  { body, form, file }: Pick<CallSchema, 'body' | 'form' | 'file'>,
  components: Components,
): Media | undefined {
  if (body) return { 'application/json': { schema: components.add(name, body, 'input') } };
  if (!form) return undefined;
  const photo = z.string().meta({ format: 'binary' });
  const fields = z.strictObject({ ...form.shape, file: file === 'required' ? photo : photo.optional() });
  return { 'multipart/form-data': { schema: components.add(name, fields, 'input') } };
}

function createParameters(
  location: 'path' | 'query',
  parameters: z.ZodObject | undefined,
  components: Components,
): Parameter[] {
  return Object.entries(parameters?.shape ?? {}).map(([name, parameter]) => {
    const field = parameter as z.ZodType;
    const { description, ...schema } = components.inline(field);
    return { name, in: location, required: !field.safeParse(undefined).success, description, schema };
  });
}

/** Tags by a word of the path, if the tag differs from the word. */
const TAGS: Readonly<Record<string, string>> = {
  authorize: 'session',
  sessions: 'session',
  'second-factors': 'session',
  autocomplete: 'cities',
  test: 'site',
  operation: 'site',
  pictures: 'cells',
  'checkouts-search': 'checkouts',
  'checkouts-sums': 'checkouts',
  'my-offsetter': 'offsetters',
  invitations: 'editors',
  overview: 'ledger',
  payouts: 'ledger',
  statements: 'ledger',
  pounds: 'grants',
};
const ORG_LEVEL_PATHS = ['settings', 'header', 'changes', 'factors'];

function getPathTag(path: string): string {
  const [root = '', part, subpart] = path.split('/').filter((word) => word !== '' && !word.startsWith(':'));
  if (root !== 'orgs' || part === undefined || ORG_LEVEL_PATHS.includes(part)) return TAGS[root] ?? root;
  // /orgs/:orgid/editor/awardees
  const word = part === 'editor' && subpart !== undefined ? subpart : part;
  return word === 'review' ? 'offsetters' : (TAGS[word] ?? word);
}

const LIVE_OPERATION: Operation = {
  operationId: 'followOrg',
  summary: "Stream an organization's changes",
  tags: ['orgs'],
  security: [{}, { bearer: [] }],
  parameters: [{ name: 'orgid', in: 'path', required: true, schema: { type: 'string' } }],
  responses: {
    200: {
      description: 'Server-sent events named "version", each with the number that GET /orgs/{orgid} returns as version',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    ...ERROR_RESPONSES,
  },
};

const WEBHOOK_OPERATION: Operation = {
  operationId: 'receiveEvent',
  summary: 'Receive an event from the payment provider',
  tags: ['webhooks'],
  security: [{ signature: [] }],
  parameters: [],
  requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
  responses: {
    200: {
      description: 'Received',
      content: { 'application/json': { schema: { type: 'object', properties: { received: { const: true } } } } },
    },
    ...ERROR_RESPONSES,
  },
};
