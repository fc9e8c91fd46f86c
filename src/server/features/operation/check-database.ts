import { canDisableTriggers } from '#server/db/app-role.ts';
import type { Database } from '#server/db/connection.ts';
import { schemaState } from '#server/db/migrate.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { type Check, ok, warning, wrong } from '#server/gateways/check.ts';
import { commandLine } from '#server/program/program-file.ts';
import { databaseFacts } from './database-facts.store.ts';

const SUBJECT = 'Database';
const RIGHTS = 'Database: rights';
const MOST_SECONDS_OFF = 5;

/** @param isNear whether it is on this machine, so that nothing passes over a network */
export async function checkDatabase(db: Database, isNear: boolean): Promise<Check[]> {
  const { pending } = await schemaState(db);
  const facts = await databaseFacts(db);
  if (!facts) return [wrong(SUBJECT, 'it does not answer.')];
  const name = `${db.isEmbedded ? 'embedded' : 'PostgreSQL'} ${facts.version}`;
  const state = pending.length === 0 ? 'up to date' : `${pending.length} migrations are due`;
  const checks = [
    facts.unreadable > 0
      ? wrong(
          RIGHTS,
          `${facts.role} may not read ${facts.unreadable} tables. Run “${commandLine('migrate')}” with MIGRATE_DATABASE_URL.`,
        )
      : await rightsCheck(db, facts.role),
    pending.length === 0
      ? ok(SUBJECT, `${name}, ${state}.`)
      : warning(
          SUBJECT,
          `${name}, ${state}. The program migrates when it starts; with a role of its own, run “${commandLine('migrate')}” first.`,
        ),
  ];
  if (db.isEmbedded) return checks;
  const off = Math.round(Math.abs(facts.now.getTime() - Date.now()) / 1000);
  return [
    ...checks,
    facts.tls || isNear
      ? ok('Database: encryption', facts.tls ? 'TLS is on.' : 'none is needed on this machine.')
      : warning('Database: encryption', 'TLS is off. Add “?sslmode=verify-full” to DATABASE_URL.'),
    off > MOST_SECONDS_OFF
      ? warning('Database: clock', `it is ${off} seconds off from this machine’s. Set both by NTP.`)
      : ok('Database: clock', `agrees with this machine’s; times are in ${facts.timeZone}.`),
  ];
}

async function rightsCheck(db: Database, role: string): Promise<Check> {
  if (db.isEmbedded) return ok(RIGHTS, 'its one role can do everything.');
  return (await canDisableTriggers(db))
    ? warning(
        RIGHTS,
        `${role} can switch off what protects the books. Give the program a role of its own: docs/operations.md.`,
      )
    : ok(RIGHTS, `${role} cannot switch off what protects the books.`);
}

/** @param id DEFAULT_ORG */
export async function checkDefaultOrg(db: Database, id: string): Promise<Check> {
  const subject = 'DEFAULT_ORG';
  const org = (await schemaState(db)).pending.length === 0 ? await findOrg(db, id) : undefined;
  return org
    ? ok(subject, `“/” leads to ${org.name}.`)
    : warning(
        subject,
        `there is no organization “${id}” yet. Log in as an admin and create it on /admin with this slug.`,
      );
}
