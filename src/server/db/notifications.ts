import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from './connection.ts';

/** Called without a payload when notifications may have been missed, as after a lost connection. */
export type OnNotification = (payload: string | undefined) => void;

export type Notifications = {
  /**
   * @param channel never user input: it is not escaped
   * @returns how to stop listening
   */
  listen(channel: string, onNotification: OnNotification): Promise<() => void>;
  /** Tells this process's listeners alone. */
  notify(channel: string, payload: string): void;
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

export type EmbeddedNotifications = Notifications & {
  /** Listens on a new connection to what the one before it listened to. */
  readonly resume: (client: pg.ClientBase) => Promise<void>;
};

export function embeddedNotifications(pool: pg.Pool): EmbeddedNotifications {
  const listeners = listenerMap();
  let isFirst = true;
  pool.on('connect', (client) => {
    client.on('notification', ({ channel, payload }) => listeners.notify(channel, payload));
  });
  return {
    resume: async (client) => {
      const missed = isFirst ? [] : listeners.channels();
      isFirst = false;
      for (const channel of missed) await client.query(`listen ${channel}`);
      for (const channel of missed) listeners.notify(channel, undefined);
    },
    listen: async (channel, onNotification) => {
      const { isFirst: isNew, stop } = listeners.add(channel, onNotification);
      if (isNew) await pool.query(`listen ${channel}`);
      return stop;
    },
    notify: listeners.notify,
    close: async () => {},
  };
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Listens on a separate connection, which is replaced when lost. */
export function serverNotifications(connectionString: string, log: Log): Notifications {
  const closing = new AbortController();
  const listeners = listenerMap();
  let client: Promise<pg.Client> | undefined;

  const connect = async () => {
    const next = new pg.Client({ connectionString, keepAlive: true });
    next.on('notification', ({ channel, payload }) => listeners.notify(channel, payload));
    let ended = false;
    const lost = () => {
      if (ended || closing.signal.aborted) return;
      ended = true;
      log.warn({}, 'the database connection that listens for notifications was lost');
      client = reconnect();
      client.catch(() => {});
    };
    next.on('error', lost);
    next.on('end', lost);
    try {
      await next.connect();
      for (const channel of listeners.channels()) await next.query(`listen ${channel}`);
    } catch (error) {
      ended = true;
      await next.end().catch(() => {});
      throw error;
    }
    return next;
  };
  const reconnect = async (): Promise<pg.Client> => {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      await pause(wait, undefined, { signal: closing.signal });
      const next = await connect().catch(() => undefined);
      if (!next) continue;
      for (const channel of listeners.channels()) listeners.notify(channel, undefined);
      return next;
    }
  };
  return {
    listen: async (channel, onNotification) => {
      const { isFirst, stop } = listeners.add(channel, onNotification);
      // A new connection listens to all channels.
      const isOpen = client !== undefined;
      client ??= connect();
      const open = await client;
      if (isOpen && isFirst) await open.query(`listen ${channel}`);
      return stop;
    },
    notify: listeners.notify,
    close: async () => {
      closing.abort();
      const open = await client?.catch(() => undefined);
      await open?.end().catch(() => {});
    },
  };
}
