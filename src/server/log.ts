import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Reach } from './db/notifications.ts';
import { isOutOfReach } from './db/unavailable.ts';

const MOST_UNWRITTEN_LOG = 1_000_000;

/**
 * The program's log: JSON, a line each, with the time in UTC (docs/operations.md says what is in it and how long to keep it).
 * While the database is out of reach it has that once, and not every piece of work that fails for it.
 * @param output by default the standard output
 * @param reach of the database, once it is open
 */
export function programLog(
  level: string,
  output: DestinationStream = standardOutput(),
  reach: () => Reach | undefined = () => undefined,
): FastifyBaseLogger {
  const log: Logger = pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { req: loggedRequest, err: loggedError },
      // Fastify's own logger of a request has its id already.
      mixin: (_line, _level, logger): object => {
        const reqId = logger === log ? currentRequest() : undefined;
        return reqId === undefined ? {} : { reqId };
      },
      hooks: {
        logMethod(args, method) {
          const known = isOutOfReach(errorOf(args[0])) ? reach() : undefined;
          if (!known) method.apply(this, args);
          else if (!known.isOut()) void known.look().then((answers) => answers && method.apply(this, args));
        },
      },
    },
    output,
  );
  return log;
}

function errorOf(details: unknown): unknown {
  return typeof details === 'object' && details !== null && 'err' in details ? details.err : undefined;
}

type Request = { readonly id: string; isOpen: boolean };

const requests = new AsyncLocalStorage<Request>();

/** The id of the request that is being answered. What it leaves behind, such as a timer, is no longer part of it. */
export function currentRequest(): string | undefined {
  const request = requests.getStore();
  return request?.isOpen ? request.id : undefined;
}

/** Whatever `work` logs, also by other loggers than the request's own, has the id of the request until its answer ends. */
export function logAsRequest(id: string, response: ServerResponse, work: () => void): void {
  const request: Request = { id, isOpen: true };
  response.once('close', () => {
    request.isOpen = false;
  });
  requests.run(request, work);
}

/** A log in a file on a full disk would end the program. Its lines wait until there is room. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, maxLength: MOST_UNWRITTEN_LOG });
  output.on('error', () => {});
  return output;
}

/** Omits the driver's connection, and the row that broke a rule, which PostgreSQL quotes. */
function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...pino.stdSerializers.err(error), client: undefined, detail: undefined, where: undefined };
}

/** Omits headers and secret parts of addresses: queries, and the keys of recurring gifts. */
function loggedRequest({ method, url }: FastifyRequest): object {
  return { method, path: url.split('?')[0]?.replace(/\/gifts\/[^/]+/, '/gifts/…') };
}
