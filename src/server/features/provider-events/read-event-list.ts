import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { recordMissedEvent } from '#server/features/operation/alarm-events.ts';
import type { ProviderEvent } from '#server/gateways/payments/payments.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { readCursor, saveCursor, storeEvents } from './provider-events.store.ts';

type Deps = Pick<AppDeps, 'db' | 'payments' | 'now'>;

const CURSOR = 'events';
/** The provider lists events of the last 30 days. */
const MAX_AGE_MS = 30 * DAY_MS;
/** An event can appear in the list some time after its own timestamp. */
const OVERLAP_MS = 60 * 60_000;
/** Only a recent event without a webhook is suspicious; older ones may be due to downtime. */
const RECENT_MS = 5 * 60_000;

/**
 * Stores listed events whose webhook never arrived. Reads the list from the last complete reading, or the last 30 days if
 * the last reading was for other event types. After a failure, the next call reads the same events again.
 */
export async function readEventList({ db, payments, now }: Deps, log: Log): Promise<void> {
  const startedAt = now();
  const types = payments.eventTypes.toSorted().join();
  const cursor = await readCursor(db.kysely, CURSOR);
  const earliest = startedAt.getTime() - MAX_AGE_MS;
  const since = cursor?.types === types ? Math.max(cursor.readUntil.getTime() - OVERLAP_MS, earliest) : earliest;
  const listResult = await payments.listEvents(new Date(since), async (events) => {
    const isRecent = ({ occurredAt }: ProviderEvent) => startedAt.getTime() - occurredAt.getTime() < RECENT_MS;
    const recentEvents = events.filter(isRecent);
    await storeEvents(
      db.kysely,
      events.filter((event) => !isRecent(event)),
      startedAt,
    );
    if (await storeEvents(db.kysely, recentEvents, startedAt)) await recordMissedEvent(db, startedAt);
  });
  if (listResult instanceof Failure) {
    log.warn({ code: listResult.code, ...listResult.details }, 'could not list the provider’s events');
    return;
  }
  await saveCursor(db.kysely, CURSOR, startedAt, types);
}

export const readEventListJob = defineRecurringJob({
  name: 'read-event-list',
  initialDelayMs: 1000,
  intervalMs: 60_000,
  isExclusive: true,
  run: (deps: Deps & { readonly log: Log }) => readEventList(deps, deps.log),
});
