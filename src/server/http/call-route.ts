import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  API_BASE,
  CALLS,
  type CallName,
  type CallParams,
  LINES_HEADER,
  NEXT_CURSOR_HEADER,
  REQUESTED_WITH_HEADER,
} from '#contract/calls.ts';
import { languageNamed } from '#contract/languages.ts';
import {
  type Answer,
  type CallSchema,
  type ReceivedBody,
  type ReceivedParams,
  type ReceivedQuery,
  SCHEMAS,
} from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import { type Action, type Actor, type Need, type Subject, unmetNeed } from '#domain/permissions.ts';
import type { Language } from '#messages';
import { actAs } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import type { Identity } from '#server/gateways/identity/identity.ts';
import { ListPage } from '#server/list-page.ts';
import type { OrgFacts } from '#server/orgs/find-org.ts';
import { actorOf, permit } from './actor.ts';
import { read } from './input.ts';
import { sendProblem } from './problems.ts';

/** The organization of a call whose path names one. */
type OrgOf<Name extends CallName> = CallParams<Name> extends { readonly orgid: string } ? OrgFacts : undefined;

/** What a handler gets: permitted, and parsed. */
export type Call<Name extends CallName> = {
  readonly actor: Actor;
  readonly org: OrgOf<Name>;
  readonly params: ReceivedParams<Name>;
  readonly query: ReceivedQuery<Name>;
  readonly body: ReceivedBody<Name>;
  readonly request: FastifyRequest;
  /** Of the page that makes the call. */
  readonly language: Language;
};

/** An answer with which the browser is given cookies, or loses them. */
export class WithCookies<Content> {
  readonly content: Content;
  /** Set-Cookie headers. */
  readonly cookies: readonly string[];

  constructor(content: Content, cookies: readonly string[]) {
    this.content = content;
    this.cookies = cookies;
  }
}

/** An answer that is a file, written while it is sent. */
export type FileParts = {
  readonly content: Readable | Buffer;
  /** As in a Content-Type. */
  readonly type: string;
  readonly name: string;
  /** Lines below the heading, so that the client can show progress and notice a truncated file. */
  readonly lines?: number;
};

export class FileAnswer {
  readonly file: FileParts;

  constructor(file: FileParts) {
    this.file = file;
  }
}

type Handled<Content> = Content | ListPage<Content> | WithCookies<Content> | FileAnswer;

export type CallHandler<Name extends CallName> = {
  /** What the permission table is asked before the request is read. */
  readonly action: Action;
  /** What the action is about; by default the organization that the path names. */
  readonly subject?: (params: ReceivedParams<Name>) => Subject | Promise<Subject>;
  /** What it needs beside a token, always or depending on what is sent. */
  readonly needs?: Need | ((call: Pick<Call<Name>, 'org' | 'body'>) => Need | undefined);
  /** Whether it takes far more work than other calls: files, and what is computed from all gifts. */
  readonly isCostly?: boolean;
  /** Bytes of the body, if more than other calls take. */
  readonly bodyLimit?: number;
  readonly handle: (call: Call<Name>) => Promise<Handled<Answer<Name>> | Failure>;
  /**
   * What visitors are answered depends on nothing but the address and the version of its organization: it is kept until
   * that changes.
   */
  readonly isKept?: boolean;
};

/** Answers that are the same for every visitor. */
export type KeptCalls = {
  /**
   * Sends what is kept, or what is made now for all who ask at the same time.
   * @param orgId whose change ends it; undefined where none does
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: { readonly orgId: string | undefined; readonly make: () => Promise<MadeAnswer> },
  ): Promise<FastifyReply>;
  /** Resolves once this process keeps nothing from before the organization's last change. */
  changed(orgId: string): Promise<void>;
};

export type MadeAnswer = { readonly content: unknown; readonly nextCursor: string | undefined };

export type CallDeps = Pick<AppDeps, 'findOrg' | 'now'> & { readonly identity: Pick<Identity, 'actorOf'> };

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: CallName;
    action?: Action;
    isCostly?: boolean;
  }
  interface FastifyInstance {
    /** Absent where nothing is kept. */
    kept?: KeptCalls;
  }
}

type Admission<Name extends CallName> = Pick<Call<Name>, 'actor' | 'org' | 'params'>;

/**
 * Makes the route of a call: identify → find the organization → permit → parse → handle → present. No body is
 * read before its sender is permitted, and only what the answer's schema names is sent.
 */
