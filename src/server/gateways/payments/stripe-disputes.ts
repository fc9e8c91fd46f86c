import type Stripe from 'stripe';
import type { DisputeNotice, FraudWarning } from './payment-facts.ts';
import { getId } from './stripe-charges.ts';
import { UnusableResponseError } from './stripe-errors.ts';

const CLOSED_STATUSES: readonly string[] = ['won', 'lost', 'warning_closed', 'prevented'];

export async function readDispute(stripe: Stripe, id: string): Promise<DisputeNotice> {
  const dispute = await stripe.disputes.retrieve(id);
  if (dispute?.object !== 'dispute' || dispute.id !== id) throw new UnusableResponseError();
  // 0 if the bank accepts no response.
  const dueBy = dispute.evidence_details.due_by || undefined;
  return {
    chargeId: getId(dispute.charge) ?? '',
    amount: dispute.amount,
    openedAt: new Date(dispute.created * 1000),
    status: dispute.status,
    isInquiry: dispute.status.startsWith('warning_'),
    isOpen: !CLOSED_STATUSES.includes(dispute.status),
    dueBy: dueBy === undefined ? undefined : new Date(dueBy * 1000),
  };
}

export async function readFraudWarning(stripe: Stripe, id: string): Promise<FraudWarning> {
  const warning = await stripe.radar.earlyFraudWarnings.retrieve(id);
  if (warning?.object !== 'radar.early_fraud_warning' || warning.id !== id) throw new UnusableResponseError();
  const { charge, created, actionable } = warning;
  return { chargeId: getId(charge) ?? '', warnedAt: new Date(created * 1000), isActionable: actionable };
}
