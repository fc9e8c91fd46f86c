import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WRONG_SETTINGS } from '#server/config.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A server that ran for this long did not fail to start. */
const STEADY_MS = 10 * 60_000;
/** Restarts in a row: about eight minutes of attempts. */
const MAX_RESTARTS = 12;

type Times = {
  readonly now: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
};

const SYSTEM_TIMES: Times = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
};

/** Runs the server with the same output, settings, and memory limits. The server ends when this process ends. */
export function startServer(script: string): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, script], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
}

/**
 * Keeps a server running: restarts it after a crash, with growing pauses, and gives up after too many crashes in a row.
 * A signal to this process ends both.
 * @returns the exit status: the server's own if its settings are wrong or it was told to stop
 */
export async function supervise(
  start: () => ChildProcess,
  print: (line: string) => void,
  { now, pause: wait }: Times = SYSTEM_TIMES,
): Promise<number> {
  const shutdown = new AbortController();
  const end = () => shutdown.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    for (let crashes = 1; ; crashes += 1) {
      const startTime = now();
      const status = await endOf(start(), shutdown.signal);
      if (shutdown.signal.aborted || status === 0 || status === WRONG_SETTINGS)
        return typeof status === 'number' ? status : 0;
      if (now() - startTime >= STEADY_MS) crashes = 1;
      if (crashes > MAX_RESTARTS) {
        print(`The server ended again with ${status}, and is not started any more.`);
        return 1;
      }
      const milliseconds = Math.min(FIRST_PAUSE_MS * 2 ** (crashes - 1), LONGEST_PAUSE_MS);
      print(`The server ended with ${status}. It is started again in ${milliseconds / 1000} s.`);
      await wait(milliseconds, shutdown.signal).catch(() => undefined);
      if (shutdown.signal.aborted) return 0;
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

/** @returns the exit status, or the signal that ended the process */
async function endOf(child: ChildProcess, ending: AbortSignal): Promise<number | string> {
  // A terminal also sends its signals to the server, which doesn't take this one for a second Ctrl+C.
  const stop = () => void child.kill('SIGTERM');
  ending.addEventListener('abort', stop);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  ending.removeEventListener('abort', stop);
  return code ?? signal ?? 1;
}
