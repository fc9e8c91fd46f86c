import type { AppDeps } from '#server/deps.ts';
import { readFigures } from '#server/features/operation/read-figures.ts';
import type { Gauge } from '#server/program/metrics.ts';
import { queueFigures } from './metrics.store.ts';

const KEPT_MS = 60_000;

/** What all processes share: jobs, payments, webhooks and books. Each answers the same, read once a minute at most. */
export function measureOperation({ db, now, metrics }: Pick<AppDeps, 'db' | 'now' | 'metrics'>): void {
  let kept: { readonly at: number; readonly gauges: Promise<readonly Gauge[]> } | undefined;
  const read = () => {
    const at = now().getTime();
    if (kept === undefined || at - kept.at >= KEPT_MS) {
      const gauges = operationGauges(db, now());
      kept = { at, gauges };
      // What failed is asked for again by the next.
      gauges.catch(() => {
        kept = undefined;
      });
    }
    return kept.gauges;
  };
  metrics.measure(read);
}

async function operationGauges(db: AppDeps['db'], now: Date): Promise<readonly Gauge[]> {
  const [{ jobs, payments, webhooks, backups, drills, books }, queues] = await Promise.all([
    readFigures(db, now),
    queueFigures(db.kysely),
  ]);
  const age = (at: Date | null) => (at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000));
  const byQueue = (name: string, help: string, figureOf: (queue: (typeof queues)[number]) => number): Gauge => ({
    name,
    help,
    values: queues.map((queue) => [{ queue: queue.name }, figureOf(queue)]),
  });
  const one = (name: string, help: string, value: number): Gauge => ({ name, help, values: [[{}, value]] });
  const when = (name: string, help: string, at: Date | null): Gauge => ({
    name,
    help,
    values: at === null ? [] : [[{}, at.getTime() / 1000]],
  });
  return [
    byQueue('fund_jobs_waiting', 'Jobs that may begin, or are tried again.', ({ waiting }) => waiting),
    byQueue('fund_jobs_running', 'Jobs that are being done.', ({ running }) => running),
    byQueue('fund_jobs_failed', 'Jobs of the last seven days that were given up.', ({ failed }) => failed),
    byQueue('fund_jobs_oldest_seconds', 'Since the oldest job that is not done was asked for.', ({ oldestAt }) =>
      age(oldestAt),
    ),
    one('fund_mails_failed', 'Mails of the last seven days that were given up or refused for good.', jobs.mailsFailed),
    one('fund_checkouts_unsettled', 'Checkouts that are neither paid nor over.', payments.unsettled),
    one('fund_checkouts_overdue', 'Of these, those that the provider should have settled.', payments.overdue),
    one('fund_events_unapplied', 'Reports of the payment provider that are stored and not applied.', payments.reports),
    one('fund_payments_attention', 'Payments that wait for a person.', payments.attention),
    when('fund_webhook_last_timestamp_seconds', 'When a report was last accepted.', webhooks.verifiedAt),
    when('fund_webhook_refused_timestamp_seconds', 'When one was last refused for its signature.', webhooks.refusedAt),
    when('fund_backup_last_timestamp_seconds', 'When the last whole backup was made.', backups.madeAt),
    when(
      'fund_backup_failed_timestamp_seconds',
      'When the last try failed, unless one was made since.',
      backups.failedAt,
    ),
    when('fund_drill_last_timestamp_seconds', 'When a backup was last restored and found right.', drills.provenAt),
    when('fund_drill_failed_timestamp_seconds', 'When a later drill failed.', drills.failedAt),
    when('fund_books_verified_timestamp_seconds', 'When the books were last verified.', books.verifiedAt),
    one('fund_books_differences', 'What did not add up then.', books.differences),
  ];
}
