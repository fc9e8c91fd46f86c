import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { Crash, type Faults, fateOf, meet } from './faults.ts';
import type { World } from './world.ts';

type Query = { readonly rows: unknown[]; readonly rowCount: number; readonly command: string };

/**
 * A real database behind a connection that breaks at any commit, before it or after it. There is one connection, so that
 * transactions follow one another in the order of the seed; locks have their own tests.
 */
export type SimulatedDatabase = {
  readonly db: Database;
  /** The same connection, which breaks only with the process: for what the simulation itself looks up. */
  readonly look: Kysely<Tables>;
};

export function simulatedDatabase(real: Database, world: () => World): SimulatedDatabase {
  let isTaken = false;
  const kysely = (breaks: boolean) => {
    const connect = async () => {
      await world().schedule.turn(() => !isTaken);
      if (world().faults.isDead) throw new Crash();
      isTaken = true;
      const client = await world().schedule.during(real.pool.connect());
      const release = () => {
        isTaken = false;
        client.release();
      };
      return { query: queryOf(client, world, breaks), release };
    };
    // Kysely takes no more of a pool than this.
    const pool = { connect, end: async () => {} };
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) });
  };
  // The simulation has no listeners.
  const changes = { ...real.changes, announce: async () => {} };
  return { db: { ...real, changes, kysely: kysely(true) }, look: kysely(false) };
}

function queryOf(client: pg.PoolClient, world: () => World, breaks: boolean) {
  let isOpen = false;
  const send = async (text: string, values: readonly unknown[] = []): Promise<Query> => {
    const answer = (await world().schedule.during(client.query(prepared(text, values)))) as unknown as Query;
    return /\border by\b/i.test(text) && !IS_UPDATE.test(text) ? answer : { ...answer, rows: inOneOrder(answer.rows) };
  };
  const end = async () => {
    if (isOpen) await send('rollback');
    isOpen = false;
  };
  const commit = async (faults: Faults, text: string, values?: readonly unknown[]) => {
    const fate = breaks ? fateOf(faults, world().random, 'commit') : 'done';
    try {
      return await meet(fate, faults, 'ECONNRESET', () => send(text, values));
    } finally {
      if (fate.endsWith('before')) await end();
      isOpen = false;
    }
  };
  return async (text: string, values?: readonly unknown[]): Promise<Query> => {
    const { faults } = world();
    const [command = ''] = /\w+/.exec(text.toLowerCase()) ?? [];
    if (command === 'rollback') {
      await end();
      return { rows: [], rowCount: 0, command: 'ROLLBACK' };
    }
    if (faults.isDead) throw new Crash();
    if (command === 'begin' || command === 'start') isOpen = true;
    const isCommit = command === 'commit' || (!isOpen && ['insert', 'update', 'delete'].includes(command));
    return isCommit ? commit(faults, text, values) : send(text, values);
  };
}

/** The database itself, whose statements are planned once. */
export function preparing({ pool }: Database): Kysely<Tables> {
  const connect = async () => {
    const client = await pool.connect();
    const query = (text: string, values?: readonly unknown[]) => client.query(prepared(text, values));
    return { query, release: () => client.release() };
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } as never }) });
}

const names = new Map<string, string>();

/** Under a name, a statement is planned once: planning took half of the database's time. */
function prepared(text: string, values: readonly unknown[] = []): pg.QueryConfig {
  const name = names.get(text) ?? `statement ${names.size}`;
  names.set(text, name);
  return { name, text, values: [...values] };
}

const IS_UPDATE = /\bupdate\b[\s\S]*\breturning\b/i;

/** Without an order, rows come as they lie in their pages, and a replay needs the same one. */
function inOneOrder(rows: unknown[]): unknown[] {
  return rows.length < 2 ? rows : rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
