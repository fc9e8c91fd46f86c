import { Failure } from '#domain/failures.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import type { Database } from '#server/db/connection.ts';
import { grantAdmin, listAdmins, logOutUser, removeSecondFactor, revokeAdmin } from '#server/features/users/admins.ts';
import { adoptPictureFolder, getPictureFolder } from '#server/gateways/pictures/picture-folder.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { printOutcomeFailure, withDatabase, withJobs } from './command-database.ts';
import { getUsage, parseCommand } from './usage.ts';

// npm run admin: grants and revokes admin rights (decisions §4), and logs users out.
type Action = (db: Database, address: string, config: Config) => Promise<string>;

const ACTIONS_WITH_ADDRESS: Readonly<Record<string, Action>> = {
  grant,
  revoke,
  'log-out': endAllSessions,
  'remove-second-factor': removeSecondStep,
};

const ACTIONS_WITHOUT_ADDRESS: Readonly<Record<string, Action>> = {
  list,
  'adopt-pictures': adoptPictures,
};

const [action = '', email, ...extraArguments] = parseCommand('admin', { allowPositionals: true }).positionals;
try {
  const perform = email === undefined ? ACTIONS_WITHOUT_ADDRESS[action] : ACTIONS_WITH_ADDRESS[action];
  if (!perform || email === '' || extraArguments.length > 0) throw new ConfigError(getUsage('admin'));
  const config = readConfig();
  console.log(await withDatabase(config, (db) => perform(db, email ?? '', config)));
} catch (error) {
  printOutcomeFailure(error);
}

async function grant(db: Database, address: string): Promise<string> {
  const admin = await withJobs(db, (deps) => grantAdmin(deps, address));
  if (admin instanceof Failure) throw admin;
  if (admin.verified) return `${admin.email} is an admin.`;
  return `${admin.email} will become an admin once the address is verified, for example with a sign-in link.`;
}

async function revoke(db: Database, address: string, { adminEmails }: Config): Promise<string> {
  const admin = await withJobs(db, (deps) => revokeAdmin(deps, address));
  if (admin instanceof Failure) throw admin;
  const message = `${admin.email} is no longer an admin.`;
  const warning = 'ADMIN_EMAILS still contains this address and will make it an admin again. Remove it there, too.';
  return adminEmails.includes(admin.email) ? `${message} ${warning}` : message;
}

async function endAllSessions(db: Database, address: string): Promise<string> {
  const email = await logOutUser(db, address);
  if (email instanceof Failure) throw email;
  return `${email} was logged out on all devices.`;
}

async function removeSecondStep(db: Database, address: string): Promise<string> {
  const email = await withJobs(db, (deps) => removeSecondFactor(deps, address));
  if (email instanceof Failure) throw email;
  return `${email} can now log in without a second step and was logged out on all devices. An email will let them know.`;
}

async function adoptPictures(db: Database, _: string, { dataDir, s3 }: Config): Promise<string> {
  if (s3) throw new ConfigError('There is no picture folder to adopt: PICTURES_TO is a bucket.');
  const folder = getPictureFolder(dataDir);
  await adoptPictureFolder(db, folder);
  return `${folder} is now this database’s picture folder.`;
}

async function list(db: Database): Promise<string> {
  const admins = await listAdmins(db);
  if (admins.length === 0)
    return `There are no admins. Add one: ${formatCommandLine('admin grant someone@example.org')}`;
  return admins
    .map((admin) => `${admin.email}  ${admin.name}${admin.verified ? '' : '  (not verified yet)'}`)
    .join('\n');
}
