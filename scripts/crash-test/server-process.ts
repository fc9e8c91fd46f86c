import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN_SCRIPT = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
/** The server with the sample organization, like `npm start`. */
export const SAMPLE_SCRIPT = fileURLToPath(new URL('../start.ts', import.meta.url));
const START_TIMEOUT_MS = 120_000;

export type ServerProcess = {
  readonly pid: number;
  isRunning(): boolean;
  /** Resolves once the server responds. */
  waitUntilReady(): Promise<void>;
  /** `kill -9` */
  kill(): Promise<void>;
  /** A graceful shutdown. @returns the exit status */
  stop(): Promise<number | null>;
};

/** Starts the real server and waits until it responds. */
export async function startServer(
  url: string,
  settings: Record<string, string>,
  script = MAIN_SCRIPT,
): Promise<ServerProcess> {
  const server = spawnServer(url, settings, script);
  await server.waitUntilReady();
  return server;
}

/** Starts the real server without waiting for it. */
export function spawnServer(url: string, settings: Record<string, string>, script = MAIN_SCRIPT): ServerProcess {
  const env = { PATH: process.env.PATH, ...settings };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exit = once(child, 'exit');
  const endProcess = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode === null) child.kill(signal);
    await exit;
    return child.exitCode;
  };
  return {
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    waitUntilReady: () => waitUntilReady(child, url),
    kill: async () => void (await endProcess('SIGKILL')),
    stop: () => endProcess('SIGTERM'),
  };
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isResponding(url))) {
    if (child.exitCode !== null) throw new Error('The server exited.');
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error('The server did not respond in time.');
    }
    await pause(50);
  }
}

async function isResponding(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
