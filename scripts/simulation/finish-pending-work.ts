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
import { findPendingJobs, queuePendingTeamEmails, runEmailJobs } from './email-jobs.ts';
import { advanceTime } from './provider-steps.ts';
import { readProviderEvents } from './server-steps.ts';
import type { SimulatedApp } from './simulated-app.ts';
import { DAY, HOUR } from './world.ts';

const MAX_ROUNDS = 12;

/** Stops all faults and lets time pass until no work is pending. */
export async function finishPendingWork(app: SimulatedApp): Promise<void> {
  const { faults, schedule, unexpectedProblems, userRequests } = app.world();
  const { requestedStops } = userRequests;
  faults.isCalm = true;
  faults.isProviderDown = false;
  unexpectedProblems.push(...(await schedule.run([() => readProviderEvents(app)])).map(String));
  // Longer than the lifetime of a payment page and the duration of any debit or refund.
  advanceTime(app.world(), 6 * DAY);
  let isIdle = await runRound(app);
  for (let rounds = 0; rounds < MAX_ROUNDS && !(isIdle && !(await hasPendingWork(app))); rounds += 1) {
    advanceTime(app.world(), 2 * HOUR);
    isIdle = await runRound(app);
  }
  unexpectedProblems.push(...(await schedule.run([() => retryStops(app)])).map(String));
  if (requestedStops.size > 0) await runRound(app);
  if (await hasPendingWork(app)) unexpectedProblems.push('Some work is still pending.');
}

/** @returns whether the provider has no new events afterward */
async function runRound(app: SimulatedApp): Promise<boolean> {
  const { deps, log } = app;
  const { schedule, unexpectedProblems, provider, sendsReceiptEmails } = app.world();
  const tasks = [
    () => readProviderEvents(app),
    () => applyDueEvents(deps, log),
    () => refreshCheckouts(deps, log),
    () => refreshFees(deps, log),
    () => refreshSubscriptions(deps, log),
    () => postAccountFees(deps, log),
    () => readPayoutList(deps, log),
    ...(sendsReceiptEmails ? [() => queuePendingTeamEmails(app)] : []),
    () => runEmailJobs(app),
  ];
  const eventCount = countEvents(provider.store);
  for (const task of tasks) unexpectedProblems.push(...(await schedule.run([task])).map(String));
  return countEvents(provider.store) === eventCount;
}

function countEvents({ db }: Store): number {
  return Number(db.prepare('select count(*) as count from events').get()?.count);
}

/** Retries the donors' failed attempts to stop a gift. */
async function retryStops({ deps, inspector, world }: SimulatedApp): Promise<void> {
  const { requestedStops, stoppedAtById } = world().userRequests;
  for (const [index, id] of [...requestedStops].entries()) {
    if (stoppedAtById.has(id)) continue;
    const gift = await inspector.selectFrom('subscriptions').select('page_key').where('id', '=', id).executeTakeFirst();
    const result =
      gift &&
      (await stopRecurringGift(deps, {
        key: { orgId: ORG.orgId, key: gift.page_key },
        actor: VISITOR,
        request: { ip: `198.51.100.${index % 250}` },
      }));
    if (result instanceof Failure) throw new Error(`A gift cannot be stopped: ${result.code}`);
    stoppedAtById.set(id, world().now().getTime());
  }
}

async function hasPendingWork(app: SimulatedApp): Promise<boolean> {
  const { rows } = await sql<{ has_pending: boolean }>`
    select exists (select from provider_events where outcome = 'pending')
      or exists (select from checkouts where payment_status in ('unpaid', 'processing'))
      or exists (select from payments where fee_cents is null) as has_pending`.execute(app.realDb.kysely);
  return rows[0]?.has_pending === true || (await app.world().schedule.run([() => assertNoPendingJobs(app)])).length > 0;
}

async function assertNoPendingJobs(app: SimulatedApp): Promise<void> {
  if (app.world().sendsReceiptEmails && (await findPendingJobs(app)).length > 0) throw new Error('jobs are pending');
}
