import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from './connection.ts';

/** Called with what was said; with nothing when something may have been missed, as after a lost connection. */
export type OnNotification = (payload: string | undefined) => void;

export type Notifications = {
  /**
   * Listens to a channel, whose name is a word of our own and never somebody's text.
   * @returns how to stop listening
   */
  listen(channel: string, onNotification: OnNotification): Promise<() => void>;
  close(): Promise<void>;
};

/** Who listens to which channel. */
function audience() {
  const channels = new Map<string, Set<OnNotification>>();
  return {
    /** @returns whether it is the first listener of the channel */
    add: (channel: string, onNotification: OnNotification) => {
      const isFirst = !channels.has(channel);
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(onNotification));
      return { isFirst, stop: () => void listeners.delete(onNotification) };
    },
    tell: (channel: string, payload: string | undefined) => {
      for (const onNotification of channels.get(channel) ?? []) onNotification(payload);
    },
    channels: () => [...channels.keys()],
  };
}

/** On the embedded engine the one connection hears what it says itself. */
export function embeddedNotifications(pool: pg.Pool): Notifications {
  const heard = audience();
  pool.on('connect', (client) => {
    client.on('notification', ({ channel, payload }) => heard.tell(channel, payload));
  });
  return {
    listen: async (channel, onNotification) => {
      const { isFirst, stop } = heard.add(channel, onNotification);
      if (isFirst) await pool.query(`listen ${channel}`);
      return stop;
    },
    close: async () => {},
  };
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** On a server one connection of its own listens; when it is lost, another one takes its place. */
export function serverNotifications(connectionString: string, log: Log): Notifications {
  const closing = new AbortController();
  const heard = audience();
  let client: Promise<pg.Client> | undefined;

  const connected = async () => {
    const next = new pg.Client({ connectionString, keepAlive: true });
    next.on('notification', ({ channel, payload }) => heard.tell(channel, payload));
    let ended = false;
    const lost = () => {
      if (ended || closing.signal.aborted) return;
      ended = true;
      log.warn({}, 'the connection that listens to the database was lost');
      client = again();
      client.catch(() => {});
    };
    next.on('error', lost);
    next.on('end', lost);
    try {
      await next.connect();
      for (const channel of heard.channels()) await next.query(`listen ${channel}`);
    } catch (error) {
      ended = true;
      await next.end().catch(() => {});
      throw error;
    }
    return next;
  };
  const again = async (): Promise<pg.Client> => {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      await pause(wait, undefined, { signal: closing.signal });
      // Out of reach still: the next try waits longer. What is asked of the database meanwhile says so itself.
      const next = await connected().catch(() => undefined);
      if (!next) continue;
      for (const channel of heard.channels()) heard.tell(channel, undefined);
      return next;
    }
  };
  return {
    listen: async (channel, onNotification) => {
      const { isFirst, stop } = heard.add(channel, onNotification);
      // A first connection asks for every channel there is by then.
      const isOpen = client !== undefined;
      client ??= connected();
      const open = await client;
      if (isOpen && isFirst) await open.query(`listen ${channel}`);
      return stop;
    },
    close: async () => {
      closing.abort();
      const open = await client?.catch(() => undefined);
      await open?.end().catch(() => {});
    },
  };
}
