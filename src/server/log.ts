import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { type DestinationStream, pino } from 'pino';

const MOST_UNWRITTEN_LOG = 1_000_000;

/**
 * The program's log: JSON, a line each, with the time in UTC (docs/operations.md says what is in it and how long to keep it).
 * @param output by default the standard output
 */
export function programLog(level: string, output: DestinationStream = standardOutput()): FastifyBaseLogger {
  return pino({ level, timestamp: pino.stdTimeFunctions.isoTime, serializers: { req: loggedRequest } }, output);
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
