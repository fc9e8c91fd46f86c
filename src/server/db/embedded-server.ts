import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '#server/log.ts';
import { embeddedFolder } from './data-folder.ts';
import { hasCode } from './error-codes.ts';
import { freePort } from './free-port.ts';
import { nobody, type PostgresBinaries, postgresBinaries, type RunAs } from './postgres-binaries.ts';

/**
 * The program's own PostgreSQL server, for installations without `DATABASE_URL`.
 *
 * Everything is in `DATA_DIR/postgres`: the cluster in `data`, the password, the socket, and `program.pid`, which names the
 * process that started the server. PostgreSQL's own `postmaster.pid` is the lock.
 */
export type EmbeddedServer = {
  readonly url: string;
  /** Stops the server if this process started it. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  readonly log: Log;
  /** False for commands that must not report success about a new, empty database. */
  readonly create: boolean;
  /** True for the program itself, which must be alone. Commands connect to a server that is already running. */
  readonly isProgram: boolean;
};

/** Major version of the server. A cluster of another major version can't be opened. */
export const POSTGRES_VERSION = '18';

const SUPERUSER = 'fund';
const DATABASE = 'postgres';
/** Only names the socket: the server listens on no network address, except on Windows. */
const SOCKET_PORT = 5432;
/** Bytes. The operating system's limit for the path of a Unix socket. */
const LONGEST_SOCKET_PATH = 107;
/** Time for the server of a crashed program to stop. */
const CRASHED_SERVER_MS = 10_000;
const POLL_MS = 100;
const RESTART_EVERY_MS = 1000;
/** After this, the server stops without a checkpoint and recovers at its next start. */
const STOP_MS = 20_000;
/** Lines of the server's log to quote when it fails. */
const QUOTED_LINES = 12;

/** Another process uses the data folder. The message is for the operator. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  constructor(dataDir: string, holder: string) {
    super(
      `The data folder ${dataDir} is in use by ${holder}. Stop that process, or set DATA_DIR to another folder, or ` +
        'DATABASE_URL to a PostgreSQL server, which several processes can share.',
    );
  }
}

/**
 * Starts the embedded server, or connects to it if it runs and the caller is a command. Creates the cluster on the first
 * start.
 *
 * @throws Error with a message for the operator
 */
export async function openEmbeddedServer(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const paths = pathsIn(dataDir);
  rejectPreRelease(dataDir);
  if (!options.create && (await versionOf(paths.cluster)) === undefined) {
    throw new Error(
      `There is no database in ${dataDir}. Check DATA_DIR, or set DATABASE_URL; for a new fund, start the program ` +
        'first, which creates it.',
    );
  }
  if (!options.isProgram) {
    const address = await findRunning(paths);
    if (address) return { url: await urlOf(paths, address), stop: async () => {} };
  }
  try {
    return await startServer(paths, options);
  } catch (error) {
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) throw unreadable(paths.folder, error);
    throw error;
  }
}

/** @throws FolderInUseError if a server runs in the data folder */
export async function requireStopped(dataDir: string): Promise<void> {
  const paths = pathsIn(dataDir);
  if (await findRunning(paths)) throw new FolderInUseError(dataDir, await holderOf(paths));
}

type ServerPaths = {
  readonly dataDir: string;
  readonly folder: string;
  readonly cluster: string;
  readonly passwordFile: string;
  /** Names the process that started the server. */
  readonly programFile: string;
};

function pathsIn(dataDir: string): ServerPaths {
  const folder = embeddedFolder(path.resolve(dataDir));
  return {
    dataDir,
    folder,
    cluster: path.join(folder, 'data'),
    passwordFile: path.join(folder, 'password'),
    programFile: path.join(folder, 'program.pid'),
  };
}

