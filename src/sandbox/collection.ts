// A kind of Stripe resource, kept as the JSON that the API answers. What is searched by is a column made from that JSON.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { invalidRequest } from './api-error.ts';

const SEARCHED_BY = {
  sessions: ['created', 'status', 'expires_at', 'payment_intent', 'subscription', 'customer'],
  session_files: ['payment_intent'],
  products: [],
  payment_intents: ['status'],
  charges: ['payment_intent'],
  refunds: ['created', 'payment_intent', 'charge'],
  customers: [],
  subscriptions: ['customer'],
  invoices: [],
  invoice_payments: ['invoice'],
  portal_sessions: [],
  events: ['created', 'type'],
} as const;

export type CollectionName = keyof typeof SEARCHED_BY;

/** A piece of a WHERE clause. */
export type Condition = { readonly sql: string; readonly values: readonly SQLInputValue[] };

export type Page = {
  readonly conditions?: readonly Condition[];
  readonly limit?: number | undefined;
  readonly startingAfter?: string | undefined;
  readonly endingBefore?: string | undefined;
};

export type Collection<T> = {
  find(id: string): T | undefined;
  /** Adds it, or puts it in the place of the one with the same id. */
  save(resource: T): void;
  /** Newest first. @param page limit: 1 to 100, 10 by default */
  list(page: Page): { data: T[]; hasMore: boolean };
  /** All of them, newest first. */
  all(...conditions: Condition[]): T[];
};

export function limitOutOfRange(): Error {
  return invalidRequest('Invalid limit: must be from 1 to 100', 'limit', 'parameter_invalid_integer');
}

export const equals = (column: string, value: SQLInputValue): Condition => ({ sql: `${column} = ?`, values: [value] });

export function tableDefinitions(): string {
  return Object.entries(SEARCHED_BY)
    .map(([name, columns]) => tableDefinition(name, columns))
    .join('\n');
}

function tableDefinition(name: string, columns: readonly string[]): string {
  const generated = columns.map((column) => `, ${column} ANY GENERATED ALWAYS AS (resource ->> '$.${column}') VIRTUAL`);
  const indexes = columns.map((column) => `CREATE INDEX ${name}_by_${column} ON ${name} (${column});`);
  return `CREATE TABLE ${name} (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, resource TEXT NOT NULL${generated.join('')}) STRICT; ${indexes.join(' ')}`;
}

export function collection<T extends { id: string }>(db: DatabaseSync, name: CollectionName): Collection<T> {
  const find = db.prepare(`SELECT resource FROM ${name} WHERE id = ?`);
  const seqOf = db.prepare(`SELECT seq FROM ${name} WHERE id = ?`);
  const save = db.prepare(
    `INSERT INTO ${name} (id, resource) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET resource = excluded.resource`,
  );
  const parse = (row: Record<string, unknown>): T => JSON.parse(String(row.resource)) as T;

  function select(conditions: readonly Condition[], order: 'ASC' | 'DESC', limit: number): T[] {
    const where = conditions.map(({ sql }) => `(${sql})`).join(' AND ') || 'TRUE';
    const rows = db.prepare(`SELECT resource FROM ${name} WHERE ${where} ORDER BY seq ${order} LIMIT ?`);
    return rows.all(...conditions.flatMap(({ values }) => values), limit).map(parse);
  }

  function beside(comparison: '<' | '>', id: string, param: string): Condition {
    const row = seqOf.get(id);
    if (!row) throw invalidRequest(`No such object: '${id}'`, param, 'resource_missing');
    return { sql: `seq ${comparison} ?`, values: [Number(row.seq)] };
  }

  function list({ conditions = [], limit = 10, startingAfter, endingBefore }: Page): { data: T[]; hasMore: boolean } {
    if (limit < 1 || limit > 100) throw limitOutOfRange();
    const edges = [
      ...(startingAfter === undefined ? [] : [beside('<', startingAfter, 'starting_after')]),
      ...(endingBefore === undefined ? [] : [beside('>', endingBefore, 'ending_before')]),
    ];
    const backwards = endingBefore !== undefined;
    const found = select([...conditions, ...edges], backwards ? 'ASC' : 'DESC', limit + 1);
    const data = found.slice(0, limit);
    return { data: backwards ? data.reverse() : data, hasMore: found.length > limit };
  }

  return {
    find: (id) => {
      const row = find.get(id);
      return row && parse(row);
    },
    save: (resource) => void save.run(resource.id, JSON.stringify(resource)),
    list,
    all: (...conditions) => select(conditions, 'DESC', -1),
  };
}
