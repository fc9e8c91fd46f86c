import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  API_BASE,
  CALLS,
  type CallName,
  LINES_HEADER,
  NEXT_CURSOR_HEADER,
  REQUESTED_WITH_HEADER,
} from '#contract/calls.ts';
import {
  type Answer,
  type CallSchema,
  type ReceivedBody,
  type ReceivedParams,
  type ReceivedQuery,
  SCHEMAS,
} from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { Action, Actor, Subject } from '#domain/permissions.ts';
import type { Identity } from '#server/gateways/identity/identity.ts';
import { actorOf, permit } from './actor.ts';
import { read } from './input.ts';
import { sendProblem } from './problems.ts';

/** What a handler is given: already parsed, and already permitted. */
export type Call<Name extends CallName> = {
  readonly actor: Actor;
  readonly params: ReceivedParams<Name>;
  readonly query: ReceivedQuery<Name>;
  readonly body: ReceivedBody<Name>;
  readonly request: FastifyRequest;
};

/** A part of a list, and the id to go on from where there is more. */
export class ListPart<Items> {
  readonly items: Items;
  readonly nextCursor: string | undefined;

  constructor(items: Items, nextCursor: string | undefined) {
    this.items = items;
    this.nextCursor = nextCursor;
  }
}

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
  readonly content: Readable;
  /** As in a Content-Type. */
  readonly type: string;
  readonly name: string;
  /** How many lines it has, without its heading, so that whoever waits sees how far it is and that all of it came. */
  readonly lines: number;
};

export class FileAnswer {
  readonly file: FileParts;

  constructor(file: FileParts) {
    this.file = file;
  }
}

type Handled<Content> = Content | ListPart<Content> | WithCookies<Content> | FileAnswer;

export type CallHandler<Name extends CallName> = {
  /** What the permission table is asked before the handler runs. */
  readonly action: Action;
  readonly subject?: (params: ReceivedParams<Name>) => Subject | Promise<Subject>;
  readonly handle: (call: Call<Name>) => Promise<Handled<Answer<Name>> | Failure>;
};

/**
 * Makes the route of a call: identify → parse → permit → handle → present. What the answer's schema does not name is
 * not sent.
 */
export function registerCall<Name extends CallName>(
  app: FastifyInstance,
  identity: Pick<Identity, 'actorOf'>,
  name: Name,
  { action, subject, handle }: CallHandler<Name>,
): void {
  const { method, path } = CALLS[name];
  app.route({
    method,
    url: API_BASE + path,
    handler: async (request, reply) => {
      if (method !== 'GET') requireRequestedWith(request);
      // First of all: whoever comes with a token that is not good is told that, whatever they sent with it.
      const actor = await actorOf(request, identity);
      const received = receive(name, request);
      permit(actor, action, (await subject?.(received.params)) ?? {});
      const answer = await handle({ ...received, actor, request });
      return answer instanceof Failure ? sendProblem(request, reply, answer) : send(name, reply, answer);
    },
  });
}

type Received<Name extends CallName> = Pick<Call<Name>, 'params' | 'query' | 'body'>;

function receive<Name extends CallName>(name: Name, request: FastifyRequest): Received<Name> {
  const schema: CallSchema = SCHEMAS[name];
  // Each part is what its own schema read; that the lookup by name keeps them together is beyond the type checker.
  return {
    params: schema.params && paramsOf(schema.params, request.params),
    query: schema.query && read(schema.query, request.query),
    body: schema.body && read(schema.body, bodyOf(request)),
  } as Received<Name>;
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
  if (answer instanceof ListPart && answer.nextCursor) void reply.header(NEXT_CURSOR_HEADER, answer.nextCursor);
  if (answer instanceof WithCookies) void reply.header('set-cookie', answer.cookies);
  const content = contentOf(answer);
  return reply.header('cache-control', 'no-store').send(schema.answer.parse(content));
}

function sendFile(reply: FastifyReply, { content, type, name, lines }: FileParts): FastifyReply {
  void reply.headers({
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename="${name}"`,
    [LINES_HEADER]: String(lines),
  });
  return reply.type(type).send(content);
}

function contentOf<Content>(answer: Exclude<Handled<Content>, FileAnswer>): Content {
  if (answer instanceof ListPart) return answer.items;
  return answer instanceof WithCookies ? answer.content : answer;
}

function requireRequestedWith(request: FastifyRequest): void {
  if (!request.headers[REQUESTED_WITH_HEADER]) throw new Failure('missing-requested-with');
}
