import { DAY_MS } from '#domain/days.ts';
import { takingLong } from '#server/db/limits.ts';
import type { AppDeps } from '#server/deps.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { deleteNeverPaid, forgetClients } from './checkouts.store.ts';

const NEVER_PAID_DAYS = 30;

/** Deletes what nobody paid for, and forgets from where checkouts were opened. */
export async function sweepCheckouts({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  const before = (days: number) => new Date(now().getTime() - days * DAY_MS);
  await forgetClients(db.kysely, before(1));
  await deleteNeverPaid(db.kysely, before(NEVER_PAID_DAYS));
}

export const checkoutSweep = defineRecurringJob({
  name: 'sweep-checkouts',
  firstMs: 60_000,
  everyMs: 60 * 60_000,
  isExclusive: false,
  run: (deps: Pick<AppDeps, 'db' | 'now'>) => takingLong(() => sweepCheckouts(deps)),
});
