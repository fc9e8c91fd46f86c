import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  API_BASE,
  CALLS,
  type CallName,
  type CallParams,
  LINE_COUNT_HEADER,
  NEXT_CURSOR_HEADER,
  POSITION_HEADER,
  REQUESTED_WITH_HEADER,
} from '#contract/calls.ts';
import { parseLanguage } from '#contract/languages.ts';
import {
  type CallSchema,
  type ParsedBody,
  type ParsedParams,
  type ParsedQuery,
  type ResponseBody,
  SCHEMAS,
} from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { type Action, type Actor, findUnmetRequirement, type Requirement, type Subject } from '#domain/permissions.ts';
import type { Language } from '#messages';
import { runAsAuthor } from '#server/db/author.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import type { Identity } from '#server/gateways/identity/identity.ts';
import { ListPage } from '#server/http/list-page.ts';
import { authenticateRequest, requirePermission } from './actor.ts';
import { parseInput } from './input.ts';
import { sendProblem } from './problems.ts';

/** The organization of a call whose path contains one. */
type CallOrg<Name extends CallName> = CallParams<Name> extends { readonly orgid: string } ? OrgFacts : undefined;

/** Input of a handler, after permission and parsing. */
export type Call<Name extends CallName> = {
  readonly actor: Actor;
  readonly org: CallOrg<Name>;
  readonly params: ParsedParams<Name>;
  readonly query: ParsedQuery<Name>;
  readonly body: ParsedBody<Name>;
  readonly request: FastifyRequest;
  /** Language of the page that makes the call. */
  readonly language: Language;
};

/** A response that sets or removes cookies. */
export class WithCookies<Content> {
  readonly content: Content;
  /** Set-Cookie headers. */
  readonly cookies: readonly string[];

  constructor(content: Content, cookies: readonly string[]) {
    this.content = content;
    this.cookies = cookies;
  }
}

/** A file as a response, generated while it is sent. */
type FileDownload = {
  readonly content: Readable | Buffer;
  /** Content-Type. */
  readonly type: string;
  readonly name: string;
  /** Lines below the header, so that the client can show progress and detect a truncated file. */
  readonly lines?: number;
};

export class FileResponse {
  readonly file: FileDownload;

  constructor(file: FileDownload) {
    this.file = file;
  }
}

type HandlerResult<Content> = Content | ListPage<Content> | WithCookies<Content> | FileResponse;

export type CallHandler<Name extends CallName> = {
  /** Permission to check before the request is read. */
  readonly action: Action;
  /** Subject of the action; defaults to the organization in the path. */
  readonly subject?: (params: ParsedParams<Name>) => Subject | Promise<Subject>;
  /** Requirement in addition to a token, always or depending on the body. */
  readonly requirement?: Requirement | ((call: Pick<Call<Name>, 'org' | 'body'>) => Requirement | undefined);
  /** True for expensive calls: downloads, and results computed from all gifts. */
  readonly isExpensive?: boolean;
  /** Maximum bytes in the body, if the default limit is too small. */
  readonly bodyLimit?: number;
  readonly handle: (call: Call<Name>) => Promise<HandlerResult<ResponseBody<Name>> | Failure>;
  /**
   * True if the response for visitors depends only on the URL, the organization's version, and the day. It is then cached
   * until the version changes, for at most 15 minutes.
   */
  readonly isCached?: boolean;
};

/** Cache of responses that are the same for every visitor. */
export type CachedCalls = {
  /**
   * Sends a cached response, or a new one, which concurrent requests share.
   * @param orgId organization whose changes invalidate it, if any
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    response: { readonly orgId: OrgId | undefined; readonly createResponse: () => Promise<CacheableResponse> },
  ): Promise<FastifyReply>;
};

export type CacheableResponse = { readonly content: unknown; readonly nextCursor: string | undefined };

export type CallDeps = Pick<AppDeps, 'db' | 'findOrg' | 'now'> & { readonly identity: Pick<Identity, 'findActor'> };

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: CallName;
    action?: Action;
    isExpensive?: boolean;
  }
  interface FastifyInstance {
    /** Undefined if nothing is cached. */
    cachedCalls?: CachedCalls;
  }
}

type Admission<Name extends CallName> = Pick<Call<Name>, 'actor' | 'org' | 'params'>;

/**
 * Registers a call's route: identify → find the organization → check permission → parse → handle → present. The body is
 * read only after the permission check, and only fields of the response's schema are sent.
 */
export function registerCall<Name extends CallName>(
  app: FastifyInstance,
  deps: CallDeps,
  name: Name,
  handler: CallHandler<Name>,
): void {
  const { method, path } = CALLS[name];
  const admissions = new WeakMap<FastifyRequest, Admission<Name>>();
  const handleRequest = async (request: FastifyRequest): Promise<HandlerResult<ResponseBody<Name>> | Failure> => {
    const admission = admissions.get(request) ?? (await admit(deps, name, handler, request));
    const { actor } = admission;
    const language = parseLanguage(request.headers['accept-language']);
    const call = { ...admission, ...parseInputs(name, request), request, language };
    if (typeof handler.requirement === 'function') checkRequirement(handler.requirement(call), actor, deps.now());
    const author = { userId: actor.kind === 'user' ? actor.userId : undefined, ipAddress: request.ip };
    const runHandler = () => handler.handle(call);
    // A GET may record reports from the payment provider, which must not be attributed to the caller.
    if (method === 'GET') return runHandler();
    const response = await runAsAuthor(author, runHandler);
    // Read-your-writes: wait until this process's caches reflect the change.
    if (admission.org) await deps.db.changes.notify(admission.org.id);
    return response;
  };
  const isCachedFor = ({ headers }: FastifyRequest) => handler.isCached && headers.authorization === undefined;
  app.route({
    method,
    url: API_BASE + path,
    config: { call: name, action: handler.action, isExpensive: handler.isExpensive === true },
    ...(handler.bodyLimit === undefined ? {} : { bodyLimit: handler.bodyLimit }),
    onRequest: async (request) => {
      // Skip the lookups: the response may be cached.
      if (app.cachedCalls && isCachedFor(request)) return;
      admissions.set(request, await admit(deps, name, handler, request));
    },
    handler: async (request, reply) => {
      if (app.cachedCalls && isCachedFor(request)) {
        const createResponse = async () => toCacheableResponse(name, await handleRequest(request));
        return app.cachedCalls.send(request, reply, { orgId: getOrgId(request.params), createResponse });
      }
      const response = await handleRequest(request);
      return response instanceof Failure ? sendProblem(request, reply, response) : send(name, reply, response);
    },
  });
}

