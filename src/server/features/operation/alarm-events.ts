import type { Database } from '#server/db/connection.ts';
import { claimOperationEvent, readOperationEvents, recordOperationEvent } from './operation.store.ts';

/** Slightly less than the interval between checks. */
const CHECK_INTERVAL_MS = 4.5 * 60_000;

/** @returns whether this process should check the alarms now */
export function claimAlarmCheck(db: Database, now: Date): Promise<boolean> {
  return claimOperationEvent(db.kysely, 'alarms-checked', now, new Date(now.getTime() - CHECK_INTERVAL_MS));
}

/** Webhooks are recorded at most once a minute. */
const RECENT_WEBHOOK_MS = 2 * 60_000;

/**
 * Records that the provider's list contained an event for which no webhook had arrived. Only the first such event since
 * the last webhook is recorded, so its time shows how long webhooks have been missing.
 */
export async function recordMissedEvent(db: Database, now: Date): Promise<void> {
  const verifiedAt = (await readOperationEvents(db.kysely)).get('webhook-verified')?.at ?? new Date(0);
  if (now.getTime() - verifiedAt.getTime() < RECENT_WEBHOOK_MS) return;
  // If both have the same time, the event was found before the webhook arrived.
  await claimOperationEvent(db.kysely, 'missed-event-found', now, new Date(verifiedAt.getTime() + 1));
}

/** Records the end of a database outage, because no email can be sent during the outage. */
export function recordDatabaseRecovery(db: Database, now: Date): Promise<void> {
  return recordOperationEvent(db.kysely, 'database-recovered', now);
}

export function recordFailingJob(db: Database, now: Date): Promise<void> {
  return recordOperationEvent(db.kysely, 'recurring-job-failing', now);
}
