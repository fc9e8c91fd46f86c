import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '#server/db/free-port.ts';
import { findNobodyUser, findPostgresBinaries, type RunAs } from '#server/db/postgres-binaries.ts';
import { createScratchFolder } from '../scratch-folder.ts';

export type PostgresServer = {
  /** URL over TCP. */
  readonly url: string;
  /** URL over a Unix socket, which takes 10% less CPU time; over TCP on Windows. */
  readonly socketUrl: string;
  stop(): Promise<void>;
  /** `kill -9`. A durable server restarts immediately. */
  kill(): Promise<void>;
  /** `kill -9` of a durable server. @returns a function that restarts it */
  halt(): Promise<() => void>;
  /** Freezes all of the server's processes, on Linux. @returns a function that resumes them */
  freeze(): Promise<() => void>;
};

type PostgresOptions = {
  /** Makes commits wait for the disk, as in production. By default the data is in memory, which is fast. */
  readonly isDurable?: boolean;
  /** Runs before the data folder is filled. */
  readonly prepare?: (folder: string, user: RunAs) => Promise<void>;
  /** Starts the server as a standby without a primary. `pg_promote()` makes it the primary. */
  readonly isStandby?: boolean;
  /** Additional settings for postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** Starts an empty server on a free port. The server ends with `stop` or when this process ends, for any reason. */
export async function startPostgresServer(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { isDurable = false } = options;
  const folder = isDurable
    ? await fs.mkdtemp(path.join(os.tmpdir(), 'city-climate-fund-postgres-'))
    : await createScratchFolder('postgres');
  try {
    return await startInFolder(folder, options);
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startInFolder(folder: string, options: PostgresOptions): Promise<PostgresServer> {
  const { isDurable = false, isStandby = false, prepare, settings = {} } = options;
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? findNobodyUser() : undefined;
  if (user) await fs.chown(folder, user.uid, user.gid);
  const { initdb, postgres } = await findPostgresBinaries(folder, user);
  const password = randomBytes(16).toString('hex');
  await prepare?.(path.join(folder, 'data'), user);
  await initCluster(initdb, user, folder, password);
  if (isStandby) await fs.writeFile(path.join(folder, 'data', 'standby.signal'), '');
  const port = await findFreePort();
  const { stop, watchdogPid } = await runServer(postgres, user, folder, { port, isDurable, settings });
  const readPostmasterPid = async () => {
    const [pid] = (await fs.readFile(path.join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n');
    return Number(pid);
  };
  const kill = async () => void process.kill(await readPostmasterPid(), 'SIGKILL');
  const pauseProcesses = (pids: readonly number[]) => {
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return () => {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    };
  };
  const halt = async () => {
    // Otherwise the watchdog would restart the server.
    const resume = pauseProcesses([watchdogPid]);
    await kill();
    return resume;
  };
  const freeze = async () => {
    const parentPid = await readPostmasterPid();
    // Pause the parent first, so it can't start more children.
    const resume = pauseProcesses([parentPid]);
    const children = await fs.readFile(`/proc/${parentPid}/task/${parentPid}/children`, 'utf8');
    const resumeChildren = pauseProcesses(children.trim().split(' ').map(Number));
    return () => {
      resumeChildren();
      resume();
    };
  };
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const socketUrl =
    process.platform === 'win32'
      ? url
      : `postgres://postgres:${password}@localhost/postgres?host=${encodeURIComponent(folder)}&port=${port}`;
  return { url, socketUrl, stop, kill, halt, freeze };
}

async function initCluster(initdb: string, user: RunAs, folder: string, password: string): Promise<void> {
  const passwordFile = path.join(folder, 'password');
  await fs.writeFile(passwordFile, password, { mode: 0o600 });
  if (user) await fs.chown(passwordFile, user.uid, user.gid);
  const options = [
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '-c',
    'scram_iterations=1',
  ];
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  execFileSync(initdb, ['-D', path.join(folder, 'data'), '--no-sync', '--no-data-checksums', ...options, ...locale], {
    ...user,
    cwd: folder,
  });
}

async function runServer(
  postgres: string,
  user: RunAs,
  folder: string,
  {
    port,
    isDurable,
    settings: overrides,
  }: Required<Pick<PostgresOptions, 'isDurable' | 'settings'>> & { readonly port: number },
): Promise<{ readonly stop: () => Promise<void>; readonly watchdogPid: number }> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: process.platform === 'win32' ? '' : folder,
    max_connections: 200,
    // Unusual values, because no code may depend on these settings.
    timezone: 'Pacific/Auckland',
    datestyle: 'SQL, DMY',
    intervalstyle: 'iso_8601',
    ...(isDurable ? {} : IN_MEMORY_SETTINGS),
    ...overrides,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const ids = [user?.uid ?? '', user?.gid ?? ''].map(String);
  const watchdog = spawn(
    process.execPath,
    [
      WATCHDOG_SCRIPT,
      folder,
      postgres,
      ...ids,
      isDurable ? 'restart' : 'once',
      '-D',
      path.join(folder, 'data'),
      '-p',
      String(port),
      ...flags,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'], cwd: folder, env: { PATH: process.env.PATH, LC_MESSAGES: 'C' } },
  );
  const exit = once(watchdog, 'exit');
  const isReady = await Promise.race([once(watchdog.stdout, 'data').then(() => true), exit.then(() => false)]);
  if (!isReady) throw new Error('The PostgreSQL server did not start.');
  const stop = async () => {
    watchdog.stdin.end();
    await exit;
  };
  return { stop, watchdogPid: watchdog.pid ?? 0 };
}

const IN_MEMORY_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  io_method: 'sync',
  track_counts: 'off',
  bgwriter_lru_maxpages: 0,
  // Each new or dropped database scans all buffers, and each new connection maps them.
  shared_buffers: '32MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
};
const WATCHDOG_SCRIPT = fileURLToPath(new URL('./postgres-watchdog.ts', import.meta.url));
