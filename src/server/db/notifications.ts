import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from './log.ts';

/** Called with what was said; with nothing when something may have been missed, as after a lost connection. */
export type OnNotification = (payload: string | undefined) => void;

export type Notifications = {
  /** Listens to a channel until the database is closed. Channel names are our own words, never somebody's text. */
  listen(channel: string, onNotification: OnNotification): Promise<void>;
  close(): Promise<void>;
};

/** On the embedded engine the one connection hears what it says itself. */
export function embeddedNotifications(pool: pg.Pool): Notifications {
  const listeners = new Map<string, OnNotification>();
  pool.on('connect', (client) => {
    client.on('notification', ({ channel, payload }) => listeners.get(channel)?.(payload));
  });
  return {
    listen: async (channel, onNotification) => {
      listeners.set(channel, onNotification);
      await pool.query(`listen ${channel}`);
    },
    close: async () => listeners.clear(),
  };
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** On a server one connection of its own listens; when it is lost, another one takes its place. */
export function serverNotifications(connectionString: string, log: Log): Notifications {
  const closing = new AbortController();
  const clients = new Set<pg.Client>();

  const connect = async (channel: string, onNotification: OnNotification) => {
    const client = new pg.Client({ connectionString, keepAlive: true });
    clients.add(client);
    client.on('notification', ({ payload }) => onNotification(payload));
    const lost = () => {
      if (!clients.delete(client) || closing.signal.aborted) return;
      log.warn({ channel }, 'the connection that listens to the database was lost');
      void again(channel, onNotification);
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      clients.delete(client);
      await client.end().catch(() => {});
      throw error;
    }
  };
  const again = async (channel: string, onNotification: OnNotification) => {
    for (let wait = FIRST_PAUSE_MS; !closing.signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        await pause(wait, undefined, { signal: closing.signal });
        await connect(channel, onNotification);
        return onNotification(undefined);
      } catch {
        // Out of reach still: the next try waits longer. What is asked of the database meanwhile says so itself.
      }
    }
  };
  return {
    listen: connect,
    close: async () => {
      closing.abort();
      await Promise.all([...clients].map((client) => client.end().catch(() => {})));
    },
  };
}
