import { DAY_MS } from '#domain/days.ts';
import type { AppDeps } from '#server/deps.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { BROWSER_COOKIE_SECONDS } from './browser-cookie.ts';
import { deleteUnpaidCheckouts, eraseHashes } from './checkouts.store.ts';

const UNPAID_DAYS = 30;

/** Deletes unpaid checkouts after 30 days. Erases client hashes after a day, and the hashes of expired browser cookies. */
export async function sweepCheckouts({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
  await eraseHashes(db.kysely, 'client_hash', daysAgo(1));
  await eraseHashes(db.kysely, 'creator_hash', new Date(now().getTime() - BROWSER_COOKIE_SECONDS * 1000));
  await deleteUnpaidCheckouts(db.kysely, daysAgo(UNPAID_DAYS));
}

export const sweepCheckoutsJob = defineRecurringJob({
  name: 'sweep-checkouts',
  initialDelayMs: 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: false,
  isLong: true,
  run: sweepCheckouts,
});
