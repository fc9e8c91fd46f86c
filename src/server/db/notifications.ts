import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#server/log.ts';
import type { Hosts } from './hosts.ts';
import type { DatabaseLimits } from './limits.ts';
import { createOutages } from './outages.ts';
import { isUnreachable, StandbyError, UnreachableError } from './unavailable.ts';

/** Called without a payload if notifications may have been missed, such as after a lost connection. */
export type OnNotification = (payload: string | undefined) => void;

export type Notifications = {
  /**
   * @param channel must not be user input, because it isn't escaped
   * @returns a function that stops listening
   */
  listen(channel: string, onNotification: OnNotification): Promise<() => void>;
  /** Notifies this process's listeners only, of missed notifications if there is no payload. */
  notify(channel: string, payload: string | undefined): void;
  readonly availability: Reachability;
  close(): Promise<void>;
};

function createListeners() {
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

type Listeners = ReturnType<typeof createListeners>;

/** Identifies each process's listening connection in the server's list of connections. */
export const LISTENER_NAME = 'fund-listener';

/** Longer limit for the first connection, because a busy machine may be slow to start. */
const FIRST_CONNECT_MS = 30_000;

/** Reachability of the database. */
export type Reachability = {
  /** Last known state. No queries are sent during an outage. */
  isDown(): boolean;
  /** Checks immediately whether the database responds. */
  check(): Promise<boolean>;
  /** Calls `onChange` when an outage begins and when it ends. */
  subscribe(onChange: (isDown: boolean) => void): void;
};

/**
 * Listens on a separate connection, which is replaced when lost. Also checks every few seconds whether the server responds,
 * because a frozen server, or a network that drops packets, doesn't close connections.
 * @param onPendingQueriesLost called when other connections' pending queries will get no response: all of them, or those
 * sent before a time (performance.now())
 */
export function openNotifications(
  hosts: Hosts,
  { responseMs, checkEveryMs, retryEveryMs, giveUpMs }: DatabaseLimits,
  log: Log,
  onPendingQueriesLost: (since?: number) => void,
): Notifications {
  const closing = new AbortController();
  /** Omits the id of the request that discovered an outage from the outage's log lines. */
  const runOutsideRequest = AsyncLocalStorage.snapshot();
  const listeners = createListeners();
  let client: Promise<pg.Client> | undefined;
  let dropConnection = () => {};
  let pendingCheck: Promise<void> | undefined;
  let checkTimer: NodeJS.Timeout | undefined;
  /** Resolved after the first attempt to reconnect, which shows whether only the connection was lost. */
  let firstReconnect: PromiseWithResolvers<void> | undefined;
  const outages = createOutages(log, giveUpMs, () => onPendingQueriesLost());

  const connect = async (timeoutMs: number) => {
    const connection = await connectListener(hosts.current(), listeners, timeoutMs, () => {
      if (closing.signal.aborted) return;
      firstReconnect = Promise.withResolvers();
      client = runOutsideRequest(reconnect);
      client.catch(() => {});
    });
    dropConnection = connection.drop;
    return connection.client;
  };
  const resolveFirstReconnect = () => {
    firstReconnect?.resolve();
    firstReconnect = undefined;
  };
  const reconnect = async (): Promise<pg.Client> => {
    for (;;) {
      try {
        const newConnection = await connect(responseMs);
        outages.end();
        resolveFirstReconnect();
        for (const channel of listeners.channels()) listeners.notify(channel, undefined);
        return newConnection;
      } catch (error) {
        if (!closing.signal.aborted) outages.begin(error);
        resolveFirstReconnect();
        // Another error, such as too many connections, comes from the primary.
        if (isUnreachable(error)) hosts.skip();
      }
      await pause(retryEveryMs, undefined, { signal: closing.signal });
    }
  };
  const checkConnection = async () => {
    if (outages.isDown() || closing.signal.aborted) return;
    if (!firstReconnect) {
      const connection = await client;
      const since = performance.now();
      if (!connection || (await respondsWithin(connection.query('select 1'), responseMs))) return;
      // Other connections may be unresponsive too, even if a new one works.
      setTimeout(() => onPendingQueriesLost(since), giveUpMs).unref();
      dropConnection();
    }
    await firstReconnect?.promise;
  };
  const check = async () => {
    pendingCheck ??= checkConnection()
      .catch(() => {})
      .finally(() => {
        pendingCheck = undefined;
      });
    await pendingCheck;
    return !outages.isDown();
  };
  return {
    availability: { isDown: outages.isDown, check, subscribe: outages.subscribe },
    listen: async (channel, onNotification) => {
      const { isFirst, stop } = listeners.add(channel, onNotification);
      // A new connection listens to all channels.
      const isOpen = client !== undefined;
      client ??= connect(FIRST_CONNECT_MS);
      checkTimer ??= setInterval(() => void check(), checkEveryMs).unref();
      const connection = await client;
      if (isOpen && isFirst) await connection.query(`listen ${channel}`);
      return stop;
    },
    notify: listeners.notify,
    close: async () => {
      closing.abort();
      clearInterval(checkTimer);
      outages.close();
      const connection = await client?.catch(() => undefined);
      await connection?.end().catch(() => {});
    },
  };
}

/** @param onLost called once if the connection is lost after it was opened */
async function connectListener(
  connectionString: string,
  listeners: Listeners,
  timeoutMs: number,
  onLost: () => void,
): Promise<{ readonly client: pg.Client; readonly drop: () => void }> {
  const client = new pg.Client({ connectionString, application_name: LISTENER_NAME, keepAlive: true });
  client.on('notification', ({ channel, payload }) => listeners.notify(channel, payload));
  // A proxy that can't reach a database accepts a connection and then closes it. That isn't a lost connection:
  // reconnecting a second time for the same attempt would double the number of attempts each time.
  let state = 'opening' as 'opening' | 'open' | 'ended';
  const end = () => {
    const wasOpen = state === 'open';
    state = 'ended';
    if (wasOpen) onLost();
  };
  client.on('error', end);
  client.on('end', end);
  try {
    const openPromise = openListener(client, listeners.channels());
    if (!(await respondsWithin(openPromise, timeoutMs))) {
      // An error message is a response, too.
      await Promise.race([openPromise, Promise.reject(new UnreachableError('the server does not respond'))]);
    }
    if (state === 'ended') throw new UnreachableError('the server closed the connection');
    state = 'open';
  } catch (error) {
    state = 'ended';
    client.connection.stream.destroy();
    throw error;
  }
  const drop = () => {
    end();
    client.connection.stream.destroy();
  };
  return { client, drop };
}

async function openListener(client: pg.Client, channels: readonly string[]): Promise<void> {
  await client.connect();
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
  if (rows[0]?.isStandby) throw new StandbyError();
  for (const channel of channels) await client.query(`listen ${channel}`);
}

/** @returns false if the query fails or gets no response in time */
async function respondsWithin(query: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let hasSucceeded = false;
  const response = query.then(
    () => {
      hasSucceeded = true;
      return true;
    },
    () => true,
  );
  for (;;) {
    const start = performance.now();
    if (await Promise.race([response, pause(timeoutMs, false, { ref: false })])) return hasSucceeded;
    // If this process itself was paused, it couldn't read a response, so wait again.
    const wasPaused = performance.now() - start > timeoutMs * PAUSE_FACTOR;
    if (!wasPaused) return false;
  }
}

const PAUSE_FACTOR = 1.5;
