import type { Transaction } from 'kysely';
import { calculateCarbonShare, disputeLines, returnLines } from '#domain/books.ts';
import { buildFact } from '#domain/facts.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { ReturnOutcome } from '#server/features/receipts/send-returned-gift-email.job.ts';
import type { ChargeHistory, DisputeFacts, RefundFacts } from '#server/gateways/payments/payment-facts.ts';
import {
  addReturnedAmount,
  isFactPosted,
  listDisputeEntries,
  listPaymentReturns,
  type PaymentRow,
  type ReturnRow,
  readEntryCarbon,
  saveReturn,
  updatePayment,
} from './payments.store.ts';
import { type PaymentMovement, postFee, postMovement } from './post-movement.ts';

/** Notice to the donor about a refund, a lost dispute, or money returned to the fund. */
export type ReturnNotice = {
  /** The provider's id of the refund or dispute. */
  readonly returnId: string;
  readonly amount: Cents;
  readonly status: ReturnOutcome;
  readonly occurredAt: Date;
};

type Clock = Pick<AppDeps, 'now'>;
type LockedPayment = {
  readonly payment: PaymentRow;
  /** True if the donor's data was erased. */
  readonly isPayerErased: boolean;
};

/** Posts a payment's refunds and disputes unless they are already posted, and updates its status. */
export async function postReturns(
  tx: Transaction<Tables>,
  clock: Clock,
  { payment, isPayerErased }: LockedPayment,
  { refunds, disputes }: Pick<ChargeHistory, 'refunds' | 'disputes'>,
): Promise<ReturnNotice[]> {
  const context: ReturnContext = {
    tx,
    clock,
    payment,
    carbon: await readEntryCarbon(tx, payment.entry_id),
    returnedCents: payment.returned_cents,
    isPayerErased,
  };
  const notices: ReturnNotice[] = [];
  for (const refund of refunds) notices.push(...(await postRefund(context, refund)));
  for (const dispute of disputes) notices.push(...(await postDispute(context, dispute)));
  const returns = await listPaymentReturns(tx, payment.entry_id);
  await updatePayment(tx, payment.entry_id, {
    returned_cents: context.returnedCents,
    status: computePaymentStatus(context, returns),
  });
  return notices;
}

type ReturnContext = LockedPayment & {
  readonly tx: Transaction<Tables>;
  readonly clock: Clock;
  readonly carbon: TenThousandthsOfPound;
  /** Total returned so far. */
  returnedCents: Cents;
};

async function postRefund(context: ReturnContext, refund: RefundFacts): Promise<ReturnNotice[]> {
  const { refundId, amount, occurredAt, reason, actorId, withdrawal, failedRefundCredit } = refund;
  const { status } = await saveReturn(context.tx, context.payment, {
    id: refundId,
    kind: 'refund',
    amount_cents: amount,
    status: refund.status,
    occurred_at: occurredAt,
    reason: (context.isPayerErased ? undefined : reason) ?? null,
  });
  const fact = buildFact('refund', refundId);
  if (withdrawal) {
    const movement = {
      kind: 'refund',
      fact,
      balanceTransactionId: withdrawal.id,
      occurredAt: withdrawal.settledAt,
      ...(actorId ? { actorId } : {}),
    } as const;
    await postReturn(context, { returnId: refundId, sourceAccount: 'provider', cents: -withdrawal.amount, movement });
    await postFee(context.tx, context.clock, context.payment, withdrawal);
  }
  if (failedRefundCredit) {
    const failureReason = 'The refund failed.';
    const movement = {
      kind: 'reversal',
      fact: buildFact('refund', refundId, 'failed'),
      balanceTransactionId: failedRefundCredit.id,
      reason: failureReason,
      occurredAt: failedRefundCredit.settledAt,
    } as const;
    await postReturn(context, {
      returnId: refundId,
      sourceAccount: 'provider',
      cents: -failedRefundCredit.amount,
      movement,
    });
    await postFee(context.tx, context.clock, context.payment, failedRefundCredit);
  }
  if (status === 'succeeded')
    return [{ returnId: refundId, amount, status, occurredAt: withdrawal?.settledAt ?? occurredAt }];
  return status === 'failed' ? [{ returnId: refundId, amount, status, occurredAt: context.clock.now() }] : [];
}

