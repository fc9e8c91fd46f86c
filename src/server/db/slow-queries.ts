import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { Log } from '#server/log.ts';
import { isUnreachable } from './unavailable.ts';

export type SlowQueryOptions = {
  readonly log: Log;
  /** Limit in milliseconds; one second by default. */
  readonly limit?: number;
  /** Called after each query that wasn't dropped because of an outage. @param milliseconds its duration */
  readonly onQuery?: (milliseconds: number) => void;
  /** A monotonic clock in milliseconds. */
  readonly time?: () => number;
};

const SLOW_MS = 1000;
/** Keeps a slow database from filling the log. */
const LOG_INTERVAL_MS = 10_000;
const MAX_SHAPES = 1000;
const MAX_SHAPE_LENGTH = 600;

/**
 * Logs a pool's queries that exceed the limit, without their values. Logs each shape at most once every ten seconds.
 */
export function warnAboutSlowQueries(
  pool: pg.Pool,
  { log, limit = SLOW_MS, onQuery = () => {}, time = () => performance.now() }: SlowQueryOptions,
): void {
  const shapes = new Map<string, { readonly loggedAt: number; unloggedCount: number }>();
  const warn = (text: string, start: number, error: unknown) => {
    const now = time();
    // A query that was dropped because of an outage isn't slow.
    if (isUnreachable(error)) return;
    onQuery(now - start);
    if (now - start < limit) return;
    const query = normalizeQuery(text);
    const lastLog = shapes.get(query);
    if (lastLog && now - lastLog.loggedAt < LOG_INTERVAL_MS) {
      lastLog.unloggedCount += 1;
      return;
    }
    if (shapes.size >= MAX_SHAPES) shapes.clear();
    shapes.set(query, { loggedAt: now, unloggedCount: 0 });
    const unloggedDetail = lastLog?.unloggedCount ? { unloggedSinceLast: lastLog.unloggedCount } : {};
    log.warn({ query, milliseconds: Math.round(now - start), ...unloggedDetail }, 'a query was slow');
  };
  const watchedClients = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (watchedClients.has(client)) return;
    watchedClients.add(client);
    const startTimer = (args: readonly unknown[]) => {
      const start = time();
      // The driver calls back in the connection's context, which may belong to another request.
      return AsyncLocalStorage.bind((error?: unknown) => warn(getQueryText(args[0]), start, error));
    };
    timeQueries(client, startTimer);
  });
}

/** The driver's query method, with all of its signatures. */
type Query = (...args: unknown[]) => unknown;

/** @param begin called with each query's arguments before it runs; returns a function to call when the query has ended */
function timeQueries(client: pg.PoolClient, begin: (args: readonly unknown[]) => (error?: unknown) => void): void {
  const query: Query = client.query.bind(client);
  const timedQuery: Query = (...args) => {
    const end = begin(args);
    const onEnd = args.at(-1);
    if (typeof onEnd === 'function') {
      const callback = (...result: unknown[]) => {
        end(result[0]);
        Reflect.apply(onEnd, undefined, result);
      };
      return query(...args.slice(0, -1), callback);
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(() => end(), end);
    return result;
  };
  Object.assign(client, { query: timedQuery });
}

function getQueryText(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}

/** Comments, three kinds of strings, quoted names, parameter lists, parameters, and numbers. */
const QUERY_PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$(?<tag>[a-z_]*)\$[\s\S]*?\$\k<tag>\$|\be'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|(?<name>"[^"]*")|(?<list>\$\d+(?:\s*,\s*\$\d+)+)|(?<parameter>\$\d+)|(?<![\w.])\d[\d.]*(?:e[+-]?\d+)?/gi;

/** Puts a query on one line, without literal values. */
export function normalizeQuery(sql: string): string {
  const withoutValues = sql.replace(QUERY_PARTS, (part, ...rest) => {
    const groups: Readonly<Record<string, string | undefined>> = rest.at(-1);
    if (groups.name !== undefined || groups.parameter !== undefined) return part;
    if (groups.list !== undefined) return '$…';
    return part.startsWith('--') || part.startsWith('/*') ? ' ' : '?';
  });
  const line = withoutValues.replace(/\s+/g, ' ').trim();
  return line.length > MAX_SHAPE_LENGTH ? `${line.slice(0, MAX_SHAPE_LENGTH)}…` : line;
}
