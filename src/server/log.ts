import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { isUnreachable } from './db/unavailable.ts';

/** Logger interface used by most of the server; Fastify's logger satisfies it. */
export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

type DatabaseState = { isDown(): boolean; check(): Promise<boolean> };

/** Bytes. */
const MAX_BUFFERED_LOG_BYTES = 1_000_000;

/**
 * The program's log, with one JSON object per line and times in UTC. See docs/running.md.
 *
 * A database outage is logged once, instead of every failure that it causes.
 * @param output defaults to standard output
 * @param databaseState returns the state of the database once it is open
 */
export function createLogger(
  level: string,
  output: DestinationStream = openStandardOutput(),
  databaseState: () => DatabaseState | undefined = () => undefined,
): FastifyBaseLogger {
  const log: Logger = pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { req: serializeRequest, err: serializeError },
      // Fastify's request logger adds the id itself.
      mixin: (_line, _level, logger): object => {
        const reqId = logger === log ? getCurrentRequestId() : undefined;
        return reqId === undefined ? {} : { reqId };
      },
      hooks: {
        logMethod(args, method) {
          const database = isUnreachable(findError(args[0])) ? databaseState() : undefined;
          if (!database) method.apply(this, args);
          else if (!database.isDown()) void database.check().then((responds) => responds && method.apply(this, args));
        },
      },
    },
    output,
  );
  return log;
}

function findError(details: unknown): unknown {
  return typeof details === 'object' && details !== null && 'err' in details ? details.err : undefined;
}

type Request = { readonly id: string; isOpen: boolean };

const requests = new AsyncLocalStorage<Request>();

/** The id of the current request; undefined after its response, for example in a timer that it started. */
export function getCurrentRequestId(): string | undefined {
  const request = requests.getStore();
  return request?.isOpen ? request.id : undefined;
}

/** Adds the request's id to all log lines of `work`, whichever logger it uses, until the response ends. */
export function runWithRequestId(id: string, response: ServerResponse, work: () => void): void {
  const request: Request = { id, isOpen: true };
  response.once('close', () => {
    request.isOpen = false;
  });
  requests.run(request, work);
}

/** Ignores write errors, because a full disk must not stop the program. Buffers lines until there is space. */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, maxLength: MAX_BUFFERED_LOG_BYTES });
  output.on('error', () => {});
  return output;
}

/** Omits the driver's connection, and PostgreSQL's details, which may contain the row that violated a constraint. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...pino.stdSerializers.err(error), client: undefined, detail: undefined, where: undefined };
}

/** Omits headers, queries, and the secret keys of recurring gifts. */
function serializeRequest({ method, url }: FastifyRequest): object {
  return { method, path: url.split('?')[0]?.replace(/(?<=\/(?:recurring-)?gifts\/)[^/]+/g, '…') };
}
