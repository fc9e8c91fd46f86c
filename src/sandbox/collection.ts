import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { invalidRequest } from './parameters.ts';
import type { CollectionName } from './tables.ts';

export type Condition = { readonly sql: string; readonly values: readonly SQLInputValue[] };

export type Page = {
  readonly conditions?: readonly Condition[];
  readonly limit?: number | undefined;
  readonly startingAfter?: string | undefined;
  readonly endingBefore?: string | undefined;
};

export type ResourceList<T> = { readonly data: T[]; readonly hasMore: boolean };

export type Collection<T> = {
  find(id: string): T | undefined;
  /** Inserts the resource, or replaces the one with the same id. */
  save(resource: T): void;
  remove(id: string): void;
  /** Newest first. The limit is 1 to 100, 10 by default. */
  list(page: Page): ResourceList<T>;
  /** Newest first. */
  all(...conditions: Condition[]): T[];
  /** The first resource whose `due_at` has passed. @param now in seconds */
  nextDue(now: number): { readonly resource: T; readonly dueAt: number } | undefined;
};

export function limitError(): Error {
  return invalidRequest('Invalid limit: must be from 1 to 100', 'limit', 'parameter_invalid_integer');
}

export const equals = (column: string, value: SQLInputValue): Condition => ({ sql: `${column} = ?`, values: [value] });

export function createCollection<T extends { id: string }>(db: DatabaseSync, name: CollectionName): Collection<T> {
  const find = db.prepare(`SELECT resource FROM ${name} WHERE id = ?`);
  const findSeq = db.prepare(`SELECT seq FROM ${name} WHERE id = ?`);
  const save = db.prepare(
    `INSERT INTO ${name} (id, resource) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET resource = excluded.resource`,
  );
  const remove = db.prepare(`DELETE FROM ${name} WHERE id = ?`);
  // Cached, since advancing the clock by a year runs the same few queries thousands of times.
  const statements = new Map<string, StatementSync>();
  const prepareCached = (sql: string): StatementSync => {
    const cachedStatement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, cachedStatement);
    return cachedStatement;
  };
  const parse = (row: Record<string, unknown>): T => JSON.parse(String(row.resource)) as T;

  function select(conditions: readonly Condition[], order: 'ASC' | 'DESC', limit: number): T[] {
    const condition = conditions.map(({ sql }) => `(${sql})`).join(' AND ') || 'TRUE';
    const rows = prepareCached(`SELECT resource FROM ${name} WHERE ${condition} ORDER BY seq ${order} LIMIT ?`);
    return rows.all(...conditions.flatMap(({ values }) => values), limit).map(parse);
  }

  function cursorCondition(comparison: '<' | '>', id: string, param: string): Condition {
    const row = findSeq.get(id);
    if (!row) throw invalidRequest(`No such object: '${id}'`, param, 'resource_missing');
    return { sql: `seq ${comparison} ?`, values: [Number(row.seq)] };
  }

  function list({ conditions = [], limit = 10, startingAfter, endingBefore }: Page): ResourceList<T> {
    if (limit < 1 || limit > 100) throw limitError();
    const cursors = [
      ...(startingAfter === undefined ? [] : [cursorCondition('<', startingAfter, 'starting_after')]),
      ...(endingBefore === undefined ? [] : [cursorCondition('>', endingBefore, 'ending_before')]),
    ];
    const isBackwards = endingBefore !== undefined;
    const resources = select([...conditions, ...cursors], isBackwards ? 'ASC' : 'DESC', limit + 1);
    const data = resources.slice(0, limit);
    return { data: isBackwards ? data.reverse() : data, hasMore: resources.length > limit };
  }

  return {
    find: (id) => {
      const row = find.get(id);
      return row && parse(row);
    },
    save: (resource) => void save.run(resource.id, JSON.stringify(resource)),
    remove: (id) => void remove.run(id),
    list,
    all: (...conditions) => select(conditions, 'DESC', -1),
    nextDue: (now) => {
      const sql = `SELECT resource, due_at FROM ${name} WHERE due_at <= ? ORDER BY due_at, seq LIMIT 1`;
      const row = prepareCached(sql).get(now);
      return row && { resource: parse(row), dueAt: Number(row.due_at) };
    },
  };
}
