import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { INVALID_SETTINGS_STATUS } from '#server/config.ts';

const FIRST_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 60_000;
/** A server that ran this long has started successfully. */
const MIN_STABLE_MS = 10 * 60_000;
/** Maximum number of consecutive restarts: about eight minutes of attempts. */
const MAX_RESTARTS = 12;
const SHUTDOWN_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const;

type Timing = {
  readonly now: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
};

const SYSTEM_TIMING: Timing = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
};

/** Runs the server with the same output, settings, and memory limits. The server exits when this process ends. */
export function spawnServer(script: string): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, script], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
}

/**
 * Keeps a server running: restarts it after a crash, with increasing delays, and gives up after too many crashes in a
 * row. A signal to this process also stops the server.
 * @returns the exit status: the server's, if its settings are invalid or it was stopped
 */
export async function supervise(
  start: () => ChildProcess,
  print: (line: string) => void,
  { now, pause: wait }: Timing = SYSTEM_TIMING,
): Promise<number> {
  const shutdown = new AbortController();
  let server: ChildProcess | undefined;
  // A terminal also sends its signals to the server. Unlike SIGINT, SIGTERM isn't mistaken for a second Ctrl+C.
  shutdown.signal.addEventListener('abort', () => void server?.kill('SIGTERM'));
  const requestShutdown = () => shutdown.abort();
  for (const signal of SHUTDOWN_SIGNALS) process.once(signal, requestShutdown);
  try {
    for (let crashes = 1; ; crashes += 1) {
      const startTime = now();
      server = start();
      const [code, signal] = (await once(server, 'exit')) as [number | null, string | null];
      if (shutdown.signal.aborted || code === 0 || code === INVALID_SETTINGS_STATUS) return code ?? 0;
      if (now() - startTime >= MIN_STABLE_MS) crashes = 1;
      if (crashes > MAX_RESTARTS) {
        print(`The server exited again (${code ?? signal}) and won't be restarted.`);
        return 1;
      }
      const milliseconds = Math.min(FIRST_RETRY_DELAY_MS * 2 ** (crashes - 1), MAX_RETRY_DELAY_MS);
      print(`The server exited (${code ?? signal}). Restarting in ${milliseconds / 1000} s.`);
      await wait(milliseconds, shutdown.signal).catch(() => undefined);
      if (shutdown.signal.aborted) return 0;
    }
  } finally {
    for (const signal of SHUTDOWN_SIGNALS) process.off(signal, requestShutdown);
  }
}