/** @throws Failure */
function toCacheableResponse<Name extends CallName>(
  name: Name,
  response: HandlerResult<ResponseBody<Name>> | Failure,
): CacheableResponse {
  if (response instanceof Failure) throw response;
  if (response instanceof FileResponse || response instanceof WithCookies) throw new Error(`${name} can't be cached.`);
  const schema: CallSchema = SCHEMAS[name];
  const nextCursor = response instanceof ListPage ? response.nextCursor : undefined;
  return { content: schema.response.parse(getContent(response)), nextCursor };
}

/** Checks everything that doesn't depend on the request's content. @throws Failure if the caller can't make the call */
async function admit<Name extends CallName>(
  { identity, findOrg, now }: CallDeps,
  name: Name,
  { action, subject, requirement }: CallHandler<Name>,
  request: FastifyRequest,
): Promise<Admission<Name>> {
  if (CALLS[name].method !== 'GET') requireRequestedWith(request);
  const actor = await authenticateRequest(request, identity);
  const schema: CallSchema = SCHEMAS[name];
  // The schema with this name parsed the parameters, but the type checker can't infer that.
  const params = (schema.params && parseParams(schema.params, request.params)) as ParsedParams<Name>;
  const org = await findCallOrg(findOrg, params);
  requirePermission(actor, action, (await subject?.(params)) ?? (org ? { orgId: org.id } : {}));
  if (typeof requirement === 'string') checkRequirement(requirement, actor, now());
  return { actor, org: org as CallOrg<Name>, params };
}

/** @throws Failure token-stale, confirmation-required */
function checkRequirement(requirement: Requirement | undefined, actor: Actor, now: Date): void {
  const failureCode = requirement && findUnmetRequirement(requirement, actor, now);
  if (failureCode) throw new Failure(failureCode);
}

/** @throws Failure org-not-found */
async function findCallOrg(findOrg: CallDeps['findOrg'], params: unknown): Promise<OrgFacts | undefined> {
  const orgId = getOrgId(params);
  if (orgId === undefined) return undefined;
  const org = await findOrg(orgId);
  if (!org) throw new Failure('org-not-found');
  return org;
}

function getOrgId(params: unknown): string | undefined {
  const orgId = typeof params === 'object' && params !== null && 'orgid' in params ? params.orgid : undefined;
  return typeof orgId === 'string' ? orgId : undefined;
}

function parseInputs<Name extends CallName>(name: Name, request: FastifyRequest): Pick<Call<Name>, 'query' | 'body'> {
  const schema: CallSchema = SCHEMAS[name];
  return {
    query: schema.query && parseInput(schema.query, request.query),
    body: schema.body && parseInput(schema.body, requireBody(request)),
  } as Pick<Call<Name>, 'query' | 'body'>;
}

/** Treats an invalid id as unknown. @throws Failure no-event */
function parseParams(schema: z.ZodObject, input: unknown): unknown {
  const result = schema.safeParse(input);
  if (!result.success) throw new Failure('no-event');
  return result.data;
}

function requireBody(request: FastifyRequest): unknown {
  if (request.body === undefined || request.body === null) throw new Failure('no-data');
  return request.body;
}

function send<Name extends CallName>(
  name: Name,
  reply: FastifyReply,
  response: HandlerResult<ResponseBody<Name>>,
): FastifyReply {
  if (response instanceof FileResponse) return sendFile(reply, response.file);
  const schema: CallSchema = SCHEMAS[name];
  if (response instanceof ListPage && response.nextCursor) void reply.header(NEXT_CURSOR_HEADER, response.nextCursor);
  if (response instanceof ListPage && response.position !== undefined)
    void reply.header(POSITION_HEADER, String(response.position));
  if (response instanceof WithCookies) void reply.header('set-cookie', response.cookies);
  const content = getContent(response);
  return reply.header('cache-control', 'no-store').send(schema.response.parse(content));
}

function sendFile(reply: FastifyReply, { content, type, name, lines }: FileDownload): FastifyReply {
  void reply.headers({
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename="${name}"`,
    ...(lines === undefined ? {} : { [LINE_COUNT_HEADER]: String(lines) }),
  });
  return reply.type(type).send(content);
}

function getContent<Content>(response: Exclude<HandlerResult<Content>, FileResponse>): Content {
  if (response instanceof ListPage) return response.items;
  return response instanceof WithCookies ? response.content : response;
}

function requireRequestedWith(request: FastifyRequest): void {
  if (!request.headers[REQUESTED_WITH_HEADER]) throw new Failure('missing-requested-with');
}
