import type { Transaction } from 'kysely';
import { attentionSubject } from '#domain/attention-subjects.ts';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import {
  addOrReopenAttentionItem,
  type NewAttentionItem,
  resolveAttentionAutomatically,
} from '#server/features/attention/attention.ts';
import { listUserIdsWithPermission } from '#server/features/editors/read-editors.ts';
import { findPaymentByChargeId, type PaymentRow } from './payments.store.ts';
import { recordCharge } from './record-charge.ts';
import type { RecordDeps, RecordResult } from './record-result.ts';
import { sendAlertEmail } from './send-alert-email.job.ts';

/**
 * Records a dispute's effect on its charge. While the dispute is open, "Needs attention" lists it, and team members get one
 * email for each deadline. An inquiry that becomes a dispute has a new deadline, and so does an appeal.
 * @returns Failure payment-unavailable
 */
export async function recordDispute(deps: RecordDeps, disputeId: string): Promise<RecordResult | Failure> {
  const dispute = await deps.payments.readDispute(disputeId);
  if (dispute instanceof Failure) return dispute;
  if (dispute === 'unknown') return { outcome: 'unknown' };
  const { chargeId, amount, openedAt: occurredAt, isInquiry, isOpen, status, dueBy: dueAt } = dispute;
  const subject = attentionSubject('dispute', disputeId);
  return recordAlert(
    deps,
    chargeId,
    isOpen
      ? { subject, reason: isInquiry ? 'inquiry' : 'dispute', amount, occurredAt, dueAt }
      : { subject, closingNote: CLOSING_NOTES[status] },
  );
}

const CLOSING_NOTES: Readonly<Record<string, string>> = {
  won: 'The dispute was won.',
  lost: 'The dispute was lost.',
  warning_closed: 'The inquiry was closed.',
  prevented: 'The dispute was prevented.',
};

/**
 * Records a warning from the card's bank that a payment may be fraudulent. It stays open until the payment is refunded or
 * disputed.
 * @returns Failure payment-unavailable
 */
export async function recordFraudWarning(deps: RecordDeps, warningId: string): Promise<RecordResult | Failure> {
  const warning = await deps.payments.readFraudWarning(warningId);
  if (warning instanceof Failure) return warning;
  if (warning === 'unknown') return { outcome: 'unknown' };
  const { chargeId, warnedAt: occurredAt, isActionable } = warning;
  const subject = attentionSubject('warning', warningId);
  return recordAlert(
    deps,
    chargeId,
    isActionable
      ? { subject, reason: 'fraud-warning', occurredAt }
      : { subject, closingNote: 'The payment was refunded or disputed.' },
  );
}

type OpenAlert = Pick<NewAttentionItem, 'subject' | 'reason' | 'occurredAt' | 'dueAt'> & { readonly amount?: number };
type ClosedAlert = { readonly subject: string; readonly closingNote: string | undefined };

async function recordAlert(
  deps: RecordDeps,
  chargeId: string,
  alert: OpenAlert | ClosedAlert,
): Promise<RecordResult | Failure> {
  const result = await recordCharge(deps, chargeId);
  if (result instanceof Failure || result.outcome !== 'recorded') return result;
  await inTransaction(deps.db, async (tx) => {
    const payment = await findPaymentByChargeId(tx, chargeId);
    if (!payment) return;
    if ('reason' in alert) await raiseAlert(tx, deps, payment, alert);
    else await resolveAttentionAutomatically(tx, alert.subject, deps.now(), alert.closingNote);
  });
  return result;
}

async function raiseAlert(
  tx: Transaction<Tables>,
  { jobs, now }: RecordDeps,
  { org_id: orgId, checkout_id: checkoutId, amount_cents, currency, livemode }: PaymentRow,
  { amount = amount_cents, ...alert }: OpenAlert,
): Promise<void> {
  const itemId = await addOrReopenAttentionItem(tx, { ...alert, orgId, checkoutId, amount, currency, livemode });
  if (itemId === undefined) return;
  const userIds = await listUserIdsWithPermission(tx, orgId, 'checkouts.read');
  const raisedAt = now().toISOString();
  await jobs.enqueueAll(
    tx,
    sendAlertEmail,
    userIds.map((userId) => ({ orgId, userId, itemId, raisedAt })),
  );
}
