import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { DAY_MS } from '#domain/days.ts';
import type { Database } from '#server/db/connection.ts';
import {
  type BackupFigures,
  backupFigures,
  type DrillFigures,
  drillFigures,
  type JobFigures,
  jobFigures,
  type PaymentFigures,
  paymentFigures,
  readMarks,
} from './operation.store.ts';

/** How the program runs, for the admins' page, `npm run doctor`, metrics and alarms. Nothing in it is about a person. */
export type Figures = {
  readonly jobs: JobFigures;
  readonly payments: PaymentFigures;
  readonly webhooks: {
    /** When a report of the payment provider last arrived with a valid signature. */
    readonly verifiedAt: Date | null;
    /** When one last arrived with another signature, as with a wrong STRIPE_WEBHOOK_SECRET. */
    readonly refusedAt: Date | null;
    /** All of these, ever; counted once a minute. */
    readonly refused: number;
  };
  readonly backups: BackupFigures;
  readonly drills: DrillFigures;
  readonly books: {
    readonly verifiedAt: Date | null;
    readonly differences: number;
    /** Between them and the payment provider. */
    readonly providerDifferences: number;
  };
};

const HOUR_MS = 60 * 60_000;
/** A page that nobody paid closes by itself, and the provider is asked about it within the next hour. */
const UNPAID_MS = CHECKOUT_OPEN_MINUTES * 60_000 + 2 * HOUR_MS;
/** A bank debit takes up to five days of business. */
const PROCESSING_MS = 10 * DAY_MS;

/** Reads the jobs of a week: ask once a minute at most. */
export async function readFigures(db: Database, now: Date): Promise<Figures> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const [jobs, payments, backups, drills, marks] = await Promise.all([
    jobFigures(db.kysely),
    paymentFigures(db.kysely, { unpaidSince: before(UNPAID_MS), processingSince: before(PROCESSING_MS) }),
    backupFigures(db.kysely),
    drillFigures(db.kysely),
    readMarks(db.kysely),
  ]);
  const refused = marks.get('webhook-refused');
  const books = marks.get('books-verified');
  return {
    jobs,
    payments,
    backups,
    drills,
    webhooks: {
      verifiedAt: marks.get('webhook-verified')?.at ?? null,
      refusedAt: refused?.at ?? null,
      refused: refused?.count ?? 0,
    },
    books: {
      verifiedAt: books?.at ?? null,
      differences: books?.count ?? 0,
      providerDifferences: marks.get('provider-compared')?.count ?? 0,
    },
  };
}