export function registerCall<Name extends CallName>(
  app: FastifyInstance,
  deps: CallDeps,
  name: Name,
  handler: CallHandler<Name>,
): void {
  const { method, path } = CALLS[name];
  const admissions = new WeakMap<FastifyRequest, Admission<Name>>();
  const answerTo = async (request: FastifyRequest): Promise<Handled<Answer<Name>> | Failure> => {
    const admission = admissions.get(request) ?? (await admit(deps, name, handler, request));
    const { actor } = admission;
    const language = languageNamed(request.headers['accept-language']);
    const call = { ...admission, ...receive(name, request), request, language };
    if (typeof handler.needs === 'function') requireNeed(handler.needs(call), actor, deps.now());
    const who = { userId: actor.kind === 'user' ? actor.userId : undefined, client: request.ip };
    const work = () => handler.handle(call);
    // What the program learns from the payment provider while it answers a reader was not done by the reader.
    if (method === 'GET') return work();
    const answer = await actAs(who, work);
    // What they read next shows what they did.
    if (admission.org) await app.kept?.changed(admission.org.id);
    return answer;
  };
  const isKeptFor = ({ headers }: FastifyRequest) => handler.isKept && headers.authorization === undefined;
  app.route({
    method,
    url: API_BASE + path,
    config: { call: name, action: handler.action, isCostly: handler.isCostly === true },
    ...(handler.bodyLimit === undefined ? {} : { bodyLimit: handler.bodyLimit }),
    onRequest: async (request) => {
      // It may be kept already: nothing is looked up.
      if (app.kept && isKeptFor(request)) return;
      admissions.set(request, await admit(deps, name, handler, request));
    },
    handler: async (request, reply) => {
      if (app.kept && isKeptFor(request)) {
        const make = async () => made(name, await answerTo(request));
        return app.kept.send(request, reply, { orgId: orgIdIn(request.params), make });
      }
      const answer = await answerTo(request);
      return answer instanceof Failure ? sendProblem(request, reply, answer) : send(name, reply, answer);
    },
  });
}

/** @throws Failure */
function made<Name extends CallName>(name: Name, answer: Handled<Answer<Name>> | Failure): MadeAnswer {
  if (answer instanceof Failure) throw answer;
  if (answer instanceof FileAnswer || answer instanceof WithCookies) throw new Error(`${name} can't be kept.`);
  const schema: CallSchema = SCHEMAS[name];
  const nextCursor = answer instanceof ListPage ? answer.nextCursor : undefined;
  return { content: schema.answer.parse(contentOf(answer)), nextCursor };
}

/** @throws Failure naming why this caller cannot make the call, whatever is sent with it */
async function admit<Name extends CallName>(
  { identity, findOrg, now }: CallDeps,
  name: Name,
  { action, subject, needs }: CallHandler<Name>,
  request: FastifyRequest,
): Promise<Admission<Name>> {
  if (CALLS[name].method !== 'GET') requireRequestedWith(request);
  const actor = await actorOf(request, identity);
  const schema: CallSchema = SCHEMAS[name];
  // What the name's own schema read: that the lookup by name keeps the two together is beyond the type checker.
  const params = (schema.params && paramsOf(schema.params, request.params)) as ReceivedParams<Name>;
  const org = await orgOf(findOrg, params);
  permit(actor, action, (await subject?.(params)) ?? (org ? { orgId: org.id } : {}));
  if (typeof needs === 'string') requireNeed(needs, actor, now());
  return { actor, org: org as OrgOf<Name>, params };
}

/** @throws Failure token-stale, proof-required */
function requireNeed(need: Need | undefined, actor: Actor, now: Date): void {
  const unmet = need && unmetNeed(need, actor, now);
  if (unmet) throw new Failure(unmet);
}

/** @throws Failure org-not-found */
async function orgOf(findOrg: CallDeps['findOrg'], params: unknown): Promise<OrgFacts | undefined> {
  const orgId = orgIdIn(params);
  if (orgId === undefined) return undefined;
  const org = await findOrg(orgId);
  if (!org) throw new Failure('org-not-found');
  return org;
}

function orgIdIn(params: unknown): string | undefined {
  const orgId = typeof params === 'object' && params !== null && 'orgid' in params ? params.orgid : undefined;
  return typeof orgId === 'string' ? orgId : undefined;
}

function receive<Name extends CallName>(name: Name, request: FastifyRequest): Pick<Call<Name>, 'query' | 'body'> {
  const schema: CallSchema = SCHEMAS[name];
  return {
    query: schema.query && read(schema.query, request.query),
    body: schema.body && read(schema.body, bodyOf(request)),
  } as Pick<Call<Name>, 'query' | 'body'>;
}

/** An id that is not one of ours names nothing. @throws Failure no-event */
function paramsOf(schema: z.ZodObject, sent: unknown): unknown {
  const result = schema.safeParse(sent);
  if (!result.success) throw new Failure('no-event');
  return result.data;
}

function bodyOf(request: FastifyRequest): unknown {
  if (request.body === undefined || request.body === null) throw new Failure('no-data');
  return request.body;
}

function send<Name extends CallName>(name: Name, reply: FastifyReply, answer: Handled<Answer<Name>>): FastifyReply {
  if (answer instanceof FileAnswer) return sendFile(reply, answer.file);
  const schema: CallSchema = SCHEMAS[name];
  if (answer instanceof ListPage && answer.nextCursor) void reply.header(NEXT_CURSOR_HEADER, answer.nextCursor);
  if (answer instanceof WithCookies) void reply.header('set-cookie', answer.cookies);
  const content = contentOf(answer);
  return reply.header('cache-control', 'no-store').send(schema.answer.parse(content));
}

function sendFile(reply: FastifyReply, { content, type, name, lines }: FileParts): FastifyReply {
  void reply.headers({
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename="${name}"`,
    ...(lines === undefined ? {} : { [LINES_HEADER]: String(lines) }),
  });
  return reply.type(type).send(content);
}

function contentOf<Content>(answer: Exclude<Handled<Content>, FileAnswer>): Content {
  if (answer instanceof ListPage) return answer.items;
  return answer instanceof WithCookies ? answer.content : answer;
}

function requireRequestedWith(request: FastifyRequest): void {
  if (!request.headers[REQUESTED_WITH_HEADER]) throw new Failure('missing-requested-with');
}