async function postDispute(context: ReturnContext, dispute: DisputeFacts): Promise<ReturnNotice[]> {
  const { tx, clock, payment } = context;
  const { disputeId, amount, occurredAt, balanceChanges } = dispute;
  const reportedIds = new Set(balanceChanges.map(({ id }) => id));
  const earlierEntries = await listDisputeEntries(tx, payment, disputeId);
  // This report is outdated if a later one with more balance changes is already recorded.
  if (earlierEntries.some(({ balanceTransactionId: id }) => id !== null && !reportedIds.has(id))) return [];
  const { status, returned_cents } = await saveReturn(tx, payment, {
    id: disputeId,
    kind: 'dispute',
    amount_cents: amount,
    status: dispute.status,
    occurred_at: occurredAt,
  });
  let lastMovedAt: Date | undefined;
  for (const { id, amount: movedCents, fee, settledAt } of balanceChanges) {
    const movement = {
      kind: 'dispute',
      amount: 0,
      carbon: 0,
      fact: buildFact('dispute', disputeId, id),
      returnId: disputeId,
      balanceTransactionId: id,
      occurredAt: settledAt,
    } as const;
    const reason = movedCents < 0 ? 'Money held back' : 'Money returned';
    const isNew = await postMovement(tx, clock, payment, { ...movement, reason, lines: disputeLines(-movedCents) });
    await postFee(tx, clock, payment, { id, fee, settledAt });
    if (isNew) lastMovedAt = settledAt;
  }
  if (status !== 'won' && status !== 'lost') return [];
  const amountTaken = balanceChanges.reduce((sum, balanceChange) => sum - balanceChange.amount, 0);
  const cents = (status === 'lost' ? amountTaken : 0) - returned_cents;
  const entries = await listDisputeEntries(tx, payment, disputeId);
  const withdrawnCents = entries.reduce((sum, { disputedCents }) => sum + disputedCents, 0);
  if (cents === 0 && withdrawnCents === 0) return [];
  // Dated when the provider moved the money or, without a new movement, when the decision was reported.
  const decidedAt = lastMovedAt ?? clock.now();
  const decisionNumber = entries.length - balanceChanges.length + 1;
  const reason = status === 'won' ? 'Won' : 'Lost';
  const fact = buildFact('dispute', disputeId, 'verdict', decisionNumber);
  const movement = { kind: 'dispute', fact, reason, occurredAt: decidedAt } as const;
  await postReturn(context, { returnId: disputeId, sourceAccount: 'disputed', cents, withdrawnCents, movement });
  return [{ returnId: disputeId, amount: Math.abs(cents), status, occurredAt: clock.now() }];
}

type ReturnPosting = {
  readonly returnId: string;
  readonly sourceAccount: 'provider' | 'disputed';
  /** Amount returned to the donor; negative if it is returned to the fund. */
  readonly cents: Cents;
  /** Amount withdrawn from `sourceAccount`; defaults to `cents`. The excess over the gift is posted as a fee. */
  readonly withdrawnCents?: Cents;
  readonly movement: Omit<PaymentMovement, 'returnId' | 'amount' | 'carbon' | 'lines'>;
};

/**
 * Posts a return of part of a gift to the donor, or of money to the fund. Subtracts it from the stats with its share of
 * the carbon, but never more than the gift.
 */
async function postReturn(
  context: ReturnContext,
  { returnId, sourceAccount, cents, withdrawnCents = cents, movement }: ReturnPosting,
): Promise<void> {
  const { tx, clock, payment, carbon } = context;
  // Don't recompute a posted fact, because the total now includes later returns.
  if (await isFactPosted(tx, movement.fact)) return;
  const newTotal = context.returnedCents + cents;
  const limitToGift = (total: Cents) => Math.min(total, payment.amount_cents);
  const giftPart = limitToGift(newTotal) - limitToGift(context.returnedCents);
  const toReturnedCarbon = (total: Cents) => calculateCarbonShare(carbon, limitToGift(total), payment.amount_cents);
  await postMovement(tx, clock, payment, {
    ...movement,
    returnId,
    lines: returnLines(sourceAccount, giftPart, withdrawnCents - giftPart),
    amount: -giftPart,
    carbon: toReturnedCarbon(context.returnedCents) - toReturnedCarbon(newTotal),
  });
  await addReturnedAmount(tx, returnId, cents);
  context.returnedCents = newTotal;
}

/** @param returns the stored rows, which outdated reports don't change */
function computePaymentStatus(
  { payment, returnedCents }: ReturnContext,
  returns: readonly ReturnRow[],
): PaymentRow['status'] {
  if (returns.some(({ status }) => status === 'open')) return 'disputed';
  if (returns.some(({ status }) => status === 'lost')) return 'lost';
  return returnedCents >= payment.amount_cents ? 'refunded' : 'succeeded';
}
