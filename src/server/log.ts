import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';

const MOST_UNWRITTEN_LOG = 1_000_000;

/**
 * The program's log: JSON, a line each, with the time in UTC (docs/operations.md says what is in it and how long to keep it).
 * @param output by default the standard output
 */
export function programLog(level: string, output: DestinationStream = standardOutput()): FastifyBaseLogger {
  const log: Logger = pino(
    {
      ...{ level, timestamp: pino.stdTimeFunctions.isoTime, serializers: { req: loggedRequest } },
      // Fastify's own logger of a request has its id already.
      mixin: (_line, _level, logger): object => {
        const reqId = logger === log ? currentRequest() : undefined;
        return reqId === undefined ? {} : { reqId };
      },
    },
    output,
  );
  return log;
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

/** Without headers, and without what opens a page by itself: queries, and the keys of recurring gifts. */
function loggedRequest({ method, url }: FastifyRequest): object {
  return { method, path: url.split('?')[0]?.replace(/\/gifts\/[^/]+/, '/gifts/…') };
}
