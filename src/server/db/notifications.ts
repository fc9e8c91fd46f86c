import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#server/log.ts';
import type { DatabaseLimits } from './limits.ts';
import { isOutOfReach, OutOfReachError } from './unavailable.ts';

/** Called without a payload if notifications may have been missed, as after a lost connection. */
export type OnNotification = (payload: string | undefined) => void;

export type Notifications = {
  /**
   * @param channel never user input, since it isn't escaped
   * @returns a function that stops listening
   */
  listen(channel: string, onNotification: OnNotification): Promise<() => void>;
  /** Notifies this process's listeners only. */
  notify(channel: string, payload: string): void;
  readonly reach: Reach;
  close(): Promise<void>;
};

function listenerMap() {
  const channels = new Map<string, Set<OnNotification>>();
  return {
    /** @returns whether it is the first listener of the channel */
    add: (channel: string, onNotification: OnNotification) => {
      const isFirst = !channels.has(channel);
      const callbacks = channels.get(channel) ?? new Set();
      channels.set(channel, callbacks.add(onNotification));
      return { isFirst, stop: () => void callbacks.delete(onNotification) };
    },
    notify: (channel: string, payload: string | undefined) => {
      for (const onNotification of channels.get(channel) ?? []) onNotification(payload);
    },
    channels: () => [...channels.keys()],
  };
}

/** Limit at the start of the program, which a busy machine may delay. */
const FIRST_CONNECT_MS = 30_000;

/** Reachability of the database. */
export type Reach = {
  /** Last known state. No queries are sent during an outage. */
  isOut(): boolean;
  /** Checks it now. @returns whether the database responds */
  look(): Promise<boolean>;
  /** Calls `onChange` when an outage begins and when it ends. */
  follow(onChange: (isOut: boolean) => void): void;
};

/**
 * Listens on a separate connection, which is replaced when lost. It also checks every few seconds whether the server
 * responds: a frozen server, or one behind a network that drops everything, loses no connection.
 * @param onGivingUp called when pending queries of other connections will get no response: all of them, or those from
 * before a time (performance.now())
 */
export function openNotifications(
  connectionString: string,
  { answerMs, askEveryMs, retryEveryMs, giveUpMs }: DatabaseLimits,
  log: Log,
  onGivingUp: (since?: number) => void,
): Notifications {
  const closing = new AbortController();
  /** An outage doesn't belong to the request that discovered it, so its log lines have no request id. */
  const ownContext = AsyncLocalStorage.snapshot();
  const listeners = listenerMap();
  let client: Promise<pg.Client> | undefined;
  let drop = () => {};
  let check: Promise<void> | undefined;
  let checkTimer: NodeJS.Timeout | undefined;
  /** Settled once it is known whether only the connection was lost. */
  let trial: PromiseWithResolvers<void> | undefined;
  let out: { readonly since: number; readonly givingUp: NodeJS.Timeout } | undefined;
  const followers: ((isOut: boolean) => void)[] = [];
  const notifyFollowers = (isOut: boolean) => {
    for (const follower of followers) follower(isOut);
  };

  const connect = async (within: number) => {
    const next = new pg.Client({ connectionString, keepAlive: true });
    next.on('notification', ({ channel, payload }) => listeners.notify(channel, payload));
    // A proxy without a database accepts a connection and closes it. Until it is open, only this attempt fails:
    // a second reconnect here would double the attempts each time.
    let state = 'opening' as 'opening' | 'open' | 'ended';
    const lost = () => {
      const wasOpen = state === 'open';
      state = 'ended';
      if (!wasOpen || closing.signal.aborted) return;
      trial = Promise.withResolvers();
      client = ownContext(reconnect);
      client.catch(() => {});
    };
    next.on('error', lost);
    next.on('end', lost);
    try {
      const open = next
        .connect()
        .then(() => Promise.all(listeners.channels().map((channel) => next.query(`listen ${channel}`))));
      if (!(await isAnswered(open, within))) {
        // An error message is a response, too.
        await Promise.race([open, Promise.reject(new OutOfReachError('it does not answer'))]);
      }
      if (state === 'ended') throw new OutOfReachError('it closed the connection');
      state = 'open';
    } catch (error) {
      state = 'ended';
      next.connection.stream.destroy();
      throw error;
    }
    drop = () => {
      lost();
      next.connection.stream.destroy();
    };
    return next;
  };
  const begin = (err: unknown) => {
    if (out || !isOutOfReach(err)) return;
    out = { since: performance.now(), givingUp: setTimeout(() => onGivingUp(), giveUpMs).unref() };
    log.error({ reason: reasonOf(err) }, 'the database is out of reach: what needs it is refused until it is back');
    notifyFollowers(true);
  };
  const end = () => {
    if (!out) {
      log.warn({}, 'the database connection that listens for notifications was lost');
      return;
    }
    clearTimeout(out.givingUp);
    const seconds = Math.round(performance.now() - out.since) / 1000;
    out = undefined;
    log.warn({ seconds }, 'the database answers again');
    notifyFollowers(false);
  };
  const settle = () => {
    trial?.resolve();
    trial = undefined;
  };
  const reconnect = async (): Promise<pg.Client> => {
    for (;;) {
      try {
        const next = await connect(answerMs);
        end();
        settle();
        for (const channel of listeners.channels()) listeners.notify(channel, undefined);
        return next;
      } catch (error) {
        if (!closing.signal.aborted) begin(error);
        settle();
      }
      await pause(retryEveryMs, undefined, { signal: closing.signal });
    }
  };
  const ask = async () => {
    if (out || closing.signal.aborted) return;
    if (!trial) {
      const open = await client;
      const since = performance.now();
      if (!open || (await isAnswered(open.query('select 1'), answerMs))) return;
      // Other connections may be silent as well, even if a new one isn't.
      setTimeout(() => onGivingUp(since), giveUpMs).unref();
      drop();
    }
    await trial?.promise;
  };
  const look = async () => {
    check ??= ask()
      .catch(() => {})
      .finally(() => {
        check = undefined;
      });
    await check;
    return out === undefined;
  };
  return {
    reach: { isOut: () => out !== undefined, look, follow: (onChange) => void followers.push(onChange) },
    listen: async (channel, onNotification) => {
      const { isFirst, stop } = listeners.add(channel, onNotification);
      // A new connection listens to all channels.
      const isOpen = client !== undefined;
      client ??= connect(FIRST_CONNECT_MS);
      checkTimer ??= setInterval(() => void look(), askEveryMs).unref();
      const open = await client;
      if (isOpen && isFirst) await open.query(`listen ${channel}`);
      return stop;
    },
    notify: listeners.notify,
    close: async () => {
      closing.abort();
      clearInterval(checkTimer);
      clearTimeout(out?.givingUp);
      const open = await client?.catch(() => undefined);
      await open?.end().catch(() => {});
    },
  };
}

/** @returns false also if it fails */
async function isAnswered(query: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let isDone = false;
  const answer = query.then(
    () => {
      isDone = true;
      return true;
    },
    () => true,
  );
  for (;;) {
    const begin = performance.now();
    if (await Promise.race([answer, pause(milliseconds, false, { ref: false })])) return isDone;
    // While this process itself was paused, it read no response.
    const wasPaused = performance.now() - begin > milliseconds * PAUSE_FACTOR;
    if (!wasPaused) return false;
  }
}

const PAUSE_FACTOR = 1.5;

/** The driver's message without the connection string, which contains a password. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
