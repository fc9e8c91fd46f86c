import { canDisableTriggers } from '#server/db/app-role.ts';
import type { Database } from '#server/db/connection.ts';
import { schemaState } from '#server/db/migrate.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { type Check, ok, warning, wrong } from '#server/gateways/check.ts';
import { commandLine } from '#server/program/program-file.ts';
import { readDatabaseFacts } from './database-facts.store.ts';

const SUBJECT = 'Database';
const RIGHTS = 'Database: rights';
const MAX_CLOCK_DIFFERENCE_SECONDS = 5;

/** @param isLocal whether the database is on this machine, so the connection needs no encryption */
export async function checkDatabase(db: Database, isLocal: boolean): Promise<Check[]> {
  const { pending } = await schemaState(db);
  const facts = await readDatabaseFacts(db);
  if (!facts) return [wrong(SUBJECT, 'it does not respond.')];
  const name = `${db.isEmbedded ? 'embedded' : 'PostgreSQL'} ${facts.version}`;
  const state = pending.length === 0 ? 'up to date' : `${pending.length} pending migrations`;
  const checks = [
    facts.unreadable > 0
      ? wrong(
          RIGHTS,
          `${facts.role} has no permission to read ${facts.unreadable} tables. Run “${commandLine('migrate')}” with MIGRATE_DATABASE_URL.`,
        )
      : await rightsCheck(db, facts.role),
    pending.length === 0
      ? ok(SUBJECT, `${name}, ${state}.`)
      : warning(
          SUBJECT,
          `${name}, ${state}. The program runs them when it starts. If it has a separate database role, run “${commandLine('migrate')}” first.`,
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
  ];
}

async function rightsCheck(db: Database, role: string): Promise<Check> {
  if (db.isEmbedded) return ok(RIGHTS, 'its only role can do everything.');
  return (await canDisableTriggers(db))
    ? warning(
        RIGHTS,
        `${role} can disable the triggers that protect the books. Give the program a separate role: docs/operations.md.`,
      )
    : ok(RIGHTS, `${role} can’t disable the triggers that protect the books.`);
}

/** @param id DEFAULT_ORG */
export async function checkDefaultOrg(db: Database, id: string): Promise<Check> {
  const subject = 'DEFAULT_ORG';
  const org = (await schemaState(db)).pending.length === 0 ? await findOrg(db, id) : undefined;
  return org
    ? ok(subject, `“/” opens ${org.name}.`)
    : warning(
        subject,
        `there is no organization “${id}” yet. Log in as an admin and create it on /admin with this slug.`,
      );
}
