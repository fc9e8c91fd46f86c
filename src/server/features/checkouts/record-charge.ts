import type { Transaction } from 'kysely';
import { carbonOfPart, disputeOpened, disputeWon, givenBack } from '#domain/books.ts';
import { checkoutStatusOf } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import type { Cents } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { tellDonor } from '#server/features/receipts/note-on-receipt.ts';
import { followRefund, lockOffsetterOfCheckout } from '#server/features/stories/offsetters.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { ChargeFacts, ChargeStory, DisputeFacts, RefundFacts } from '#server/gateways/payments/payment-facts.ts';
import { closeAttentionItems } from './attention.store.ts';
import { needsAttention } from './attention.ts';
import { changeCheckout, checkoutByIdOnly, lockedCheckout } from './checkouts.store.ts';
import {
  carbonOfEntry,
  changePayment,
  isPosted,
  lockedPayment,
  type PaymentRow,
  paymentOfCharge,
  paymentsOfCheckout,
  type ReturnRow,
  returnsOfPayment,
  saveReturn,
} from './payments.store.ts';
import { isSettledBy, type Movement, postFee, postMovement, recordSettlement } from './post-movement.ts';
import { recordInvoice } from './record-invoice.ts';
import { type RecordDeps, type Recorded, recordPage } from './record-session.ts';

/**
 * Asks the provider what became of a charge and posts what is not posted yet: its fee, its refunds, its disputes. They can
 * be reported in any order, also before the payment itself. Safe to repeat.
 * @returns Failure payment-unavailable
 */
export async function recordCharge(deps: RecordDeps, chargeId: string): Promise<Recorded | Failure> {
  const story = await deps.payments.readCharge(chargeId);
  if (story instanceof Failure) return story;
  if (story === 'unknown') return { outcome: 'unknown' };
  const payment = (await paymentOfCharge(deps.db.kysely, story.charge)) ?? (await recordedPayment(deps, story));
  if (payment instanceof Failure) return payment;
  if (payment) {
    if (!isRecorded(payment, story)) await inTransaction(deps.db, (tx) => recordStory(tx, deps, payment, story));
    const { checkout_id: checkoutId, session_id: sessionId, fee_cents: fee } = payment;
    const settled = fee === null ? undefined : { sessionId: sessionId ?? undefined, chargeId };
    return { outcome: 'recorded', checkoutId, settled };
  }
  return isOurs(story) ? refuse(deps, story) : { outcome: 'ignored' };
}

/** Most reports of a charge say what its payment said: nothing went back, and its fee is posted. */
function isRecorded(payment: PaymentRow, { charge, refunds, disputes }: ChargeStory): boolean {
  const hasReturns = refunds.length > 0 || disputes.length > 0 || payment.status !== 'succeeded';
  return !hasReturns && isSettledBy(payment, charge);
}

/** Records the payment itself, if it is one of ours that was not reported yet. */
async function recordedPayment(deps: RecordDeps, story: ChargeStory): Promise<PaymentRow | undefined | Failure> {
  const { checkoutId, charge } = story;
  if (story.origin === 'foreign') return undefined;
  const checkout = checkoutId === undefined ? undefined : await checkoutByIdOnly(deps.db.kysely, checkoutId);
  const { invoiceId, intentId } = charge;
  const recorded = invoiceId
    ? await recordInvoice(deps, invoiceId)
    : checkout && intentId && (await recordPage(deps, checkout, { intentId }));
  return recorded instanceof Failure ? recorded : paymentOfCharge(deps.db.kysely, charge);
}

/** Money that left although the payment is not in the books waits for a person. */
async function refuse({ db }: RecordDeps, story: ChargeStory): Promise<Recorded> {
  const [first] = [...story.refunds, ...story.disputes];
  if (!first) return { outcome: 'ignored' };
  const { orgId = '', checkoutId = '' } = story;
  const reason = 'refund or dispute of a payment that is not in the books';
  const item = { ...story, subject: subjectOf(story.charge), reason, orgId, checkoutId };
  return inTransaction(db, (tx) => needsAttention(tx, { ...item, amount: first.amount, occurredAt: first.at }));
}

function subjectOf({ chargeId }: ChargeFacts): string {
  return `charge:${chargeId}`;
}

async function recordStory(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  { entry_id, org_id: orgId, checkout_id: checkoutId }: PaymentRow,
  story: ChargeStory,
): Promise<void> {
  // In the order in which everything that changes money is locked.
  const checkout = await lockedCheckout(tx, { orgId, checkoutId });
  const offsetterId = await lockOffsetterOfCheckout(tx, orgId, checkoutId);
  const payment = await lockedPayment(tx, entry_id);
  if (!checkout || !payment) throw new Error('A payment has lost its checkout.');
  const gift: Gift = {
    ...{ tx, deps, payment, carbon: await carbonOfEntry(tx, entry_id), returned: payment.refunded_cents },
    isForgotten: checkout.forgotten_at !== null,
  };
  await recordSettlement(tx, payment, story.charge);
  for (const refund of story.refunds) await recordRefund(gift, refund);
  for (const dispute of story.disputes) await recordDispute(gift, dispute);
  const decided = await returnsOfPayment(tx, entry_id);
  await changePayment(tx, entry_id, { refunded_cents: gift.returned, status: statusOf(gift, decided) });
  const status = checkoutStatusOf(await paymentsOfCheckout(tx, checkoutId));
  // A renewal can succeed after the first payment failed, which stays failed.
  if (checkout.paid_at !== null && status !== checkout.payment_status) {
    await changeCheckout(tx, { orgId, checkoutId }, { payment_status: status });
    if (offsetterId !== undefined) await followRefund(tx, { orgId, id: offsetterId }, status !== 'paid');
  }
  await closeAttentionItems(tx, [subjectOf(story.charge)], deps.now());
}

