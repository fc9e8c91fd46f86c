import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { freePort } from '#server/db/free-port.ts';

/** The whole program as started by `npm start`, with its own process, port, and data folder. */
export type OwnServer = {
  readonly url: string;
  readonly dataDir: string;
  /** Logged errors. */
  readonly errors: readonly string[];
  /** Shuts down gracefully and keeps the data. */
  stop(): Promise<void>;
  /** Kills the process and keeps the data. */
  kill(): Promise<void>;
  /** Deletes the data. */
  clean(): Promise<void>;
};

export type OwnServerOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder to copy. By default the program creates the sample organization. */
  readonly from?: string | undefined;
  /** A stopped server whose data and port are used again. */
  readonly after?: OwnServer;
};

/** Shared by all servers that a test run starts. */
const SETTINGS = { NODE_ENV: 'development', LOG_LEVEL: 'error', NODE_COMPILE_CACHE: 'build/test-compiled' };

/** Starts the program and resolves when it accepts requests. */
export async function startServer({ env = {}, from, after }: OwnServerOptions = {}): Promise<OwnServer> {
  const port = after ? Number(new URL(after.url).port) : await freePort();
  const dataDir = after?.dataDir ?? (await newDataDir(from));
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    // The IPC channel ends the child when this process ends for any reason.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...SETTINGS, PORT: String(port), DATA_DIR: dataDir, ...env },
  });
  const errors: string[] = [];
  const url = await announcedUrl(child, errors);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    dataDir,
    errors,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    clean: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function newDataDir(from: string | undefined): Promise<string> {
  const dataDir = await scratchFolder('site');
  if (from !== undefined) cpSync(from, dataDir, { recursive: true });
  return dataDir;
}

/** Reads the output until the program prints its URL, and collects errors. */
function announcedUrl(child: ChildProcess, errors: string[]): Promise<string> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The output of the program is not read');
  return new Promise((resolve, reject) => {
    // Output of the build before the program serves is not an error.
    const building: string[] = [];
    let serves = false;
    createInterface(stdout).on('line', (line) => {
      const url = /^City Climate Fund: (\S+)$/.exec(line)?.[1];
      if (url) {
        serves = true;
        resolve(url);
      }
      if (/"level":(?:50|60)/.test(line)) errors.push(line);
    });
    createInterface(stderr).on('line', (line) => (serves ? errors : building).push(line));
    child.once('exit', (code, signal) =>
      reject(new Error(`It ended with ${code ?? signal}:\n${[...building, ...errors].join('\n')}`)),
    );
  });
}
