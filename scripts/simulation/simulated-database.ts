import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { applyFaultOutcome, Crash, type Faults, pickFaultOutcome } from './faults.ts';
import type { World } from './world.ts';

type QueryResult = { readonly rows: unknown[]; readonly rowCount: number; readonly command: string };

/**
 * A real database behind a connection that can break before or after any commit. There is only one connection, so that the
 * seed determines the order of transactions. Locks have their own tests.
 */
export type SimulatedDatabase = {
  readonly db: Database;
  /** The same connection for the simulation's own queries. It breaks only when the process crashes. */
  readonly inspector: Kysely<Tables>;
};

export function createSimulatedDatabase(realDb: Database, world: () => World): SimulatedDatabase {
  let isBusy = false;
  const createKysely = (isFaulty: boolean) => {
    const connect = async () => {
      await world().schedule.waitForTurn(() => !isBusy);
      if (world().faults.hasCrashed) throw new Crash();
      isBusy = true;
      const client = await world().schedule.waitFor(realDb.pool.connect());
      const release = () => {
        isBusy = false;
        client.release();
      };
      return { query: createQuery(client, world, isFaulty), release };
    };
    // Kysely uses only these methods of a pool.
    const pool = { connect, end: async () => {} };
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) });
  };
  // The simulation has no listeners.
  const changes = { ...realDb.changes, announce: async () => {} };
  return { db: { ...realDb, changes, kysely: createKysely(true) }, inspector: createKysely(false) };
}

function createQuery(client: pg.PoolClient, world: () => World, isFaulty: boolean) {
  let isOpen = false;
  const send = async (text: string, values: readonly unknown[] = []): Promise<QueryResult> => {
    const result = (await world().schedule.waitFor(
      client.query(prepareStatement(text, values)),
    )) as unknown as QueryResult;
    return /\border by\b/i.test(text) && !UPDATE_RETURNING_PATTERN.test(text)
      ? result
      : { ...result, rows: sortRows(result.rows) };
  };
  const rollBack = async () => {
    if (isOpen) await send('rollback');
    isOpen = false;
  };
  const commit = async (faults: Faults, text: string, values?: readonly unknown[]) => {
    const outcome = isFaulty ? pickFaultOutcome(faults, world().random, 'commit') : 'done';
    try {
      return await applyFaultOutcome(outcome, faults, 'ECONNRESET', () => send(text, values));
    } finally {
      if (outcome.endsWith('before')) await rollBack();
      isOpen = false;
    }
  };
  return async (text: string, values?: readonly unknown[]): Promise<QueryResult> => {
    const { faults } = world();
    const [command = ''] = /\w+/.exec(text.toLowerCase()) ?? [];
    if (command === 'rollback') {
      await rollBack();
      return { rows: [], rowCount: 0, command: 'ROLLBACK' };
    }
    if (faults.hasCrashed) throw new Crash();
    if (command === 'begin' || command === 'start') isOpen = true;
    const isCommit = command === 'commit' || (!isOpen && ['insert', 'update', 'delete'].includes(command));
    return isCommit ? commit(faults, text, values) : send(text, values);
  };
}

/** Connection to the database itself, with prepared statements. */
export function withPreparedStatements({ pool }: Database): Kysely<Tables> {
  const connect = async () => {
    const client = await pool.connect();
    const query = (text: string, values?: readonly unknown[]) => client.query(prepareStatement(text, values));
    return { query, release: () => client.release() };
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } as never }) });
}

const statementNames = new Map<string, string>();

/** Names each statement so that PostgreSQL plans it only once. Planning took half of the database's time. */
function prepareStatement(text: string, values: readonly unknown[] = []): pg.QueryConfig {
  const name = statementNames.get(text) ?? `statement ${statementNames.size}`;
  statementNames.set(text, name);
  return { name, text, values: [...values] };
}

const UPDATE_RETURNING_PATTERN = /\bupdate\b[\s\S]*\breturning\b/i;

/** Sorts the rows of a query without ORDER BY, since their order varies and replays need the same order. */
function sortRows(rows: unknown[]): unknown[] {
  return rows.length < 2 ? rows : rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
