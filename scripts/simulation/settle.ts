import { sql } from 'kysely';
import { Failure } from '#domain/failures.ts';
import { VISITOR } from '#domain/permissions.ts';
import type { Store } from '#sandbox/store.ts';
import { refreshCheckouts, refreshFees } from '#server/features/payments/refresh-checkouts.ts';
import { applyDueEvents } from '#server/features/provider-events/apply-events.ts';
import { postAccountFees } from '#server/features/provider-events/post-account-fees.ts';
import { readPayoutList } from '#server/features/provider-events/read-payout-list.ts';
import { stopRecurringGift } from '#server/features/recurring-gifts/manage-recurring-gift.ts';
import { refreshSubscriptions } from '#server/features/recurring-gifts/record-subscription.ts';
import { ORG } from './data.ts';
import { findWaitingJobs, queueEmailsOfTeam, runEmailJobs } from './email-jobs.ts';
import type { Product } from './product.ts';
import { passTime } from './provider-steps.ts';
import { readList } from './server-steps.ts';
import { DAY, HOUR } from './world.ts';

const MAX_ROUNDS = 12;

/** Stops all faults and lets time pass until no work is pending. */
export async function finishPendingWork(product: Product): Promise<void> {
  const { faults, schedule, complaints, promises } = product.world();
  const { toStop } = promises;
  faults.isCalm = true;
  faults.isOut = false;
  complaints.push(...(await schedule.run([() => readList(product)])).map(String));
  // Longer than any payment page stays open or any debit or refund takes.
  passTime(product.world(), 6 * DAY);
  let isQuiet = await runRound(product);
  for (let rounds = 0; rounds < MAX_ROUNDS && !(isQuiet && !(await isBusy(product))); rounds += 1) {
    passTime(product.world(), 2 * HOUR);
    isQuiet = await runRound(product);
  }
  complaints.push(...(await schedule.run([() => retryStops(product)])).map(String));
  if (toStop.size > 0) await runRound(product);
  if (await isBusy(product)) complaints.push('Some work is still pending.');
}

/** @returns whether the provider has no new events afterward */
async function runRound(product: Product): Promise<boolean> {
  const { deps, log } = product;
  const { schedule, complaints, provider, emailsReceipts } = product.world();
  const tasks = [
    () => readList(product),
    () => applyDueEvents(deps, log),
    () => refreshCheckouts(deps, log),
    () => refreshFees(deps, log),
    () => refreshSubscriptions(deps, log),
    () => postAccountFees(deps, log),
    () => readPayoutList(deps, log),
    ...(emailsReceipts ? [() => queueEmailsOfTeam(product)] : []),
    () => runEmailJobs(product),
  ];
  const events = countEvents(provider.store);
  for (const task of tasks) complaints.push(...(await schedule.run([task])).map(String));
  return countEvents(provider.store) === events;
}

function countEvents({ db }: Store): number {
  return Number(db.prepare('select count(*) as count from events').get()?.count);
}

/** Retries the donors' failed attempts to stop a gift. */
async function retryStops({ deps, inspector, world }: Product): Promise<void> {
  const { toStop, stopped } = world().promises;
  for (const [index, id] of [...toStop].entries()) {
    if (stopped.has(id)) continue;
    const gift = await inspector.selectFrom('subscriptions').select('page_key').where('id', '=', id).executeTakeFirst();
    const result =
      gift &&
      (await stopRecurringGift(deps, {
        key: { orgId: ORG.orgId, key: gift.page_key },
        actor: VISITOR,
        request: { ip: `198.51.100.${index % 250}` },
      }));
    if (result instanceof Failure) throw new Error(`A gift cannot be stopped: ${result.code}`);
    stopped.set(id, world().now().getTime());
  }
}

async function isBusy(product: Product): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from provider_events where outcome = 'pending')
      or exists (select from checkouts where payment_status in ('unpaid', 'processing'))
      or exists (select from payments where fee_cents is null) as busy`.execute(product.real.kysely);
  return rows[0]?.busy === true || (await product.world().schedule.run([() => requireNoJobs(product)])).length > 0;
}

async function requireNoJobs(product: Product): Promise<void> {
  if (product.world().emailsReceipts && (await findWaitingJobs(product)).length > 0)
    throw new Error('jobs are waiting');
}
