import { DAY_MS } from '#domain/days.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import type { AppDeps } from '#server/deps.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { deleteUnpaidCheckouts, eraseClientHashes } from './checkouts.store.ts';

const UNPAID_DAYS = 30;

/** Deletes unpaid checkouts after 30 days, and erases client addresses after a day. */
export async function sweepCheckouts({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
  await eraseClientHashes(db.kysely, daysAgo(1));
  await deleteUnpaidCheckouts(db.kysely, daysAgo(UNPAID_DAYS));
}

export const checkoutSweep = defineRecurringJob({
  name: 'sweep-checkouts',
  firstMs: 60_000,
  everyMs: 60 * 60_000,
  isExclusive: false,
  run: (deps: Pick<AppDeps, 'db' | 'now'>) => withLongTimeout(() => sweepCheckouts(deps)),
});
