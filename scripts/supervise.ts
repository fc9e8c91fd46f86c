import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WRONG_SETTINGS } from '#server/config.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** What ran this long has not failed to start. */
const STEADY_MS = 10 * 60_000;
/** In a row: eight minutes of trying. */
const MOST_RESTARTS = 12;

type Times = {
  readonly now: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
};

const REAL: Times = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
};

/** Runs the server, with the same output, settings, and limits of memory. It ends with this process, however that ends. */
export function startServer(script: string): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, script], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
}

/**
 * Keeps a server running: one that crashed is started again, ever later, and no more if it crashes again and again. A
 * signal to this process ends both.
 * @returns the status to exit with: the server's own, if its settings are wrong or it was asked to end
 */
export async function supervise(
  start: () => ChildProcess,
  say: (line: string) => void,
  { now, pause: wait }: Times = REAL,
): Promise<number> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    for (let crashes = 1; ; crashes += 1) {
      const begun = now();
      const ended = await endOf(start(), ending.signal);
      if (ending.signal.aborted || ended === 0 || ended === WRONG_SETTINGS)
        return typeof ended === 'number' ? ended : 0;
      if (now() - begun >= STEADY_MS) crashes = 1;
      if (crashes > MOST_RESTARTS) {
        say(`The server ended again with ${ended}, and is not started any more.`);
        return 1;
      }
      const milliseconds = Math.min(FIRST_PAUSE_MS * 2 ** (crashes - 1), LONGEST_PAUSE_MS);
      say(`The server ended with ${ended}. It is started again in ${milliseconds / 1000} s.`);
      await wait(milliseconds, ending.signal).catch(() => undefined);
      if (ending.signal.aborted) return 0;
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

/** @returns the status, or the signal that ended it */
async function endOf(child: ChildProcess, ending: AbortSignal): Promise<number | string> {
  // A terminal sends its signals to the server too: this other one is not a second press.
  const stop = () => void child.kill('SIGTERM');
  ending.addEventListener('abort', stop);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  ending.removeEventListener('abort', stop);
  return code ?? signal ?? 1;
}
