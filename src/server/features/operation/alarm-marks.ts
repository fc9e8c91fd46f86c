import type { Database } from '#server/db/connection.ts';
import { claimMark, readMarks, setMark } from './operation.store.ts';

/** Slightly less than the interval between checks. */
const CHECK_EVERY_MS = 4.5 * 60_000;

/** @returns whether this process should check the alarms now */
export function claimAlarmCheck(db: Database, now: Date): Promise<boolean> {
  return claimMark(db.kysely, 'alarms-looked', now, new Date(now.getTime() - CHECK_EVERY_MS));
}

/** Webhooks are recorded at most once a minute. */
const RECENT_WEBHOOK_MS = 2 * 60_000;

/**
 * Records that the provider's list contained an event for which no webhook had arrived. Only the first such event since
 * the last webhook is recorded, so its time shows how long webhooks have been missing.
 */
export async function recordFoundEvent(db: Database, now: Date): Promise<void> {
  const verifiedAt = (await readMarks(db.kysely)).get('webhook-verified')?.at ?? new Date(0);
  if (now.getTime() - verifiedAt.getTime() < RECENT_WEBHOOK_MS) return;
  // An event found at the same time as the last webhook was found before it.
  await claimMark(db.kysely, 'event-found', now, new Date(verifiedAt.getTime() + 1));
}

export async function eventFoundAt(db: Database): Promise<Date | null> {
  return (await readMarks(db.kysely)).get('event-found')?.at ?? null;
}

/** Records the end of a database outage. During the outage, no email can be sent. */
export function recordDatabaseBack(db: Database, now: Date): Promise<void> {
  return setMark(db.kysely, 'database-back', now);
}

export async function databaseBackAt(db: Database): Promise<Date | null> {
  return (await readMarks(db.kysely)).get('database-back')?.at ?? null;
}
