import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { checkoutByIdOnly } from '#server/entities/find-checkout.ts';
import { adminIds } from '#server/entities/find-user.ts';
import { countDecline, type Declined } from '#server/features/rate-limits/card-brake.ts';
import { ClientKey, checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import type { Marks } from '#server/gateways/payments/origin.ts';
import type { DeclineFacts } from '#server/gateways/payments/payment-facts.ts';
import type { RecordDeps, RecordResult } from './record-result.ts';
import { sendCardAlarmEmail } from './send-card-alarm-email.job.ts';

/** Declines older than this were reported late and say nothing about current abuse. */
const RECENT_MS = 60 * 60_000;

/**
 * Counts a card that was declined on a payment page, closes the page after too many, and then tells the admins. Moves no
 * money, and a decline that is counted twice does no harm.
 * @returns Failure payment-unavailable
 */
export async function recordDecline(deps: RecordDeps, chargeId: string): Promise<RecordResult | Failure> {
  const decline = await deps.payments.readDecline(chargeId);
  if (decline instanceof Failure) return decline;
  if (decline === 'unknown') return { outcome: 'unknown' };
  const marks = await marksOnPage(deps, decline);
  if (marks instanceof Failure) return marks;
  if (!marks || marks.origin === 'foreign' || !isNews(decline, deps.now())) return { outcome: 'ignored' };
  // The provider may not say on which page the first payment of a recurring gift was tried.
  const { checkoutId } = marks;
  const checkout = checkoutId === undefined ? undefined : await checkoutByIdOnly(deps.db.kysely, checkoutId);
  const client = checkout?.client ? new ClientKey(checkout.client) : undefined;
  const { closesPage, alarm } = await countDecline(deps, checkout?.id, client);
  // If the provider cannot be reached, the next decline closes it.
  if (closesPage && checkout?.provider_session_id) await deps.payments.close(checkout.provider_session_id);
  if (alarm) await tellAdmins(deps, alarm);
  return checkout ? { outcome: 'recorded', checkoutId: checkout.id } : { outcome: 'ignored' };
}

function isNews({ isCard, at }: DeclineFacts, now: Date): boolean {
  return isCard && now.getTime() - at.getTime() < RECENT_MS;
}

/** Reads the page of a recurring gift's first payment from its invoice. Renewals have no page. */
async function marksOnPage({ payments }: RecordDeps, decline: DeclineFacts): Promise<Marks | undefined | Failure> {
  if (decline.invoiceId === undefined) return decline;
  const invoice = await payments.readInvoice(decline.invoiceId);
  if (invoice instanceof Failure) return invoice;
  return invoice !== 'unknown' && invoice.isFirst ? invoice : undefined;
}

/** Emails the admins at most once in six hours. */
async function tellAdmins(deps: RecordDeps, scope: NonNullable<Declined['alarm']>): Promise<void> {
  if (await checkRateLimit(deps, 'card-alarm', { thing: scope })) return;
  const at = deps.now().toISOString();
  await inTransaction(deps.db, async (tx) => {
    const mails = (await adminIds(tx)).map((userId) => ({ userId, scope, at }));
    await deps.jobs.enqueueAll(tx, sendCardAlarmEmail, mails);
  });
}
