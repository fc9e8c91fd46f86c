import type pg from 'pg';
import { canDisableTriggers } from '#server/db/app-role.ts';
import type { Database } from '#server/db/connection.ts';
import { readSchemaState } from '#server/db/migrate.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { failing, ok, type SettingCheck, warning } from '#server/gateways/check.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { type DatabaseFacts, readDatabaseFacts } from './database-facts.store.ts';

const SUBJECT = 'Database';
const RIGHTS_SUBJECT = 'Database: privileges';
const MAX_CLOCK_DIFFERENCE_SECONDS = 5;

type ServerCheckOptions = {
  /** True if the database is on this machine, so the connection doesn't need encryption. */
  readonly isLocal: boolean;
  /** DATABASE_POOL. */
  readonly poolSize: number;
  /** True if DATABASE_LISTEN_URL is set. */
  readonly hasListenUrl: boolean;
};

export async function checkDatabase(
  db: Database,
  { isLocal, poolSize, hasListenUrl }: ServerCheckOptions,
): Promise<SettingCheck[]> {
  const { pending } = await readSchemaState(db);
  const facts = await readDatabaseFacts(db);
  if (!facts) return [failing(SUBJECT, 'does not respond.')];
  const name = `${db.isEmbedded ? 'embedded' : 'PostgreSQL'} ${facts.version}`;
  const state = pending.length === 0 ? 'up to date' : `${pending.length} pending migrations`;
  const checks = [
    facts.unreadableTableCount > 0
      ? failing(
          RIGHTS_SUBJECT,
          `${facts.role} has no permission to read ${facts.unreadableTableCount} tables. Run “${formatCommandLine('migrate')}” with MIGRATE_DATABASE_URL.`,
        )
      : await checkRights(db, facts.role),
    pending.length === 0
      ? ok(SUBJECT, `${name}, ${state}.`)
      : warning(
          SUBJECT,
          `${name}, ${state}. The program runs them when it starts. If it has a separate database role, run “${formatCommandLine('migrate')}” first.`,
        ),
  ];
  if (db.isEmbedded) return checks;
  const clockDifference = Math.round(Math.abs(facts.now.getTime() - Date.now()) / 1000);
  return [
    ...checks,
    facts.tls || isLocal
      ? ok('Database: encryption', facts.tls ? 'TLS is on.' : 'not needed on this machine.')
      : warning('Database: encryption', 'TLS is off. Add “?sslmode=verify-full” to DATABASE_URL.'),
    clockDifference > MAX_CLOCK_DIFFERENCE_SECONDS
      ? warning('Database: clock', `differs from this machine’s by ${clockDifference} seconds. Set both with NTP.`)
      : ok('Database: clock', `agrees with this machine’s; times are in ${facts.timeZone}.`),
    checkConnections(facts, poolSize),
    ...checkReplication(facts),
    await checkPooler(db, hasListenUrl),
  ];
}

async function checkPooler(db: Database, hasListenUrl: boolean): Promise<SettingCheck> {
  const subject = 'Database: pooler';
  if (!(await sharesSessions(db.pool))) return ok(subject, 'none in transaction mode.');
  return hasListenUrl
    ? ok(subject, 'in transaction mode; DATABASE_LISTEN_URL is the server’s own address.')
    : failing(
        subject,
        'DATABASE_URL points to a pooler in transaction mode, so time limits don’t apply and changes arrive late. Set DATABASE_LISTEN_URL: docs/two-machines.md, Poolers.',
      );
}

/** Compares the server's limit with the connections of all processes, one replacement process, and ten for commands. */
export function checkConnections(
  { maxConnections, processCount }: Pick<DatabaseFacts, 'maxConnections' | 'processCount'>,
  poolSize: number,
): SettingCheck {
  const subject = 'Database: connections';
  const count = Math.max(processCount, 1);
  const requiredConnections = (poolSize + 1) * (count + 1) + 10;
  return requiredConnections > maxConnections
    ? warning(
        subject,
        `max_connections is ${maxConnections}, but ${count} processes can need ${requiredConnections} while one is replaced. Make DATABASE_POOL smaller.`,
      )
    : ok(subject, `max_connections is ${maxConnections}; at most ${requiredConnections} are needed.`);
}

export function checkReplication({
  standbyCount,
  synchronousStandbys,
}: Pick<DatabaseFacts, 'standbyCount' | 'synchronousStandbys'>): SettingCheck[] {
  const subject = 'Database: standbys';
  if (standbyCount === 0) return [];
  return synchronousStandbys === ''
    ? [
        warning(
          subject,
          `${standbyCount}, all asynchronous: a failover loses the last commits. Set synchronous_standby_names, or run “${formatCommandLine('recover')}” after a failover.`,
        ),
      ]
    : [ok(subject, `${standbyCount}; commits wait for ${synchronousStandbys}.`)];
}

/** Returns whether an idle connection can move to another server session, which happens in transaction-mode poolers. */
export async function sharesSessions(pool: Pick<Database['pool'], 'connect'>): Promise<boolean> {
  const firstClient = await pool.connect();
  const secondClient = await pool.connect().catch((error: unknown) => {
    firstClient.release();
    throw error;
  });
  try {
    const pid = await readBackendPid(firstClient);
    // Occupy the session if the pooler considers it idle.
    await secondClient.query('begin');
    await readBackendPid(secondClient);
    const nextPid = await readBackendPid(firstClient);
    await secondClient.query('rollback');
    return nextPid !== pid;
  } finally {
    firstClient.release();
    secondClient.release();
  }
}

async function readBackendPid(client: Pick<pg.ClientBase, 'query'>): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

async function checkRights(db: Database, role: string): Promise<SettingCheck> {
  if (db.isEmbedded) return ok(RIGHTS_SUBJECT, 'its only role has all permissions.');
  return (await canDisableTriggers(db))
    ? warning(
        RIGHTS_SUBJECT,
        `${role} can disable the triggers that protect the books. Give the program a separate role: docs/money.md, Create a database role.`,
      )
    : ok(RIGHTS_SUBJECT, `${role} can’t disable the triggers that protect the books.`);
}

/** @param id DEFAULT_ORG */
export async function checkDefaultOrg(db: Database, id: string): Promise<SettingCheck> {
  const subject = 'DEFAULT_ORG';
  const org = (await readSchemaState(db)).pending.length === 0 ? await findOrg(db, id) : undefined;
  return org
    ? ok(subject, `“/” opens ${org.name}.`)
    : warning(
        subject,
        `there is no organization “${id}” yet. Log in as an admin and create it on /admin with this slug.`,
      );
}
