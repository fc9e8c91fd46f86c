import type { Database } from '#server/db/connection.ts';
import { claimMark, readMarks, setMark } from './operation.store.ts';

/** A little less than the time from one look to the next. */
const LOOK_EVERY_MS = 4.5 * 60_000;

/** @returns whether this process is the one that looks now */
export function claimAlarmLook(db: Database, now: Date): Promise<boolean> {
  return claimMark(db.kysely, 'alarms-looked', now, new Date(now.getTime() - LOOK_EVERY_MS));
}

/** A webhook is marked once a minute at most. */
const VERIFIED_MS = 2 * 60_000;

/**
 * Notes that an event of the last minutes was found in the provider's list before any webhook brought it: the first one
 * since a webhook was last verified, so that one can tell for how long none has arrived.
 */
export async function noteFoundEvent(db: Database, now: Date): Promise<void> {
  const verifiedAt = (await readMarks(db.kysely)).get('webhook-verified')?.at ?? new Date(0);
  if (now.getTime() - verifiedAt.getTime() < VERIFIED_MS) return;
  // One that was found at the same moment is older.
  await claimMark(db.kysely, 'event-found', now, new Date(verifiedAt.getTime() + 1));
}

export async function eventFoundAt(db: Database): Promise<Date | null> {
  return (await readMarks(db.kysely)).get('event-found')?.at ?? null;
}

/** Notes that an outage of the database is over: as long as it lasts, nobody can be mailed. */
export function noteDatabaseBack(db: Database, now: Date): Promise<void> {
  return setMark(db.kysely, 'database-back', now);
}

export async function databaseBackAt(db: Database): Promise<Date | null> {
  return (await readMarks(db.kysely)).get('database-back')?.at ?? null;
}
