import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { Log } from './connection.ts';
import { isOutOfReach } from './unavailable.ts';

export type SlowQueries = {
  readonly log: Log;
  /** In milliseconds. */
  readonly limit: number;
  /** Called for each slow query, also for those that are not logged. */
  readonly onSlow?: () => void;
  /** Milliseconds of a clock that only goes forward. */
  readonly time?: () => number;
};

/** A database that is slow for all would fill the log. */
const LOGGED_EVERY_MS = 10_000;
const MOST_SHAPES = 1000;
const LONGEST_SHAPE = 600;

/** Names the queries of a pool that take longer than the limit, each kind once in ten seconds, and without its values. */
export function warnOfSlowQueries(
  pool: pg.Pool,
  { log, limit, onSlow = () => {}, time = () => performance.now() }: SlowQueries,
): void {
  const shapes = new Map<string, { readonly loggedAt: number; more: number }>();
  const warn = (text: string, start: number, error: unknown) => {
    const now = time();
    // What is given up because the database is out of reach is not slow.
    if (now - start < limit || isOutOfReach(error)) return;
    onSlow();
    const query = shapeOf(text);
    const last = shapes.get(query);
    if (last && now - last.loggedAt < LOGGED_EVERY_MS) {
      last.more += 1;
      return;
    }
    if (shapes.size >= MOST_SHAPES) shapes.clear();
    shapes.set(query, { loggedAt: now, more: 0 });
    const more = last?.more ? { moreSinceTheLast: last.more } : {};
    log.warn({ query, milliseconds: Math.round(now - start), ...more }, 'a query was slow');
  };
  const known = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    const begun = (args: readonly unknown[]) => {
      const start = time();
      // The driver calls back in the context of the connection, which may be another request's.
      return AsyncLocalStorage.bind((error?: unknown) => warn(textOf(args[0]), start, error));
    };
    timeQueries(client, begun);
  });
}

/** The driver's, by all of its signatures. */
type Query = (...args: unknown[]) => unknown;

/** @param begin called before each query with what it is given; what it returns is called once the query has ended */
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

/** Comments; strings of three kinds; names in quotes, which stay; numbers; many parameters. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$(?<tag>[a-z_]*)\$[\s\S]*?\$\k<tag>\$|\be'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|(?<name>"[^"]*")|(?<list>\$\d+(?:\s*,\s*\$\d+)+)|(?<parameter>\$\d+)|(?<![\w.])\d[\d.]*(?:e[+-]?\d+)?/gi;

/** A query on one line, without any value that is written in it. */
export function shapeOf(sql: string): string {
  const bare = sql.replace(PARTS, (part, ...rest) => {
    const groups: Readonly<Record<string, string | undefined>> = rest.at(-1);
    if (groups.name !== undefined || groups.parameter !== undefined) return part;
    if (groups.list !== undefined) return '$…';
    return part.startsWith('--') || part.startsWith('/*') ? ' ' : '?';
  });
  const line = bare.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_SHAPE ? `${line.slice(0, LONGEST_SHAPE)}…` : line;
}
