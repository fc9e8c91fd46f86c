import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from './error-codes.ts';
import { newId } from './new-id.ts';
import { findNobodyUser, type PostgresBinaries, type RunAs } from './postgres-binaries.ts';
import { type ServerPaths, SUPERUSER } from './running-server.ts';

export const SHELL = '/bin/sh';

/** @returns the cluster's major version, or undefined if the folder is missing or empty */
export async function readClusterVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await fs.readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'EACCES')) throw createUnreadableFolderError(cluster, error);
    const names = await fs.readdir(cluster).catch(() => []);
    if (names.length === 0) return undefined;
    throw new Error(
      `The folder ${cluster} is not a database: its file PG_VERSION can't be read. Restore the folder, or move it away ` +
        'to start with an empty database.',
    );
  }
}

/**
 * Creates the folder. PostgreSQL refuses to run as root, so for root the server runs as the folder's owner.
 *
 * @returns the user to run the server as
 */
export async function prepareFolder({ dataDir, folder }: ServerPaths): Promise<RunAs> {
  if (process.getuid?.() !== 0) {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    return undefined;
  }
  if (!existsSync(dataDir)) {
    await fs.mkdir(dataDir, { recursive: true });
    // The server's user must be able to enter the folder, even with a strict umask.
    await fs.chmod(dataDir, 0o711);
  }
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const user = (await findNonRootOwner(folder)) ?? (await findNonRootOwner(dataDir)) ?? findNobodyUser();
  // A folder owned by root is new or was copied by root.
  if ((await findNonRootOwner(folder)) === undefined) await changeOwner(user, folder);
  const canEnter = spawnSync(SHELL, ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/' }).status === 0;
  if (canEnter) return user;
  throw new Error(
    `PostgreSQL doesn't run as root, and the user it runs as instead (${user.uid}) can't enter the folder ${folder}. Set ` +
      'DATA_DIR to a folder that every user can access, such as /var/lib/city-climate-fund.',
  );
}

/** Makes the server's user the owner of the server's files, except for the password file. */
async function changeOwner(user: { readonly uid: number; readonly gid: number }, folder: string): Promise<void> {
  const cluster = path.join(folder, 'data');
  const names = existsSync(cluster) ? await fs.readdir(cluster, { recursive: true }) : undefined;
  const files = names === undefined ? [] : [cluster, ...names.map((name) => path.join(cluster, name))];
  for (const file of [...files, folder]) await fs.lchown(file, user.uid, user.gid);
  await fs.chmod(folder, 0o700);
}

async function findNonRootOwner(folder: string): Promise<RunAs> {
  const { uid, gid } = await fs.stat(folder);
  return uid === 0 ? undefined : { uid, gid };
}

/**
 * Creates the cluster in a staging folder first, so that an interrupted start leaves no partial cluster. If two starts
 * run concurrently, one creates the cluster and the other finds it.
 */
export async function createCluster(paths: ServerPaths, { initdb }: PostgresBinaries, user: RunAs): Promise<void> {
  // Random, because containers that share the folder can have the same process id.
  const stagingFolder = path.join(paths.folder, `${STAGING_PREFIX}${newId()}`);
  const stagingPassword = `${stagingFolder}.password`;
  try {
    await preparePassword(paths, stagingPassword, user);
    await promisify(execFile)(initdb, ['-D', stagingFolder, `--pwfile=${stagingPassword}`, ...INITDB_OPTIONS], {
      ...user,
      cwd: paths.folder,
      env: SERVER_ENV,
    }).catch((error: Error & { stderr?: string }) => {
      throw createStartError(paths, (error.stderr ?? error.message).split('\n'));
    });
    await fs.rename(stagingFolder, paths.cluster);
  } catch (error) {
    // A concurrent start may have created the cluster and removed this staging folder.
    if ((await readClusterVersion(paths.cluster)) === undefined) throw error;
  } finally {
    await fs.rm(stagingFolder, { recursive: true, force: true });
    await fs.rm(stagingPassword, { force: true });
  }
  await removeStagingFolders(paths.folder);
}

/** Creates the password, unless an interrupted or concurrent start has created it. @param copy file for initdb */
async function preparePassword({ passwordFile, dataDir }: ServerPaths, copy: string, user: RunAs): Promise<void> {
  await fs.writeFile(copy, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flush: true });
  // The data folder's owner owns the password file. If the owner is root, other services running as the
  // server's user can't read it.
  const owner = user && (await findNonRootOwner(dataDir));
  if (owner) await fs.chown(copy, owner.uid, owner.gid);
  await createFile(copy, passwordFile);
  await fs.rm(copy);
  await fs.copyFile(passwordFile, copy);
  if (user) await fs.chown(copy, user.uid, user.gid);
}

/** Creates a complete file, unless it exists. Never replaces the password of another start. */
async function createFile(source: string, target: string): Promise<void> {
  try {
    await fs.link(source, target).catch((error: unknown) => {
      if (!NO_HARD_LINKS.some((code) => hasCode(error, code))) throw error;
      return fs.copyFile(source, target, fs.constants.COPYFILE_EXCL);
    });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/** Errors of file systems without hard links, such as exFAT and some network drives. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

const STAGING_PREFIX = 'data.new-';

/** Removes staging folders and passwords left by interrupted starts. */
async function removeStagingFolders(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    // Another start's initdb may still be writing.
    await fs.rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

const INITDB_OPTIONS = [
  `--username=${SUPERUSER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
  // The password is random and long, so repeated hashing would only slow down each connection.
  '--set=scram_iterations=1',
];

/** Excludes the program's settings, which contain secrets. `createStartError` recognizes only English messages. */
export const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC' };

export function createUnreadableFolderError(folder: string, cause: unknown): Error {
  return new Error(
    `The embedded database can't use the folder ${folder}: permission denied. Run the program as the folder's owner, or ` +
      'set DATA_DIR to another folder.',
    { cause },
  );
}

/** Creates an error that explains to the operator why the server doesn't start. */
export function createStartError({ cluster, folder }: ServerPaths, lines: readonly string[]): Error {
  const cause = new Error(lines.join('\n'));
  if (/No space left on device|Disk quota exceeded/.test(cause.message)) {
    return new Error(`The disk is full, so the database in ${cluster} can't start. Free up space and start again.`, {
      cause,
    });
  }
  if (/could not (?:create|resize|map|open) .*shared memory/.test(cause.message)) {
    return new Error(
      'The embedded database needs more shared memory than this system has (/dev/shm). Increase it, or set DATABASE_URL ' +
        'to a PostgreSQL server.',
      { cause },
    );
  }
  if (/Permission denied/.test(cause.message)) return createUnreadableFolderError(folder, cause);
  const reason = lines.findLast((line) => FAILURE_PREFIX.test(line)) ?? lines.at(-1) ?? '';
  return new Error(
    `The database in ${cluster} can't be opened: ${reason.replace(FAILURE_PREFIX, '')}. If this happens again, restore it from a backup.`,
    { cause },
  );
}

const FAILURE_PREFIX = /^.*?(?:FATAL|PANIC|error): +/;
