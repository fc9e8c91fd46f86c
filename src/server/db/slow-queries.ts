import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { Log } from '#server/log.ts';
import { isOutOfReach } from './unavailable.ts';

export type SlowQueries = {
  readonly log: Log;
  /** In milliseconds. */
  readonly limit: number;
  /** Called for each slow query, even if it isn't logged. */
  readonly onSlow?: () => void;
  /** Milliseconds of a monotonic clock. */
  readonly time?: () => number;
};

/** A generally slow database would fill the log. */
const LOG_INTERVAL_MS = 10_000;
const MAX_SHAPES = 1000;
const MAX_SHAPE_LENGTH = 600;

/** Logs queries of a pool that exceed the limit, each kind once in ten seconds, and without its values. */
export function warnOfSlowQueries(
  pool: pg.Pool,
  { log, limit, onSlow = () => {}, time = () => performance.now() }: SlowQueries,
): void {
  const shapes = new Map<string, { readonly loggedAt: number; more: number }>();
  const warn = (text: string, start: number, error: unknown) => {
    const now = time();
    // Queries given up because of an outage are not slow.
    if (now - start < limit || isOutOfReach(error)) return;
    onSlow();
    const query = shapeOf(text);
    const last = shapes.get(query);
    if (last && now - last.loggedAt < LOG_INTERVAL_MS) {
      last.more += 1;
      return;
    }
    if (shapes.size >= MAX_SHAPES) shapes.clear();
    shapes.set(query, { loggedAt: now, more: 0 });
    const more = last?.more ? { moreSinceTheLast: last.more } : {};
    log.warn({ query, milliseconds: Math.round(now - start), ...more }, 'a query was slow');
  };
  const watchedClients = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (watchedClients.has(client)) return;
    watchedClients.add(client);
    const begin = (args: readonly unknown[]) => {
      const start = time();
      // The driver calls back in the connection's context, which may belong to another request.
      return AsyncLocalStorage.bind((error?: unknown) => warn(textOf(args[0]), start, error));
    };
    timeQueries(client, begin);
  });
}

/** The driver's query method, with all of its signatures. */
type Query = (...args: unknown[]) => unknown;

/** @param begin called before each query with its arguments; its result is called once the query has ended */
function timeQueries(client: pg.PoolClient, begin: (args: readonly unknown[]) => (error?: unknown) => void): void {
  const query: Query = client.query.bind(client);
  const timed: Query = (...args) => {
    const end = begin(args);
    const onEnd = args.at(-1);
    if (typeof onEnd === 'function') {
      const endFirst = (...result: unknown[]) => {
        end(result[0]);
        Reflect.apply(onEnd, undefined, result);
      };
      return query(...args.slice(0, -1), endFirst);
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(() => end(), end);
    return result;
  };
  Object.assign(client, { query: timed });
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}

/** Comments; three kinds of strings; quoted names, which stay; numbers; many parameters. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$(?<tag>[a-z_]*)\$[\s\S]*?\$\k<tag>\$|\be'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|(?<name>"[^"]*")|(?<list>\$\d+(?:\s*,\s*\$\d+)+)|(?<parameter>\$\d+)|(?<![\w.])\d[\d.]*(?:e[+-]?\d+)?/gi;

/** A query on one line, without literal values. */
export function shapeOf(sql: string): string {
  const stripped = sql.replace(PARTS, (part, ...rest) => {
    const groups: Readonly<Record<string, string | undefined>> = rest.at(-1);
    if (groups.name !== undefined || groups.parameter !== undefined) return part;
    if (groups.list !== undefined) return '$…';
    return part.startsWith('--') || part.startsWith('/*') ? ' ' : '?';
  });
  const line = stripped.replace(/\s+/g, ' ').trim();
  return line.length > MAX_SHAPE_LENGTH ? `${line.slice(0, MAX_SHAPE_LENGTH)}…` : line;
}