/** @throws Error if the data folder contains data of a pre-release version, which this version can't read */
function rejectPreRelease(dataDir: string): void {
  const oldDatabase = path.join(dataDir, 'db', 'database');
  if (!existsSync(oldDatabase)) return;
  throw new Error(
    `The folder ${path.dirname(oldDatabase)} contains data of a pre-release version, which this version can't read. Set DATA_DIR ` +
      'to another folder, or move that folder away, to start with an empty database.',
  );
}

function unreadable(folder: string, cause: unknown): Error {
  return new Error(
    `The embedded database can't use the folder ${folder}: permission denied. Run the program as the folder's owner, or ` +
      'set DATA_DIR to another folder.',
    { cause },
  );
}

/** Address of a server. The host is the folder of the socket, or a network address. */
type Address = { readonly host: string; readonly port: number };

/** @returns the server that accepts connections now, according to `postmaster.pid` */
async function findRunning({ cluster }: ServerPaths): Promise<Address | undefined> {
  const text = await fs.readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'EACCES')) throw error;
    return '';
  });
  // Process, folder, start time, port, folder of the socket, network address.
  const [, , , port, socketFolder, networkAddress] = text.split('\n').map((line) => line.trim());
  const address = { port: Number(port), host: socketFolder || networkAddress || '' };
  if (!address.port || !address.host) return undefined;
  return (await acceptsConnections(address)) ? address : undefined;
}

