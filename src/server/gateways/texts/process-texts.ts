import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure, type FailureCode, type FailureDetails } from '#domain/failures.ts';
import type { Log } from '#server/db/connection.ts';
import { type WorkQueue, workQueue } from '#server/work-queue.ts';
import type { Texts } from './texts.ts';

/** What the process says: that it is ready, and then an answer to each text. */
export type Said =
  | { readonly ready: true }
  | { readonly html: string }
  | { readonly code: FailureCode; readonly details: FailureDetails };

export type ProcessTextsOptions = {
  readonly log: Pick<Log, 'warn'>;
  readonly script?: URL;
  /** For one text. */
  readonly seconds?: number;
  readonly memoryMegabytes?: number;
  readonly queue?: WorkQueue;
};

/** One text at a time, so that rendering uses one core at most. */
const LIMITS = { atOnce: 1, waiting: 24, seconds: 60 };
/** Each writer's texts wait in a line of their own, so that nobody else waits for more than one of them. */
const WRITER_LIMITS = { atOnce: 1, waiting: 15, seconds: 120 };
const START_SECONDS = 30;
/** The process takes 100 MB, so it ends when nobody has written anything for a while. */
const IDLE_MS = 60_000;

/**
 * Texts rendered in a process of their own, with limits on time and memory. A thread would not do: some ways to run out
 * of memory end the whole process with it.
 */
export function processTexts({
  log,
  script = new URL('./render-child.ts', import.meta.url),
  seconds = 5,
  memoryMegabytes = 128,
  queue = workQueue(LIMITS),
}: ProcessTextsOptions): Texts & { close(): void } {
  const lines = new Map<string, { readonly queue: WorkQueue; texts: number }>();
  let running: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  const close = (): void => {
    clearTimeout(idle);
    running?.kill('SIGKILL');
    running = undefined;
  };
  const startIfNeeded = async (): Promise<ChildProcess> => {
    if (running?.connected) return running;
    running = start(script, memoryMegabytes);
    const said = await heard(running, START_SECONDS);
    if (typeof said !== 'string') return running;
    close();
    throw new Error(`The process that renders texts did not start: it ${said}.`);
  };
  const ask = async (markdown: string): Promise<string | Failure> => {
    clearTimeout(idle);
    const child = await startIfNeeded();
    // That it could not be sent is known by the end of the process.
    child.send(markdown, () => {});
    const said = await heard(child, seconds);
    if (typeof said === 'string' || 'ready' in said) {
      close();
      log.warn({ outcome: said }, 'a text could not be rendered');
      return new Failure('text-too-slow');
    }
    idle = setTimeout(close, IDLE_MS).unref();
    return 'html' in said ? said.html : new Failure(said.code, said.details);
  };
  return {
    render: async (markdown, writer) => {
      const line = lines.get(writer) ?? { queue: workQueue(WRITER_LIMITS), texts: 0 };
      lines.set(writer, line);
      line.texts += 1;
      try {
        return await line.queue.run(() => queue.run(() => ask(markdown)));
      } finally {
        line.texts -= 1;
        if (line.texts === 0) lines.delete(writer);
      }
    },
    close,
  };
}

/** Without our environment, which has secrets. It keeps nothing alive. */
function start(script: URL, memoryMegabytes: number): ChildProcess {
  const child = fork(script, [], {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMegabytes}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Otherwise a failure to stop it would end this process.
  child.on('error', () => {});
  child.unref();
  child.channel?.unref();
  return child;
}

type Exit = (string | number | null)[];

/** What the process says next, or in words why it says nothing. */
async function heard(child: ChildProcess, seconds: number): Promise<Said | string> {
  const over = new AbortController();
  const { signal } = over;
  const message = once(child, 'message', { signal }).then(([said]: Said[]) => said ?? 'said nothing');
  const end = once(child, 'exit', { signal }).then(([code, by]: Exit) => `ended with ${by ?? code}`);
  const late = wait(seconds * 1000, `took more than ${seconds} s`, { signal });
  try {
    return await Promise.race([message, end, late]);
  } finally {
    over.abort();
  }
}