/** A gift, and how much of it has gone back so far. */
type Gift = {
  readonly tx: Transaction<Tables>;
  readonly deps: RecordDeps;
  readonly payment: PaymentRow;
  readonly carbon: number;
  readonly isForgotten: boolean;
  returned: Cents;
};

async function recordRefund(gift: Gift, refund: RefundFacts): Promise<void> {
  const { refundId, amount, at, reason, actorId } = refund;
  const fact = `refund:${refundId}`;
  const status = await saveReturn(gift.tx, gift.payment, {
    ...{ id: refundId, kind: 'refund', amount_cents: amount, status: refund.status, occurred_at: at },
    reason: (gift.isForgotten ? undefined : reason) ?? null,
  });
  if (status !== 'failed') {
    await giveBack(gift, 'provider', amount, { kind: 'refund', fact, occurredAt: at, ...(actorId ? { actorId } : {}) });
    if (status === 'succeeded') await tell(gift, { returnId: refundId, amount, status, at });
    return;
  }
  // Only a refund that was posted can come back.
  if (await isPosted(gift.tx, fact)) {
    const reason = 'The refund failed.';
    const occurredAt = refund.cameBackAt ?? gift.deps.now();
    await giveBack(gift, 'provider', -amount, { kind: 'reversal', fact: `${fact}:failed`, reason, occurredAt });
    await tell(gift, { returnId: refundId, amount, status, at: gift.deps.now() });
  }
}

async function recordDispute(gift: Gift, dispute: DisputeFacts): Promise<void> {
  const { tx, payment } = gift;
  const { disputeId, amount, at: occurredAt } = dispute;
  const fact = `dispute:${disputeId}`;
  const status = await saveReturn(tx, payment, {
    id: disputeId,
    kind: 'dispute',
    amount_cents: amount,
    status: dispute.status,
    occurred_at: occurredAt,
  });
  const held = { kind: 'dispute', amount: 0, carbon: 0, occurredAt } as const;
  await postMovement(tx, payment, { ...held, fact, reason: 'Opened', lines: disputeOpened(amount) });
  for (const settlement of dispute.settlements) await postFee(tx, payment, settlement);
  // On the day when the money came back, or when the loss became known: the provider moves no money for it.
  const decidedAt = dispute.cameBackAt ?? gift.deps.now();
  if (status === 'won') {
    const won = { ...held, occurredAt: decidedAt };
    await postMovement(tx, payment, { ...won, fact: `${fact}:won`, reason: 'Won', lines: disputeWon(amount) });
  } else if (status === 'lost') {
    const lost = { kind: 'dispute', fact: `${fact}:lost`, reason: 'Lost', occurredAt: decidedAt } as const;
    await giveBack(gift, 'disputed', amount, lost);
    await tell(gift, { returnId: disputeId, amount, status, at: gift.deps.now() });
  }
}

type Told = Pick<Parameters<typeof tellDonor>[2], 'returnId' | 'amount' | 'status' | 'at'>;

async function tell({ tx, deps, payment, isForgotten }: Gift, told: Told): Promise<void> {
  await tellDonor(tx, deps, { ...told, orgId: payment.org_id, entryId: payment.entry_id, isForgotten });
}

/**
 * Takes a part of a gift out of the stats, or puts it back if negative; its carbon in proportion. The stats never lose more
 * than the gift.
 */
async function giveBack(
  gift: Gift,
  from: 'provider' | 'disputed',
  cents: Cents,
  entry: Omit<Movement, 'amount' | 'carbon' | 'lines'>,
): Promise<void> {
  const { tx, payment, carbon } = gift;
  // What is left of the gift has changed since it was posted.
  if (await isPosted(tx, entry.fact)) return;
  const after = gift.returned + cents;
  const partOf = (returned: Cents) => Math.min(returned, payment.amount_cents);
  const part = partOf(after) - partOf(gift.returned);
  const carbonOf = (returned: Cents) => carbonOfPart(carbon, partOf(returned), payment.amount_cents);
  await postMovement(tx, payment, {
    ...entry,
    lines: givenBack(from, part, cents - part),
    amount: -part,
    carbon: carbonOf(gift.returned) - carbonOf(after),
  });
  gift.returned = after;
}

/** @param returns as they are kept: a report that was read earlier does not set them back */
function statusOf({ payment, returned }: Gift, returns: readonly ReturnRow[]): PaymentRow['status'] {
  if (returns.some(({ status }) => status === 'open')) return 'disputed';
  if (returns.some(({ status }) => status === 'lost')) return 'lost';
  return returned >= payment.amount_cents ? 'refunded' : 'succeeded';
}
