import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { PglitePgConnection } from '@electric-sql/pglite/node-postgres';
import type { Log } from './connection.ts';
import { EmbeddedPanic, type EmbeddedProcess, startProcess } from './embedded-process.ts';

export type EmbeddedSessions = {
  /** For one client of the driver. A new connection ends the one before it. */
  readonly connect: () => EmbeddedConnection;
  readonly close: () => Promise<void>;
};

type Send = (
  session: object,
  ...message: Parameters<PGlite['execProtocolStream']>
) => ReturnType<EmbeddedProcess['send']>;

const RESTART_EVERY_MS = 1000;
/** Recovering writes: this is room for two files of PostgreSQL's log. */
const ROOM_BYTES = 32 * 1024 * 1024;

/**
 * Keeps PostgreSQL running on a folder. After a panic everything is refused until it runs again, which is tried as soon
 * as there is room on the disk.
 * @param roomFile is written and deleted to see that
 */
export async function embeddedSessions(folder: string, roomFile: string, log: Log): Promise<EmbeddedSessions> {
  let running: EmbeddedProcess | undefined = await startProcess(folder);
  let current: object | undefined;
  let working: Promise<unknown> = Promise.resolve();
  let restarting: Promise<void> | undefined;
  const closing = new AbortController();

  const restart = async () => {
    while (!running && !closing.signal.aborted) {
      await pause(RESTART_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {});
      running = await haveRoom(roomFile)
        .then(() => startProcess(folder))
        .catch(() => undefined);
    }
    if (running) log.warn({}, 'the embedded database runs again');
  };
  const panicked = (err: unknown) => {
    log.error({ err }, 'the embedded database ended, as it does on a full disk. It starts again once there is room');
    running?.abandon();
    running = undefined;
    // What was begun before must not go on after the recovery.
    current = undefined;
    restarting = restart();
  };
  const sendNow: Send = async (session, ...message) => {
    if (!running || session !== current) throw new EmbeddedPanic();
    try {
      return await running.send(...message);
    } catch (error) {
      panicked(error);
      throw error;
    }
  };
  const send: Send = (session, ...message) => {
    const sent = working.then(() => sendNow(session, ...message));
    working = sent.catch(() => {});
    return sent;
  };
  return {
    connect: () => {
      current = {};
      return new EmbeddedConnection(current, send);
    },
    close: async () => {
      closing.abort();
      await Promise.all([restarting, working]);
      await running?.close();
    },
  };
}

/** Fails if the disk is full. */
async function haveRoom(file: string): Promise<void> {
  try {
    await writeFile(file, Buffer.alloc(ROOM_BYTES), { flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

/** What the driver has instead of a socket. */
export class EmbeddedConnection extends PglitePgConnection {
  constructor(session: object, send: Send) {
    const waitReady = begin(session, send);
    // Reported by `connect`.
    waitReady.catch(() => {});
    const execProtocolStream: PGlite['execProtocolStream'] = (...message) => send(session, ...message);
    // All that it uses.
    super({ pglite: { waitReady, execProtocolStream } as PGlite });
  }

  override async connect(port: number, host: string): Promise<void> {
    // The driver waits for an event.
    await super.connect(port, host).catch((error: unknown) => this.emit('error', error));
  }
}

/** As with a new connection to a server, nothing is left of the one before it, whatever it was doing. */
async function begin(session: object, send: Send): Promise<void> {
  for (const message of [SYNC, simpleQuery('rollback'), simpleQuery('discard all')]) {
    await send(session, message, { throwOnError: false });
  }
}

/** Ends a statement with parameters, of which parts may be missing. */
const SYNC = Uint8Array.of(0x53, 0, 0, 0, 4);

function simpleQuery(text: string): Uint8Array {
  const message = Buffer.alloc(text.length + 6);
  message.write(`Q`);
  message.writeInt32BE(text.length + 5, 1);
  message.write(text, 5);
  return message;
}
