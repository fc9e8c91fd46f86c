import fs from 'node:fs/promises';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { lastDue } from '#domain/backups.ts';
import { failureText } from '#server/failure-text.ts';
import { newId } from '#server/ids.ts';
import { type Repeated, repeat } from '#server/jobs/repeat.ts';
import { takeDueBackup } from './backups.store.ts';
import { keepDrill } from './keep-drill.ts';
import { type BackupDeps, makeBackup, makeBegun } from './make-backup.ts';

const LOOK_EVERY_MS = 60_000;

/**
 * Makes the backup that is due, unless another process has taken it or it is made. One that was missed while the program did
 * not run is made at its next start; one that failed is tried again.
 * @param minute of the day, in UTC
 */
export async function makeDueBackup(deps: BackupDeps, minute: number, signal?: AbortSignal): Promise<void> {
  const now = deps.now();
  const id = await takeDueBackup(deps.db.kysely, newId(), lastDue(minute, now), now);
  if (id !== undefined) await makeBegun(deps, id, signal);
}

/** @param minute of the day, in UTC; undefined: none is made by itself */
export function startBackups(deps: BackupDeps, minute: number | undefined): Repeated {
  const stopping = new AbortController();
  const make = async () => {
    // Logged where it failed.
    if (minute !== undefined) await makeDueBackup(deps, minute, stopping.signal).catch(() => {});
  };
  const repeated = repeat(make, { firstMs: LOOK_EVERY_MS, everyMs: LOOK_EVERY_MS });
  return {
    stop: () => {
      stopping.abort(new Error('The program was stopped.'));
      return repeated.stop();
    },
  };
}

export type BackupAnswer =
  | { readonly file: string; readonly bytes: number; readonly removed: number }
  | { readonly problem: string };

/** Longer paths are no addresses of sockets. */
const LONGEST_PATH = 100;
const REPORT_MS = 5_000;

/**
 * Takes requests for a backup from `npm run backup`, which cannot open the embedded database while the program has it.
 * Only who may read the data folder can ask.
 * @param file of the socket, in the data folder
 */
export async function answerBackupRequests(deps: BackupDeps, file: string): Promise<Repeated | undefined> {
  const stopping = new AbortController();
  const answering = await answerAt(file, () => makeBackup(deps, stopping.signal));
  return (
    answering && {
      stop: () => {
        stopping.abort(new Error('The program was stopped.'));
        return answering.stop();
      },
    }
  );
}

/** What `npm run drill` reports is kept here, likewise. */
export function answerDrillReports({ db, now }: BackupDeps, file: string): Promise<Repeated | undefined> {
  return answerAt(file, async (asking) => {
    asking.setTimeout(REPORT_MS, () => asking.destroy());
    return { kept: await keepDrill(db, JSON.parse(await text(asking)), now()) };
  });
}

async function answerAt(
  file: string,
  answerTo: (asking: net.Socket) => Promise<object>,
): Promise<Repeated | undefined> {
  if (process.platform === 'win32' || Buffer.byteLength(file) > LONGEST_PATH) return undefined;
  // Of a program that was killed: this one has the folder's lock.
  await fs.rm(file, { force: true });
  const making = new Set<Promise<void>>();
  const server = net.createServer({ allowHalfOpen: true }, (asking) => {
    const answer = answerTo(asking)
      .catch((error: unknown) => ({ problem: failureText(error) }))
      .then((answered) => void asking.end(`${JSON.stringify(answered)}\n`));
    making.add(answer);
    void answer.finally(() => making.delete(answer));
    asking.on('error', () => {});
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(file, resolve);
  });
  await fs.chmod(file, 0o600);
  return {
    stop: async () => {
      await Promise.all(making);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
