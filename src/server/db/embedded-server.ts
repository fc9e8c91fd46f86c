import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '#server/log.ts';
import {
  createCluster,
  createUnreadableFolderError,
  prepareFolder,
  readClusterVersion,
  SHELL,
} from './create-cluster.ts';
import { hasCode } from './error-codes.ts';
import { findFreePort } from './free-port.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import {
  buildConnectionUrl,
  findRunningServer,
  getServerPaths,
  type ServerPaths,
  SOCKET_PORT,
} from './running-server.ts';
import {
  LOOPBACK,
  launchServer,
  launchWhenFolderIsFree,
  prepareSocketFolder,
  superviseServer,
} from './supervise-server.ts';

/**
 * The program's own PostgreSQL server, for installations without `DATABASE_URL`.
 *
 * All of its files are in `DATA_DIR/postgres`: the cluster in `data`, the password, the socket, and `program.pid`, which
 * contains the id of the process that started the server. PostgreSQL's own `postmaster.pid` is the lock.
 */
export type EmbeddedServer = {
  readonly url: string;
  /** Stops the server if this process started it. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  readonly log: Log;
  /** False for commands that must fail if there is no database yet. */
  readonly create: boolean;
  /**
   * True for the program itself, which always starts its own server. Commands connect to a server that is already
   * running.
   */
  readonly isServerProcess: boolean;
};

/** Major version of the server. A cluster of another major version can't be opened. */
export const POSTGRES_VERSION = '18';

/**
 * Starts the embedded server, or connects to it if it is already running and the caller is a command. Creates the cluster
 * on the first start.
 *
 * @throws Error with a message for the operator
 */
export async function openEmbeddedServer(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const paths = getServerPaths(dataDir);
  rejectPreRelease(dataDir);
  if (!options.create && (await readClusterVersion(paths.cluster)) === undefined) {
    throw new Error(
      `There is no database in ${dataDir}. Check DATA_DIR, or set DATABASE_URL. For a new fund, start the program ` +
        'first to create the database.',
    );
  }
  if (!options.isServerProcess) {
    const address = await findRunningServer(paths);
    if (address) return { url: await buildConnectionUrl(paths, address), stop: async () => {} };
  }
  try {
    return await startServer(paths, options);
  } catch (error) {
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) throw createUnreadableFolderError(paths.folder, error);
    throw error;
  }
}

/** @throws Error if the data folder contains data from a pre-release version, which this version can't read */
function rejectPreRelease(dataDir: string): void {
  const oldDatabase = path.join(dataDir, 'db', 'database');
  if (!existsSync(oldDatabase)) return;
  throw new Error(
    `The folder ${path.dirname(oldDatabase)} contains data from a pre-release version, which this version can't read. Set DATA_DIR ` +
      'to another folder, or move that folder away to start with an empty database.',
  );
}

async function startServer(paths: ServerPaths, { log, isServerProcess }: EmbeddedOptions): Promise<EmbeddedServer> {
  if (process.platform !== 'win32' && !existsSync(SHELL)) {
    throw new Error(
      'The embedded database needs a shell, which this system lacks. Set DATABASE_URL to a PostgreSQL server.',
    );
  }
  const user = await prepareFolder(paths);
  const version = await readClusterVersion(paths.cluster);
  if (version !== undefined && version !== POSTGRES_VERSION) {
    throw new Error(
      `The folder ${paths.cluster} contains a PostgreSQL ${version} database, but this version of the program uses ` +
        `PostgreSQL ${POSTGRES_VERSION}. Open it with the version of the program that created it and make a backup there, ` +
        'or move the folder away to start with an empty database.',
    );
  }
  const binaries = await findPostgresBinaries(paths.folder, user);
  if (version === undefined) {
    log.info({ folder: paths.cluster }, 'creating the database');
    await createCluster(paths, binaries, user);
  }
  const host = await prepareSocketFolder(paths, user);
  const port = host === LOOPBACK ? await findFreePort() : SOCKET_PORT;
  const launch = () => launchServer(binaries, user, paths, { host, port });
  const server = await launchWhenFolderIsFree(paths, launch);
  // Recreated, because the old file may belong to another user.
  await fs.rm(paths.programPidFile, { force: true });
  await fs.writeFile(paths.programPidFile, `${process.pid}\n`);
  const supervisor = superviseServer(server, launch, log);
  return {
    url: await buildConnectionUrl(paths, { host, port }),
    stop: async () => {
      // If a command started the server, the server stops only after other commands have disconnected.
      await supervisor.stop(isServerProcess ? 'SIGINT' : 'SIGTERM');
      await fs.rm(paths.programPidFile, { force: true });
      if (host !== paths.folder && host !== LOOPBACK) await fs.rm(host, { recursive: true, force: true });
    },
  };
}
