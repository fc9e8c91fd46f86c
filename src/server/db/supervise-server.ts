import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/log.ts';
import { createStartError, SERVER_ENV, SHELL } from './create-cluster.ts';
import type { PostgresBinaries, RunAs } from './postgres-binaries.ts';
import {
  type Address,
  describeHolder,
  FolderInUseError,
  findRunningServer,
  getSocketPath,
  isAlive,
  readPid,
  type ServerPaths,
} from './running-server.ts';

/** The operating system's limit for the path of a Unix socket, in bytes. */
const MAX_SOCKET_PATH_BYTES = 107;
/** Maximum wait for a crashed program's server to stop. */
const CRASHED_SERVER_TIMEOUT_MS = 10_000;
const POLL_MS = 100;
const RESTART_DELAY_MS = 1000;
/** Number of failed restarts per log entry. */
const ATTEMPTS_PER_LOG = 60;
/** A server that exits within this time after a restart counts as a failed restart. */
const MIN_RUN_MS = 10_000;
/** After this time, the server stops without a checkpoint and recovers at its next start. */
const STOP_TIMEOUT_MS = 20_000;
/** Number of lines of the server's log to quote when it fails. */
const MAX_QUOTED_LINES = 12;

export const LOOPBACK = '127.0.0.1';

/** @returns the socket's folder, or the loopback address on systems without Unix sockets */
export async function prepareSocketFolder({ folder }: ServerPaths, user: RunAs): Promise<string> {
  if (process.platform === 'win32') return LOOPBACK;
  if (Buffer.byteLength(getSocketPath(folder)) <= MAX_SOCKET_PATH_BYTES) return folder;
  const shortFolder = await fs.mkdtemp(path.join(os.tmpdir(), 'fund-'));
  if (user) await fs.chown(shortFolder, user.uid, user.gid);
  return shortFolder;
}

/** Low limits, because a fund has few concurrent visitors and may run on a machine with 1 GB of memory. */
const SERVER_SETTINGS = {
  max_connections: 20,
  shared_buffers: '16MB',
  max_wal_size: '256MB',
  huge_pages: 'off',
  // /dev/shm can be small or missing in a container.
  dynamic_shared_memory_type: 'mmap',
  // Avoids processes for replication, parallel queries, and asynchronous reads.
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
  readonly exitLines: Promise<readonly string[]>;
};
type LaunchResult = RunningServer | { readonly failureLines: readonly string[] };
type Launch = () => Promise<LaunchResult>;

/**
 * Ends the server when this process ends, even by `kill -9`: a background shell reads from a pipe that closes at that time.
 * The shell isn't a child of the server, which would mistake it for a PostgreSQL process.
 */
const LAUNCHER = `
  ( (trap '' HUP INT TERM; read -r line <&3 || kill -INT $$) 2>/dev/null & )
  exec "$@" 3<&-`;

