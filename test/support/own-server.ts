import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { scratchFolder } from '#scripts/scratch-folder.ts';
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
  clean(): Promise<void>;
};

export type ServerProcessOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder to copy. By default the program creates the sample organization. */
  readonly from?: string | undefined;
  /** A stopped server whose data folder and port to reuse. */
  readonly after?: ServerProcess;
};

/** Shared by all servers that a test run starts. */
const SETTINGS = { NODE_ENV: 'development', LOG_LEVEL: 'error', NODE_COMPILE_CACHE: 'build/test-compiled' };

/** Starts the program and resolves when it accepts requests. */
export async function startServer({ env = {}, from, after }: ServerProcessOptions = {}): Promise<ServerProcess> {
  const port = after ? Number(new URL(after.url).port) : await findFreePort();
  const dataDir = after?.dataDir ?? (await newDataDir(from));
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    // The IPC channel ends the child when this process ends for any reason.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...SETTINGS, PORT: String(port), DATA_DIR: dataDir, ...env },
  });
  const errors: string[] = [];
  const url = await waitForUrl(child, errors);
  const exitWith = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    dataDir,
    errors,
    stop: () => exitWith('SIGTERM'),
    kill: () => exitWith('SIGKILL'),
    clean: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function newDataDir(sourceDir: string | undefined): Promise<string> {
  const dataDir = await scratchFolder('site');
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
    let isServing = false;
    createInterface(stdout).on('line', (line) => {
      const url = /^City Climate Fund: (\S+)$/.exec(line)?.[1];
      if (url) {
        isServing = true;
        resolve(url);
      }
      if (/"level":(?:50|60)/.test(line)) errors.push(line);
    });
    createInterface(stderr).on('line', (line) => (isServing ? errors : buildOutput).push(line));
    child.once('exit', (code, signal) =>
      reject(new Error(`The program exited with ${code ?? signal}:\n${[...buildOutput, ...errors].join('\n')}`)),
    );
  });
}
