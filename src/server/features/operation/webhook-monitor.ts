import type { Database } from '#server/db/connection.ts';
import type { Log } from '#server/log.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { countOperationEvent, recordOperationEvent } from './operation.store.ts';

const RECORD_INTERVAL_MS = 60_000;
const LOG_INTERVAL_MS = 60 * 60_000;

export type WebhookMonitor = {
  /** Records a webhook with a valid signature. */
  recordVerified(): void;
  /** Records a webhook with an invalid signature. */
  recordRejected(): void;
  /** Records a webhook with a valid signature that was rejected because of its time. */
  recordClockSkew(): void;
};

/**
 * Records when webhooks arrive, and logs an error if their signature is invalid. Anyone can send any number of webhooks, so
 * each process writes at most once a minute and logs at most once an hour.
 */
export function createWebhookMonitor(
  { db, now }: { readonly db: Database; readonly now: () => Date },
  log: Log,
): WebhookMonitor {
  let verifiedAt = Number.NEGATIVE_INFINITY;
  let rejectedAt = Number.NEGATIVE_INFINITY;
  const loggedAt = new Map<string, number>();
  let rejections = 0;
  const logIfWriteFails = (write: Promise<void>) =>
    void write.catch((err: unknown) => log.warn({ err }, 'failed to record the webhook status'));
  const logHourly = (message: string) => {
    const time = now().getTime();
    if (time - (loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return;
    loggedAt.set(message, time);
    log.error({}, `webhooks from the payment provider are rejected because ${message}`);
  };
  const recordVerified = () => {
    const time = now();
    if (time.getTime() - verifiedAt < RECORD_INTERVAL_MS) return;
    verifiedAt = time.getTime();
    logIfWriteFails(recordOperationEvent(db.kysely, 'webhook-verified', time));
  };
  return {
    recordVerified,
    recordRejected: () => {
      const time = now();
      rejections += 1;
      if (time.getTime() - rejectedAt >= RECORD_INTERVAL_MS) {
        rejectedAt = time.getTime();
        logIfWriteFails(countOperationEvent(db.kysely, 'webhook-rejected', time, rejections));
        rejections = 0;
      }
      logHourly(
        `they aren't signed with STRIPE_WEBHOOK_SECRET: compare it with the webhook's signing secret in Stripe, and run "${formatCommandLine('doctor')}"`,
      );
    },
    recordClockSkew: () => {
      // Prevents a second alarm about missing webhooks. The alarm about the clock is enough.
      recordVerified();
      logHourly(
        `this machine's clock differs from the provider's by more than five minutes: set it with NTP, and run "${formatCommandLine('doctor')}"`,
      );
    },
  };
}
