import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { findCheckoutInAnyOrg } from '#server/entities/find-checkout.ts';
import { listVerifiedAdminIds } from '#server/entities/find-user.ts';
import { ClientKey, checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { countDecline, type DeclineResult } from '#server/features/rate-limits/decline-limits.ts';
import type { PaymentOrigin } from '#server/gateways/payments/origin.ts';
import type { DeclineFacts } from '#server/gateways/payments/payment-facts.ts';
import type { RecordDeps, RecordResult } from './record-result.ts';
import { sendCardAlarmEmail } from './send-card-alarm-email.job.ts';

/** Older declines were reported late, so they don't indicate current abuse. */
const RECENT_MS = 60 * 60_000;

/**
 * Counts a card declined on a payment page. After too many, closes the page and emails the admins. Moves no money, so
 * counting a decline twice does no harm.
 * @returns Failure payment-unavailable
 */
export async function recordDecline(deps: RecordDeps, chargeId: string): Promise<RecordResult | Failure> {
  const decline = await deps.payments.readDecline(chargeId);
  if (decline instanceof Failure) return decline;
  if (decline === 'unknown') return { outcome: 'unknown' };
  const origin = await findOrigin(deps, decline);
  if (origin instanceof Failure) return origin;
  if (!origin || origin.origin === 'foreign' || !isRecent(decline, deps.now())) return { outcome: 'ignored' };
  // The provider may not report the page on which the first payment of a recurring gift was declined.
  const { checkoutId } = origin;
  const checkout = checkoutId === undefined ? undefined : await findCheckoutInAnyOrg(deps.db.kysely, checkoutId);
  const client = checkout?.client_hash ? new ClientKey(checkout.client_hash) : undefined;
  const { closesPage, alarm } = await countDecline(deps, checkout?.id, client);
  // If the provider is unreachable, the next decline closes the page.
  if (closesPage && checkout?.provider_session_id) await deps.payments.closeSession(checkout.provider_session_id);
  if (alarm) await notifyAdmins(deps, alarm);
  return checkout ? { outcome: 'recorded', checkoutId: checkout.id } : { outcome: 'ignored' };
}

function isRecent({ isCard, declinedAt }: DeclineFacts, now: Date): boolean {
  return isCard && now.getTime() - declinedAt.getTime() < RECENT_MS;
}

/** Finds the checkout whose page got the decline. A recurring gift's first invoice names it. Renewals have no page. */
async function findOrigin(
  { payments }: RecordDeps,
  decline: DeclineFacts,
): Promise<PaymentOrigin | undefined | Failure> {
  if (decline.invoiceId === undefined) return decline;
  const invoice = await payments.readInvoice(decline.invoiceId);
  if (invoice instanceof Failure) return invoice;
  return invoice !== 'unknown' && invoice.isFirst ? invoice : undefined;
}

/** Emails the admins at most once every six hours. */
async function notifyAdmins(deps: RecordDeps, scope: NonNullable<DeclineResult['alarm']>): Promise<void> {
  if (await checkRateLimit(deps, 'card-alarm', { resource: scope })) return;
  const raisedAt = deps.now().toISOString();
  await inTransaction(deps.db, async (tx) => {
    const payloads = (await listVerifiedAdminIds(tx)).map((userId) => ({ userId, scope, at: raisedAt }));
    await deps.jobs.enqueueAll(tx, sendCardAlarmEmail, payloads);
  });
}
