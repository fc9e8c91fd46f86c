import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure, type FailureCode, type FailureDetails } from '#domain/failures.ts';
import type { Log } from '#server/log.ts';
import { createWorkQueue, type WorkQueue } from '#server/process/work-queue.ts';
import type { MarkdownRenderer } from './markdown-renderer.ts';

/** Message from the renderer process: `ready` once it has started, then one result for each request. */
export type RenderMessage =
  | { readonly ready: true }
  | { readonly html: string }
  | { readonly code: FailureCode; readonly details: FailureDetails };

export type RendererProcessOptions = {
  readonly log: Pick<Log, 'warn'>;
  readonly script?: URL;
  /** Time limit for one request. */
  readonly timeoutSeconds?: number;
  readonly memoryMegabytes?: number;
  readonly queue?: WorkQueue;
};

/** One request at a time, so that rendering uses at most one core. */
const LIMITS = { maxRunning: 1, maxQueued: 24, timeoutSeconds: 60 };
/** Each author has a separate queue, so that an author delays others by at most one request. */
const AUTHOR_LIMITS = { maxRunning: 1, maxQueued: 15, timeoutSeconds: 120 };
const START_SECONDS = 30;
/** Stops an idle process after this time, because it takes 100 MB. */
const IDLE_MS = 60_000;

/**
 * Renders Markdown in a separate process with limits on time and memory. A thread wouldn't be enough, because some ways of
 * running out of memory end the whole process.
 */
export function createRendererProcess({
  log,
  script = new URL('./render-child.ts', import.meta.url),
  timeoutSeconds = 5,
  memoryMegabytes = 128,
  queue = createWorkQueue(LIMITS, () => log.warn({}, 'Markdown rendering is slow; requests are backing up')),
}: RendererProcessOptions): MarkdownRenderer & { close(): void } {
  const authorQueues = new Map<string, { readonly queue: WorkQueue; pendingCount: number }>();
  let child: ChildProcess | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  const close = (): void => {
    clearTimeout(idleTimer);
    child?.kill('SIGKILL');
    child = undefined;
  };
  const startIfNeeded = async (): Promise<ChildProcess> => {
    if (child?.connected) return child;
    child = startProcess(script, memoryMegabytes);
    const message = await nextMessage(child, START_SECONDS);
    if (typeof message !== 'string') return child;
    close();
    throw new Error(`The Markdown renderer did not start: it ${message}.`);
  };
  const render = async (markdown: string): Promise<string | Failure> => {
    clearTimeout(idleTimer);
    const child = await startIfNeeded();
    // A send error is ignored here, because the exit of the process reports it.
    child.send(markdown, () => {});
    const message = await nextMessage(child, timeoutSeconds);
    if (typeof message === 'string' || 'ready' in message) {
      close();
      log.warn({ outcome: message }, 'Markdown could not be rendered');
      return new Failure('text-not-rendered');
    }
    idleTimer = setTimeout(close, IDLE_MS).unref();
    return 'html' in message ? message.html : new Failure(message.code, message.details);
  };
  return {
    render: async (markdown, authorId) => {
      const authorQueue = authorQueues.get(authorId) ?? { queue: createWorkQueue(AUTHOR_LIMITS), pendingCount: 0 };
      authorQueues.set(authorId, authorQueue);
      authorQueue.pendingCount += 1;
      try {
        return await authorQueue.queue.run(() => queue.run(() => render(markdown)));
      } finally {
        authorQueue.pendingCount -= 1;
        if (authorQueue.pendingCount === 0) authorQueues.delete(authorId);
      }
    },
    close,
  };
}

/** Starts the process without our environment, which contains secrets. The child doesn't keep this process alive. */
function startProcess(script: URL, memoryMegabytes: number): ChildProcess {
  const child = fork(script, [], {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMegabytes}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A failure to stop the child must not end this process.
  child.on('error', () => {});
  child.unref();
  child.channel?.unref();
  return child;
}

type Exit = (string | number | null)[];

/** @returns the process's next message, or the reason why it didn't send one */
async function nextMessage(child: ChildProcess, timeoutSeconds: number): Promise<RenderMessage | string> {
  const race = new AbortController();
  const { signal } = race;
  const message = once(child, 'message', { signal }).then(([received]: RenderMessage[]) => received ?? 'sent nothing');
  const exit = once(child, 'exit', { signal }).then(([code, stopSignal]: Exit) => `ended with ${stopSignal ?? code}`);
  const timeout = wait(timeoutSeconds * 1000, `took more than ${timeoutSeconds} s`, { signal });
  try {
    return await Promise.race([message, exit, timeout]);
  } finally {
    race.abort();
  }
}
