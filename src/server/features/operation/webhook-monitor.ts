import type { Database } from '#server/db/connection.ts';
import type { Log } from '#server/log.ts';
import { commandLine } from '#server/process/app-path.ts';
import { countOperationEvent, recordOperationEvent } from './operation.store.ts';

const RECORD_EVERY_MS = 60_000;
const LOG_EVERY_MS = 60 * 60_000;

export type WebhookMonitor = {
  /** Records a webhook with a valid signature. */
  verified(): void;
  /** Records a webhook with an invalid signature. */
  rejected(): void;
  /** Records a webhook with a valid signature that was rejected because of its time. */
  untimely(): void;
};

/**
 * Records when webhooks arrive, and logs an error if their signature is invalid. Anyone can send any number of webhooks, so
 * each process writes at most once a minute and logs at most once an hour.
 */
export function webhookMonitor(
  { db, now }: { readonly db: Database; readonly now: () => Date },
  log: Log,
): WebhookMonitor {
  let verifiedAt = Number.NEGATIVE_INFINITY;
  let rejectedAt = Number.NEGATIVE_INFINITY;
  const loggedAt = new Map<string, number>();
  let rejections = 0;
  const logFailure = (write: Promise<void>) =>
    void write.catch((err: unknown) => log.warn({ err }, 'recording the state of webhooks failed'));
  const logHourly = (message: string) => {
    const time = now().getTime();
    if (time - (loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    loggedAt.set(message, time);
    log.error({}, `webhooks of the payment provider are rejected, because ${message}`);
  };
  const verified = () => {
    const time = now();
    if (time.getTime() - verifiedAt < RECORD_EVERY_MS) return;
    verifiedAt = time.getTime();
    logFailure(recordOperationEvent(db.kysely, 'webhook-verified', time));
  };
  return {
    verified,
    rejected: () => {
      const time = now();
      rejections += 1;
      if (time.getTime() - rejectedAt >= RECORD_EVERY_MS) {
        rejectedAt = time.getTime();
        logFailure(countOperationEvent(db.kysely, 'webhook-rejected', time, rejections));
        rejections = 0;
      }
      logHourly(
        `they aren't signed with STRIPE_WEBHOOK_SECRET: compare it with the webhook's signing secret at Stripe, and run "${commandLine('doctor')}"`,
      );
    },
    untimely: () => {
      // The alarm about the clock is enough: without this, there would also be one about missing webhooks.
      verified();
      logHourly(
        `this machine's clock differs from theirs by more than five minutes: set it with NTP, and run "${commandLine('doctor')}"`,
      );
    },
  };
}
