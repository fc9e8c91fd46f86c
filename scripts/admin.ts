import path from 'node:path';
import { Failure } from '#domain/failures.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { grantAdmin, listAdmins, revokeAdmin } from '#server/features/users/admins.ts';

// npm run admin -- grant|revoke someone@example.org, or list: who may do what admins may (decisions §4).

const USAGE = `npm run admin -- grant someone@example.org    makes an admin of whoever has, or proves, this address
npm run admin -- revoke someone@example.org   takes it away, and ends that person's sessions
npm run admin -- list                         shows all admins`;

const [action, email, ...more] = process.argv.slice(2);
try {
  const known = action === 'list' ? email === undefined : (action === 'grant' || action === 'revoke') && email;
  if (!known || more.length > 0) throw new ConfigError(USAGE);
  const config = readConfig();
  console.log(await withDatabase(config, (db) => perform(db, config)));
} catch (error) {
  console.error(error instanceof Error ? sentences(error) : error);
  process.exitCode = 1;
}

async function perform(db: Database, config: Config): Promise<string> {
  if (action === 'list') return listed(db);
  return action === 'grant' ? granted(db, email ?? '') : revoked(db, email ?? '', config);
}

async function granted(db: Database, address: string): Promise<string> {
  const appointed = await grantAdmin(db, address);
  if (appointed instanceof Failure) throw appointed;
  if (appointed.verified) return `${appointed.email} is an admin.`;
  return `${appointed.email} is an admin as soon as the address is proven: by a sign-in link, for instance.`;
}

async function revoked(db: Database, address: string, { adminEmails }: Config): Promise<string> {
  const dismissed = await revokeAdmin(db, address);
  if (dismissed instanceof Failure) throw dismissed;
  const again = 'ADMIN_EMAILS names this address, and makes it one again: take it out of there.';
  const done = `${dismissed.email} is no admin.`;
  return adminEmails.includes(dismissed.email) ? `${done} ${again}` : done;
}

async function listed(db: Database): Promise<string> {
  const admins = await listAdmins(db);
  if (admins.length === 0) return 'There is no admin. Make one: npm run admin -- grant someone@example.org';
  return admins.map((admin) => `${admin.email}  ${admin.name}${admin.verified ? '' : '  (not proven yet)'}`).join('\n');
}

/** Also on a database that no program has opened yet. */
async function withDatabase<T>({ databaseUrl, dataDir }: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const log = { info: () => {}, warn: say, error: say };
  const database = await openDatabase({ databaseUrl, dataDir: path.join(dataDir, 'db'), log });
  try {
    await migrate(database);
    return await work(database);
  } finally {
    await database.close();
  }
}

function say(_details: object, message: string): void {
  console.error(message);
}

function sentences(error: Error): string {
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
