import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { DAY_MS } from '#domain/days.ts';
import type { Database } from '#server/db/connection.ts';
import {
  type BackupFigures,
  type DrillFigures,
  getComparisonEvent,
  type JobFigures,
  type PaymentFigures,
  readBackupFigures,
  readDrillFigures,
  readJobFigures,
  readLivemode,
  readOperationEvents,
  readPaymentFigures,
} from './operation.store.ts';

/** State of the program for the admins' page, `npm run doctor`, metrics, and alarms. Contains no personal data. */
export type Figures = {
  readonly jobs: JobFigures;
  readonly payments: PaymentFigures;
  readonly webhooks: {
    /** When a webhook last arrived with a valid signature. */
    readonly verifiedAt: Date | null;
    /** When a webhook last arrived with an invalid signature, such as with a wrong STRIPE_WEBHOOK_SECRET. */
    readonly rejectedAt: Date | null;
    /** All-time number of webhooks with an invalid signature. Updated at most once a minute. */
    readonly rejectedCount: number;
  };
  readonly backups: BackupFigures;
  readonly drills: DrillFigures;
  readonly books: {
    readonly verifiedAt: Date | null;
    readonly differences: number;
    /** Differences between the books and the payment provider. */
    readonly providerDifferences: number;
    /** When the last comparison with the payment provider succeeded. */
    readonly providerComparedAt: Date | null;
  };
};

const HOUR_MS = 60 * 60_000;
/** An unpaid page expires, and the program reads its state from the provider within the next hour. */
const MAX_UNPAID_MS = CHECKOUT_OPEN_MINUTES * 60_000 + 2 * HOUR_MS;
/** A bank debit takes up to five business days. */
const MAX_PROCESSING_MS = 10 * DAY_MS;

/** Reads the figures. Scans all jobs of the last week, so call it at most once a minute. */
export async function readFigures(db: Database, now: Date): Promise<Figures> {
  const timeAgo = (ms: number) => new Date(now.getTime() - ms);
  const [jobs, payments, backups, drills, events, livemode] = await Promise.all([
    readJobFigures(db.kysely),
    readPaymentFigures(db.kysely, { unpaidSince: timeAgo(MAX_UNPAID_MS), processingSince: timeAgo(MAX_PROCESSING_MS) }),
    readBackupFigures(db.kysely),
    readDrillFigures(db.kysely),
    readOperationEvents(db.kysely),
    readLivemode(db.kysely),
  ]);
  const rejections = events.get('webhook-rejected');
  const verification = events.get('books-verified');
  const comparison = events.get(getComparisonEvent(livemode));
  return {
    jobs,
    payments,
    backups,
    drills,
    webhooks: {
      verifiedAt: events.get('webhook-verified')?.at ?? null,
      rejectedAt: rejections?.at ?? null,
      rejectedCount: rejections?.count ?? 0,
    },
    books: {
      verifiedAt: verification?.at ?? null,
      differences: verification?.count ?? 0,
      providerDifferences: comparison?.count ?? 0,
      providerComparedAt: comparison?.at ?? null,
    },
  };
}
