import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { findFreePort } from '#server/db/free-port.ts';

/** The whole program as started by `npm start`, with its own process, port, and data folder. */
export type ServerProcess = {
  readonly url: string;
  readonly dataDir: string;
  /** Logged errors. */
  readonly errors: readonly string[];
  /** Shuts down gracefully and keeps the data. */
  stop(): Promise<void>;
  /** Kills the process and keeps the data. */
  kill(): Promise<void>;
  /** Deletes the data. */
  deleteData(): Promise<void>;
};

export type ServerProcessOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder to copy. By default the program creates the sample organization. */
  readonly sourceDataDir?: string | undefined;
  /** A stopped server whose data folder and port are reused. */
  readonly previousServer?: ServerProcess;
};

/** Shared by all servers that a test run starts. */
const SETTINGS = { NODE_ENV: 'development', LOG_LEVEL: 'error', NODE_COMPILE_CACHE: 'build/test-compiled' };

/** Starts the program and resolves when it accepts requests. */
export async function startServer({
  env = {},
  sourceDataDir,
  previousServer,
}: ServerProcessOptions = {}): Promise<ServerProcess> {
  const port = previousServer ? Number(new URL(previousServer.url).port) : await findFreePort();
  const dataDir = previousServer?.dataDir ?? (await newDataDir(sourceDataDir));
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    // The IPC channel ends the child when this process ends for any reason.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...SETTINGS, PORT: String(port), DATA_DIR: dataDir, ...env },
  });
  const errors: string[] = [];
  const url = await waitForUrl(child, errors);
  const endProcess = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    dataDir,
    errors,
    stop: () => endProcess('SIGTERM'),
    kill: () => endProcess('SIGKILL'),
    deleteData: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function newDataDir(sourceDir: string | undefined): Promise<string> {
  const dataDir = await createScratchFolder('site');
  if (sourceDir !== undefined) cpSync(sourceDir, dataDir, { recursive: true });
  return dataDir;
}

/** Reads the output until the program prints its URL, and collects errors. */
function waitForUrl(child: ChildProcess, errors: string[]): Promise<string> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The output of the program is not piped');
  return new Promise((resolve, reject) => {
    // Build output before the program accepts requests isn't an error.
    const buildOutput: string[] = [];
    let isReady = false;
    createInterface(stdout).on('line', (line) => {
      const url = /^City Climate Fund: (\S+)$/.exec(line)?.[1];
      if (url) {
        isReady = true;
        resolve(url);
      }
      if (/"level":(?:50|60)/.test(line)) errors.push(line);
    });
    createInterface(stderr).on('line', (line) => (isReady ? errors : buildOutput).push(line));
    child.once('exit', (code, signal) =>
      reject(new Error(`The program exited with ${code ?? signal}:\n${[...buildOutput, ...errors].join('\n')}`)),
    );
  });
}