function acceptsConnections({ host, port }: Address): Promise<boolean> {
  const socket = path.isAbsolute(host) ? net.connect(socketPath(host)) : net.connect(port, host);
  return new Promise((resolve) => {
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

function socketPath(folder: string): string {
  return path.join(folder, `.s.PGSQL.${SOCKET_PORT}`);
}

async function urlOf({ passwordFile }: ServerPaths, { host, port }: Address): Promise<string> {
  const password = (await fs.readFile(passwordFile, 'utf8')).trim();
  return `postgres://${SUPERUSER}:${password}@localhost/${DATABASE}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** Describes the process that uses the folder. */
async function holderOf(paths: ServerPaths): Promise<string> {
  const program = await pidIn(paths.programFile);
  if (program !== undefined && program !== process.pid && isAlive(program)) return `process ${program}`;
  const server = await pidIn(path.join(paths.cluster, 'postmaster.pid'));
  return server === undefined ? 'another process' : `its PostgreSQL server, process ${server}`;
}

async function pidIn(file: string): Promise<number | undefined> {
  const pid = Number.parseInt(await fs.readFile(file, 'utf8').catch(() => ''), 10);
  return pid > 0 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return hasCode(error, 'EPERM');
  }
}

/** @returns the cluster's major version, or undefined if the folder is missing or empty */
async function versionOf(cluster: string): Promise<string | undefined> {
  try {
    return (await fs.readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'EACCES')) throw unreadable(cluster, error);
    const names = await fs.readdir(cluster).catch(() => []);
    if (names.length === 0) return undefined;
    throw new Error(
      `The folder ${cluster} is not a database: its file PG_VERSION can't be read. Restore the folder, or move it away ` +
        'to start with an empty database.',
    );
  }
}

const SHELL = '/bin/sh';

async function startServer(paths: ServerPaths, { log, isProgram }: EmbeddedOptions): Promise<EmbeddedServer> {
  if (process.platform !== 'win32' && !existsSync(SHELL)) {
    throw new Error(
      'The embedded database needs a shell, which this system lacks. Set DATABASE_URL to a PostgreSQL server.',
    );
  }
  const user = await prepareFolder(paths);
  const version = await versionOf(paths.cluster);
  if (version !== undefined && version !== POSTGRES_VERSION) {
    throw new Error(
      `The folder ${paths.cluster} contains a database of PostgreSQL ${version}, but this version of the program uses ` +
        `PostgreSQL ${POSTGRES_VERSION}. Open it with the version of the program that created it and make a backup there, ` +
        'or move the folder away to start with an empty database.',
    );
  }
  const binaries = await postgresBinaries(paths.folder, user);
  if (version === undefined) {
    log.info({ folder: paths.cluster }, 'creating the database');
    await createCluster(paths, binaries, user);
  }
  const host = await socketFolder(paths, user);
  const port = host === LOOPBACK ? await freePort() : SOCKET_PORT;
  const launch = () => launchServer(binaries, user, paths, { host, port });
  const server = await waitForFolder(paths, launch);
  // Recreated, because the old file may belong to another user.
  await fs.rm(paths.programFile, { force: true });
  await fs.writeFile(paths.programFile, `${process.pid}\n`);
  const supervisor = supervise(server, launch, log);
  return {
    url: await urlOf(paths, { host, port }),
    stop: async () => {
      // A command lets other commands that use its server finish.
      await supervisor.stop(isProgram ? 'SIGINT' : 'SIGTERM');
      await fs.rm(paths.programFile, { force: true });
      if (host !== paths.folder && host !== LOOPBACK) await fs.rm(host, { recursive: true, force: true });
    },
  };
}

/**
 * Creates the folder. PostgreSQL refuses to run as root, so the server then runs as the owner of the folder.
 *
 * @returns the user to run the server as
 */
async function prepareFolder({ dataDir, folder }: ServerPaths): Promise<RunAs> {
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
  const user = (await ownerOf(folder)) ?? (await ownerOf(dataDir)) ?? nobody();
  // A folder owned by root is new, or a copy made by root.
  if ((await ownerOf(folder)) === undefined) await changeOwner(user, folder);
  const canEnter = spawnSync(SHELL, ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/' }).status === 0;
  if (canEnter) return user;
  throw new Error(
    `PostgreSQL doesn't run as root, and the user it runs as instead (${user.uid}) can't enter the folder ${folder}. Set ` +
      'DATA_DIR to a folder that every user may enter, such as /var/lib/city-climate-fund.',
  );
}

/** Makes the server's user the owner of its files, except the password. */
async function changeOwner(user: { readonly uid: number; readonly gid: number }, folder: string): Promise<void> {
  const cluster = path.join(folder, 'data');
  const names = existsSync(cluster) ? await fs.readdir(cluster, { recursive: true }) : undefined;
  const files = names === undefined ? [] : [cluster, ...names.map((name) => path.join(cluster, name))];
  for (const file of [...files, folder]) await fs.lchown(file, user.uid, user.gid);
  await fs.chmod(folder, 0o700);
}

async function ownerOf(folder: string): Promise<RunAs> {
  const { uid, gid } = await fs.stat(folder);
  return uid === 0 ? undefined : { uid, gid };
}

/**
 * Creates the cluster in a draft folder first, so that an interrupted start leaves no partial cluster, and two concurrent
 * starts don't write to the same one.
 */
async function createCluster(paths: ServerPaths, { initdb }: PostgresBinaries, user: RunAs): Promise<void> {
  await removeUnfinished(paths.folder);
  const password = randomBytes(24).toString('hex');
  const draft = path.join(paths.folder, `${UNFINISHED}${process.pid}`);
  const draftPassword = `${draft}.password`;
  try {
    await fs.writeFile(draftPassword, password, { mode: 0o600 });
    if (user) await fs.chown(draftPassword, user.uid, user.gid);
    await promisify(execFile)(initdb, ['-D', draft, `--pwfile=${draftPassword}`, ...INITDB_OPTIONS], {
      ...user,
      cwd: paths.folder,
      env: SERVER_ENV,
    }).catch((error: Error & { stderr?: string }) => {
      throw startError(paths, (error.stderr ?? error.message).split('\n'));
    });
    await fs.writeFile(paths.passwordFile, `${password}\n`, { mode: 0o600, flush: true });
    // The owner of the data folder owns the password. If that is root, other services of the server's user can't read it.
    const owner = user && (await ownerOf(paths.dataDir));
    if (owner) await fs.chown(paths.passwordFile, owner.uid, owner.gid);
    await fs.rename(draft, paths.cluster);
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
    await fs.rm(draftPassword, { force: true });
  }
}

const UNFINISHED = 'data.new-';

/** Removes the drafts and passwords that interrupted starts left. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    const pid = name.startsWith(UNFINISHED) ? Number.parseInt(name.slice(UNFINISHED.length), 10) : undefined;
    if (pid === undefined || (pid !== process.pid && isAlive(pid))) continue;
    // The interrupted start's initdb may still be writing.
    await fs.rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: POLL_MS });
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

/** Excludes the program's settings, which contain secrets. `startError` recognizes only English messages. */
const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC' };

const LOOPBACK = '127.0.0.1';

/** @returns the folder of the socket, or the loopback address on systems without Unix sockets */
async function socketFolder({ folder }: ServerPaths, user: RunAs): Promise<string> {
  if (process.platform === 'win32') return LOOPBACK;
  if (Buffer.byteLength(socketPath(folder)) <= LONGEST_SOCKET_PATH) return folder;
  const shortFolder = await fs.mkdtemp(path.join(os.tmpdir(), 'fund-'));
  if (user) await fs.chown(shortFolder, user.uid, user.gid);
  return shortFolder;
}

/** Low limits, since a fund has few concurrent visitors, and its machine may have 1 GB of memory. */
const SETTINGS = {
  max_connections: 20,
  shared_buffers: '16MB',
  max_wal_size: '256MB',
  huge_pages: 'off',
  // /dev/shm can be small or missing in a container.
  dynamic_shared_memory_type: 'mmap',
  // Saves processes for replication, parallel queries, and asynchronous reads.
  io_method: 'sync',
  max_logical_replication_workers: 0,
  max_parallel_workers_per_gather: 0,
  max_wal_senders: 0,
  wal_level: 'minimal',
  jit: 'off',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  // Clients log their own errors.
  log_min_error_statement: 'panic',
};

type RunningServer = {
  readonly process: ChildProcess;
  /** Resolves with the last lines of the server's log once it has ended. */
  readonly ended: Promise<readonly string[]>;
};
type LaunchResult = RunningServer | { readonly failed: readonly string[] };
type Launch = () => Promise<LaunchResult>;

/**
 * Ends the server when this process ends, even by `kill -9`, because a background shell reads from a pipe that then closes.
 * The shell is not a child of the server, which would mistake it for one of its processes.
 */
const LAUNCHER = `
  ( (trap '' HUP INT TERM; read -r line <&3 || kill -INT $$) 2>/dev/null & )
  exec "$@" 3<&-`;

/** Starts the server process. */
async function launchServer(
  { postgres }: PostgresBinaries,
  user: RunAs,
  { cluster, folder }: ServerPaths,
  { host, port }: Address,
): Promise<LaunchResult> {
  const listening =
    host === LOOPBACK
      ? { listen_addresses: host, unix_socket_directories: '' }
      : { listen_addresses: '', unix_socket_directories: quotedName(host), unix_socket_permissions: '0700' };
  const settings = Object.entries({ port, ...listening, ...SETTINGS });
  const command = [postgres, '-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const [file, ...args] = process.platform === 'win32' ? command : [SHELL, '-c', LAUNCHER, 'sh', ...command];
  const child = spawn(file ?? SHELL, args, {
    ...user,
    cwd: folder,
    env: SERVER_ENV,
    // A separate session, because Ctrl+C in a terminal would stop the server before the program has finished.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , log, lifeline] = child.stdio;
  if (!(log instanceof net.Socket && lifeline instanceof net.Socket)) throw new Error('The server has no pipes.');
  lifeline.on('error', () => {});
  // This line keeps the shell from signaling a process that has reused the number.
  child.once('exit', () => lifeline.end('ended\n'));
  const lines: string[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  createInterface(log).on('line', (line) => {
    lines.push(line);
    if (lines.length > QUOTED_LINES) lines.shift();
    if (line.includes('database system is ready to accept connections')) resolve();
  });
  const ended = once(child, 'close').then(() => lines);
  const failed = await Promise.race([ready, ended]);
  if (failed) return { failed };
  // From now on, the server doesn't keep this process alive.
  for (const handle of [child, log, lifeline]) handle.unref();
  return { process: child, ended };
}

/** A name for a setting that contains a list of names. */
function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Launches the server. Waits up to 10 seconds for the server of a program that crashed. */
async function waitForFolder(paths: ServerPaths, launch: Launch): Promise<RunningServer> {
  const giveUpAt = performance.now() + CRASHED_SERVER_MS;
  for (;;) {
    // Check the socket first: it also reveals a server in another container that shares the volume.
    const result = (await findRunning(paths)) ? { failed: [LOCKED] } : await launch();
    if ('process' in result) return result;
    if (!result.failed.some((line) => STILL_RUNNING.test(line))) throw startError(paths, result.failed);
    const program = await pidIn(paths.programFile);
    const isInUse = program !== undefined && program !== process.pid && isAlive(program);
    if (isInUse || performance.now() > giveUpAt) throw new FolderInUseError(paths.dataDir, await holderOf(paths));
    await pause(POLL_MS);
  }
}

const LOCKED = 'lock file "postmaster.pid" already exists';
const STILL_RUNNING = /lock file ".+" already exists|pre-existing shared memory block .+ is still in use/;

/** Explains to the operator why the server doesn't start. */
function startError({ cluster, folder }: ServerPaths, lines: readonly string[]): Error {
  const cause = new Error(lines.join('\n'));
  if (/No space left on device|Disk quota exceeded/.test(cause.message)) {
    return new Error(`The disk is full, so the database in ${cluster} can't start. Free up space and start again.`, {
      cause,
    });
  }
  if (/could not (?:create|resize|map|open) .*shared memory/.test(cause.message)) {
    return new Error(
      'The embedded database gets too little shared memory on this system (/dev/shm). Give it more, or set DATABASE_URL ' +
        'to a PostgreSQL server.',
      { cause },
    );
  }
  if (/Permission denied/.test(cause.message)) return unreadable(folder, cause);
  const reason = lines.findLast((line) => FAILURE.test(line)) ?? lines.at(-1) ?? '';
  return new Error(
    `The database in ${cluster} can't be opened: ${reason.replace(FAILURE, '')}. If this happens again, restore it from a backup.`,
    { cause },
  );
}

const FAILURE = /^.*?(?:FATAL|PANIC|error): +/;

/** Restarts the server whenever it ends unexpectedly, such as after a crash or on a full disk. */
function supervise(server: RunningServer, launch: Launch, log: Log) {
  const shutdown = new AbortController();
  let current: RunningServer | undefined = server;
  let stopSignal: NodeJS.Signals = 'SIGINT';
  const restart = async (): Promise<RunningServer | undefined> => {
    while (!shutdown.signal.aborted) {
      const result = await launch();
      if ('process' in result) return result;
      await pause(RESTART_EVERY_MS, undefined, { signal: shutdown.signal, ref: false }).catch(() => {});
    }
    return undefined;
  };
  const run = async () => {
    while (current) {
      // A shutdown may have begun while the server was starting.
      if (shutdown.signal.aborted) current.process.kill(stopSignal);
      const lines = await current.ended;
      if (shutdown.signal.aborted) return;
      log.error({ lines }, 'the embedded database stopped unexpectedly and is being restarted');
      current = await restart();
      if (current) log.warn({}, 'the embedded database is running again');
    }
  };
  const running = run();
  return {
    /** @param signal `SIGINT` disconnects clients; `SIGTERM` waits until they have disconnected */
    stop: async (signal: NodeJS.Signals) => {
      stopSignal = signal;
      shutdown.abort();
      current?.process.kill(signal);
      const keepAlive = setTimeout(() => current?.process.kill('SIGQUIT'), STOP_MS);
      await running;
      clearTimeout(keepAlive);
    },
  };
}
