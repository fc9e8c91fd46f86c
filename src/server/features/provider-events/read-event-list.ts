import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { noteFoundEvent } from '#server/features/operation/alarm-marks.ts';
import type { ProviderEvent } from '#server/gateways/payments/payments.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { readCursor, saveCursor, storeEvents } from './provider-events.store.ts';

type Deps = Pick<AppDeps, 'db' | 'payments' | 'now'>;

const CURSOR = 'events';
/** The provider lists events of the last 30 days. */
const AT_MOST_MS = 30 * DAY_MS;
/** An event can appear in the list some time after the second that it names. */
const OVERLAP_MS = 60 * 60_000;
/** Webhooks of earlier ones may have come while the program did not run. */
const RECENT_MS = 5 * 60_000;

/**
 * Stores the events that were never delivered: those listed since the last complete reading, or of the last 30 days when
 * this version handles other types than the one that read last. An incomplete reading is repeated.
 */
export async function readEventList({ db, payments, now }: Deps, log: Log): Promise<void> {
  const startedAt = now();
  const types = payments.eventTypes.toSorted().join();
  const cursor = await readCursor(db.kysely, CURSOR);
  const earliest = startedAt.getTime() - AT_MOST_MS;
  const since = cursor?.types === types ? Math.max(cursor.readUntil.getTime() - OVERLAP_MS, earliest) : earliest;
  const listed = await payments.listEvents(new Date(since), async (events) => {
    const isRecent = ({ occurredAt }: ProviderEvent) => startedAt.getTime() - occurredAt.getTime() < RECENT_MS;
    const recent = events.filter(isRecent);
    await storeEvents(
      db.kysely,
      events.filter((event) => !isRecent(event)),
      startedAt,
    );
    if (await storeEvents(db.kysely, recent, startedAt)) await noteFoundEvent(db, startedAt);
  });
  if (listed instanceof Failure) {
    log.warn({ code: listed.code, ...listed.details }, 'the provider could not list its events');
    return;
  }
  await saveCursor(db.kysely, CURSOR, { readUntil: startedAt, types });
}

export const eventListReading = defineRecurringJob({
  name: 'read-event-list',
  firstMs: 1000,
  everyMs: 60_000,
  isExclusive: true,
  run: (deps: Deps & { readonly log: Log }) => readEventList(deps, deps.log),
});