/** Starts the server process. */
export async function launchServer(
  { postgres }: PostgresBinaries,
  user: RunAs,
  { cluster, folder }: ServerPaths,
  { host, port }: Address,
): Promise<LaunchResult> {
  const listenSettings =
    host === LOOPBACK
      ? { listen_addresses: host, unix_socket_directories: '' }
      : { listen_addresses: '', unix_socket_directories: quoteName(host), unix_socket_permissions: '0700' };
  const settings = Object.entries({ port, ...listenSettings, ...SERVER_SETTINGS });
  const command = [postgres, '-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const [file, ...args] = process.platform === 'win32' ? command : [SHELL, '-c', LAUNCHER, 'sh', ...command];
  const child = spawn(file ?? SHELL, args, {
    ...user,
    cwd: folder,
    env: SERVER_ENV,
    // Starts a separate session, because Ctrl+C in a terminal would otherwise stop the server before the program has
    // finished.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  // Rejects with the system's error if the process can't be started.
  await once(child, 'spawn');
  const [, , log, lifeline] = child.stdio;
  if (!(log instanceof net.Socket && lifeline instanceof net.Socket)) throw new Error('The server has no pipes.');
  lifeline.on('error', () => {});
  // Let the shell exit, so that it doesn't signal another process that has reused the id.
  child.once('exit', () => lifeline.end('ended\n'));
  const lines: string[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  createInterface(log).on('line', (line) => {
    lines.push(line);
    if (lines.length > MAX_QUOTED_LINES) lines.shift();
    if (line.includes('database system is ready to accept connections')) resolve();
  });
  const exitLines = once(child, 'close').then(() => lines);
  const failureLines = await Promise.race([ready, exitLines]);
  if (failureLines) return { failureLines };
  // Once started, the server doesn't keep this process alive.
  for (const handle of [child, log, lifeline]) handle.unref();
  return { process: child, exitLines };
}

/** Quotes a name for a setting that contains a list of names. */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Launches the server. Waits up to 10 seconds for a crashed program's server to stop. */
export async function launchWhenFolderIsFree(paths: ServerPaths, launch: Launch): Promise<RunningServer> {
  const deadline = performance.now() + CRASHED_SERVER_TIMEOUT_MS;
  for (;;) {
    // Check the socket first: it also reveals a server in another container that shares the volume.
    const result = (await findRunningServer(paths)) ? { failureLines: [LOCK_EXISTS_LINE] } : await launch();
    if ('process' in result) return result;
    if (!result.failureLines.some((line) => STILL_RUNNING.test(line)))
      throw createStartError(paths, result.failureLines);
    const programPid = await readPid(paths.programPidFile);
    const isInUse = programPid !== undefined && programPid !== process.pid && isAlive(programPid);
    if (isInUse || performance.now() > deadline) throw new FolderInUseError(paths.dataDir, await describeHolder(paths));
    await pause(POLL_MS);
  }
}

const LOCK_EXISTS_LINE = 'lock file "postmaster.pid" already exists';
const STILL_RUNNING = /lock file ".+" already exists|pre-existing shared memory block .+ is still in use/;

/** Restarts the server whenever it ends unexpectedly, such as after a crash or on a full disk. */
export function superviseServer(server: RunningServer, launch: Launch, log: Log) {
  const shutdown = new AbortController();
  let currentServer: RunningServer | undefined = server;
  let stopSignal: NodeJS.Signals = 'SIGINT';
  const pauseBeforeRestart = () =>
    pause(RESTART_DELAY_MS, undefined, { signal: shutdown.signal, ref: false }).catch(() => {});
  const restart = async (): Promise<RunningServer | undefined> => {
    for (let attempts = 0; !shutdown.signal.aborted; attempts += 1) {
      const result = await launch().catch((error: Error) => ({ failureLines: [error.message] }));
      if ('process' in result) return result;
      const { failureLines: lines } = result;
      if (attempts % ATTEMPTS_PER_LOG === 0) log.error({ lines }, 'the embedded database could not be restarted');
      await pauseBeforeRestart();
    }
    return undefined;
  };
  const run = async () => {
    /** Number of restarts since the server last ran for long enough. */
    let restarts = 0;
    while (currentServer) {
      // A shutdown may have begun while the server was starting.
      if (shutdown.signal.aborted) currentServer.process.kill(stopSignal);
      const startedAt = performance.now();
      const lines = await currentServer.exitLines;
      if (shutdown.signal.aborted) return;
      if (performance.now() - startedAt >= MIN_RUN_MS) restarts = 0;
      const isLogged = restarts % ATTEMPTS_PER_LOG === 0;
      if (isLogged) log.error({ lines }, 'the embedded database stopped unexpectedly and is being restarted');
      if (restarts > 0) await pauseBeforeRestart();
      currentServer = await restart();
      restarts += 1;
      if (currentServer && isLogged) log.warn({}, 'the embedded database is running again');
    }
  };
  const supervision = run();
  return {
    /** @param signal `SIGINT` disconnects clients; `SIGTERM` waits until they have disconnected */
    stop: async (signal: NodeJS.Signals) => {
      stopSignal = signal;
      shutdown.abort();
      currentServer?.process.kill(signal);
      const killTimer = setTimeout(() => currentServer?.process.kill('SIGQUIT'), STOP_TIMEOUT_MS);
      await supervision;
      clearTimeout(killTimer);
    },
  };
}
