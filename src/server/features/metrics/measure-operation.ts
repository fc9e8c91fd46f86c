import { ALARMS } from '#domain/health-checks.ts';
import type { AppDeps } from '#server/deps.ts';
import { readFigures } from '#server/features/operation/read-figures.ts';
import type { Gauge } from '#server/process/metrics.ts';
import { readActiveAlarms, readGiftFigures, readQueueFigures } from './metrics.store.ts';

const CACHE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Measures jobs, gifts, webhooks, books, and alarms, which are the same in all processes. Caches the values for a minute. */
export function measureOperation({ db, now, metrics }: Pick<AppDeps, 'db' | 'now' | 'metrics'>): void {
  let cache: { readonly time: number; readonly gauges: Promise<readonly Gauge[]> } | undefined;
  const read = () => {
    const time = now().getTime();
    if (cache === undefined || time - cache.time >= CACHE_MS) {
      const gauges = readOperationGauges(db, now());
      cache = { time, gauges };
      // Don't cache errors.
      gauges.catch(() => {
        cache = undefined;
      });
    }
    return cache.gauges;
  };
  metrics.addGauges(read);
}

async function readOperationGauges(db: AppDeps['db'], now: Date): Promise<readonly Gauge[]> {
  const { jobs, payments, webhooks, backups, drills, books } = await readFigures(db, now);
  const [queues, gifts, activeAlarms] = await Promise.all([
    readQueueFigures(db.kysely),
    readGiftFigures(db.kysely, new Date(now.getTime() - DAY_MS)),
    readActiveAlarms(db.kysely),
  ]);
  const toAgeSeconds = (time: Date | null) =>
    time === null ? 0 : Math.max(0, (now.getTime() - time.getTime()) / 1000);
  const createQueueGauge = (
    name: string,
    help: string,
    getFigure: (queue: (typeof queues)[number]) => number,
  ): Gauge => ({
    name,
    help,
    values: queues.map((queue) => [{ queue: queue.name }, getFigure(queue)]),
  });
  const createGauge = (name: string, help: string, value: number): Gauge => ({ name, help, values: [[{}, value]] });
  const createTimeGauge = (name: string, help: string, time: Date | null): Gauge => ({
    name,
    help,
    values: time === null ? [] : [[{}, time.getTime() / 1000]],
  });
  return [
    createQueueGauge('fund_jobs_waiting', 'Jobs that are ready to start or retry.', ({ waiting }) => waiting),
    createQueueGauge('fund_jobs_running', 'Jobs that are running.', ({ running }) => running),
    createQueueGauge(
      'fund_jobs_failed',
      'Jobs that permanently failed in the last seven days.',
      ({ failed }) => failed,
    ),
    createQueueGauge('fund_jobs_oldest_seconds', 'Age of the oldest unfinished job.', ({ oldestAt }) =>
      toAgeSeconds(oldestAt),
    ),
    createGauge('fund_mails_failed', 'Emails that permanently failed in the last seven days.', jobs.failedEmailCount),
    createGauge('fund_checkouts_unsettled', 'Checkouts with an open or pending payment.', payments.unsettledCheckouts),
    createGauge(
      'fund_checkouts_overdue',
      'Unsettled checkouts that the provider should have settled.',
      payments.overdueCheckouts,
    ),
    createGauge(
      'fund_events_unapplied',
      'Stored events of the payment provider that are not applied yet.',
      payments.pendingEvents,
    ),
    createGauge('fund_payments_attention', 'Payments that need attention.', payments.openAttentionCount),
    createTimeGauge('fund_webhook_last_timestamp_seconds', 'Time of the last accepted webhook.', webhooks.verifiedAt),
    createTimeGauge(
      'fund_webhook_rejected_timestamp_seconds',
      'Time of the last webhook with an invalid signature.',
      webhooks.rejectedAt,
    ),
    createTimeGauge('fund_backup_last_timestamp_seconds', 'Time of the last complete backup.', backups.madeAt),
    createTimeGauge(
      'fund_backup_failed_timestamp_seconds',
      'Time of the last failed backup since the last complete one.',
      backups.failedAt,
    ),
    createTimeGauge(
      'fund_drill_last_timestamp_seconds',
      'Time of the last successful restore drill.',
      drills.succeededAt,
    ),
    createTimeGauge('fund_drill_failed_timestamp_seconds', 'Time of the last drill, if it failed.', drills.failedAt),
    createTimeGauge(
      'fund_books_verified_timestamp_seconds',
      'Time of the last verification of the books.',
      books.verifiedAt,
    ),
    createGauge('fund_books_differences', 'Differences found by the last verification.', books.differences),
    createTimeGauge(
      'fund_books_compared_timestamp_seconds',
      'Time of the last comparison of the books with the payment provider.',
      books.providerComparedAt,
    ),
    createGauge(
      'fund_books_provider_differences',
      'Differences found by the last comparison.',
      books.providerDifferences,
    ),
    {
      name: 'fund_gifts_last_day',
      help: 'Gifts that were recorded in the last 24 hours: payments, renewals, and checks.',
      values: gifts.map(({ kind, count }) => [{ kind }, count]),
    },
    {
      name: 'fund_gift_cents_last_day',
      help: 'Cents of the gifts that were recorded in the last 24 hours.',
      values: gifts.map(({ kind, cents }) => [{ kind }, cents]),
    },
    {
      name: 'fund_alarm_active',
      help: '1 while an alarm of docs/running.md is active, else 0.',
      values: ALARMS.map(({ name }) => [{ alarm: name }, activeAlarms.has(name) ? 1 : 0]),
    },
  ];
}
