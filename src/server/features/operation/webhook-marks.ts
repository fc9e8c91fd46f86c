import type { Database } from '#server/db/connection.ts';
import type { Log } from '#server/log.ts';
import { commandLine } from '#server/program/program-file.ts';
import { addToMark, setMark } from './operation.store.ts';

const MARK_EVERY_MS = 60_000;
const COMPLAIN_EVERY_MS = 60 * 60_000;

export type WebhookMarks = {
  /** Reports with a valid signature were stored. */
  verified(): void;
  /** One was signed with another secret than ours. */
  refused(): void;
};

/**
 * Notes that reports of the payment provider arrive, and says loudly when they cannot be read. Anyone can send any number
 * of them: at most one write a minute and one line an hour of each process.
 */
export function webhookMarks({ db, now }: { readonly db: Database; readonly now: () => Date }, log: Log): WebhookMarks {
  let verifiedAt = Number.NEGATIVE_INFINITY;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let complainedAt = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  const noted = (writing: Promise<void>) =>
    void writing.catch((err: unknown) => log.warn({ err }, 'the state of webhooks could not be noted'));
  return {
    verified: () => {
      const at = now();
      if (at.getTime() - verifiedAt < MARK_EVERY_MS) return;
      verifiedAt = at.getTime();
      noted(setMark(db.kysely, 'webhook-verified', at));
    },
    refused: () => {
      const at = now();
      refusals += 1;
      if (at.getTime() - refusedAt >= MARK_EVERY_MS) {
        refusedAt = at.getTime();
        noted(addToMark(db.kysely, 'webhook-refused', at, refusals));
        refusals = 0;
      }
      if (at.getTime() - complainedAt < COMPLAIN_EVERY_MS) return;
      complainedAt = at.getTime();
      log.error(
        {},
        `reports of the payment provider are refused, because they are not signed with STRIPE_WEBHOOK_SECRET: compare it with the signing secret of the webhook at Stripe, and run "${commandLine('doctor')}"`,
      );
    },
  };
}
