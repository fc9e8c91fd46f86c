import type { Transaction } from 'kysely';
import { carbonOfPart, disputeLines, returnLines } from '#domain/books.ts';
import { checkoutStatusOf } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import type { Cents } from '#domain/money.ts';
import { changeCheckout, checkoutByIdOnly, lockedCheckout } from '#server/entities/find-checkout.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { closeAttentionItem, raiseAttentionItem } from '#server/features/attention/attention.ts';
import { tellDonor } from '#server/features/receipts/note-on-receipt.ts';
import { followRefund, lockOffsetterOfCheckout } from '#server/features/stories/offsetters.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { ChargeFacts, ChargeStory, DisputeFacts, RefundFacts } from '#server/gateways/payments/payment-facts.ts';
import {
  addReturned,
  carbonOfEntry,
  changePayment,
  entriesOfDispute,
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
 * Reads a charge from the provider and posts its fee, refunds, and disputes unless they are already posted. They can be
 * reported in any order, even before the payment itself. Safe to repeat.
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

/** Detects the usual report: the charge has no refunds or disputes, and its fee is posted. */
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

/** Money that left although the payment is not in the books waits for a person, again if the amount changes. */
async function refuse({ db }: RecordDeps, story: ChargeStory): Promise<Recorded> {
  const returns = [...story.refunds, ...story.disputes].filter(({ status }) => status !== 'failed' && status !== 'won');
  const [first] = returns;
  if (!first) return { outcome: 'ignored' };
  const { orgId = '', checkoutId = '' } = story;
  const reason = 'refund or dispute of a payment that is not in the books';
  const amount = returns.reduce((sum, each) => sum + each.amount, 0);
  const item = { ...story, subject: subjectOf(story.charge), reason, orgId, checkoutId, amount, occurredAt: first.at };
  await inTransaction(db, (tx) => raiseAttentionItem(tx, item));
  return { outcome: 'attention', reason, checkoutId: checkoutId || undefined };
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
    tx,
    deps,
    payment,
    carbon: await carbonOfEntry(tx, entry_id),
    returned: payment.refunded_cents,
    isForgotten: checkout.forgotten_at !== null,
  };
  await recordSettlement(tx, deps, payment, story.charge);
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
  await closeAttentionItem(tx, subjectOf(story.charge), deps.now());
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
  const { refundId, amount, at, reason, actorId, left, cameBack } = refund;
  const { status } = await saveReturn(gift.tx, gift.payment, {
    id: refundId,
    kind: 'refund',
    amount_cents: amount,
    status: refund.status,
    occurred_at: at,
    reason: (gift.isForgotten ? undefined : reason) ?? null,
  });
  const fact = `refund:${refundId}`;
  if (left) {
    const movement = { ...({ kind: 'refund', fact, occurredAt: left.at } as const), ...(actorId ? { actorId } : {}) };
    await giveBack(gift, { returnId: refundId, from: 'provider', cents: -left.amount, movement });
    await postFee(gift.tx, gift.deps, gift.payment, left);
  }
  if (cameBack) {
    const reason = 'The refund failed.';
    const movement = { kind: 'reversal', fact: `${fact}:failed`, reason, occurredAt: cameBack.at } as const;
    await giveBack(gift, { returnId: refundId, from: 'provider', cents: -cameBack.amount, movement });
    await postFee(gift.tx, gift.deps, gift.payment, cameBack);
  }
  if (status === 'succeeded') await tell(gift, { returnId: refundId, amount, status, at });
  else if (status === 'failed') await tell(gift, { returnId: refundId, amount, status, at: gift.deps.now() });
}

async function recordDispute(gift: Gift, dispute: DisputeFacts): Promise<void> {
  const { tx, deps, payment } = gift;
  const { disputeId, amount, at: occurredAt, movements } = dispute;
  const factOf = (what: string) => `dispute:${disputeId}:${what}`;
  const reported = new Set(movements.map(({ id }) => factOf(id)));
  const before = await entriesOfDispute(tx, payment, disputeId);
  // Read before a report that is recorded already.
  if (before.some(({ fact }) => !fact.startsWith(factOf('verdict:')) && !reported.has(fact))) return;
  const { status, returned_cents } = await saveReturn(tx, payment, {
    id: disputeId,
    kind: 'dispute',
    amount_cents: amount,
    status: dispute.status,
    occurred_at: occurredAt,
  });
  let newest: Date | undefined;
  for (const { id, amount: moved, fee, at } of movements) {
    const movement = { kind: 'dispute', amount: 0, carbon: 0, fact: factOf(id), occurredAt: at } as const;
    const reason = moved < 0 ? 'Money held back' : 'Money returned';
    const isNew = await postMovement(tx, deps, payment, { ...movement, reason, lines: disputeLines(-moved) });
    await postFee(tx, deps, payment, { id, fee, at });
    if (isNew) newest = at;
  }
  if (status !== 'won' && status !== 'lost') return;
  const amountTaken = movements.reduce((sum, { amount: moved }) => sum - moved, 0);
  const cents = (status === 'lost' ? amountTaken : 0) - returned_cents;
  const entries = await entriesOfDispute(tx, payment, disputeId);
  const held = entries.reduce((sum, { held: each }) => sum + each, 0);
  if (cents === 0 && held === 0) return;
  // On the day when the provider moved money for it, or when it became known.
  const decidedAt = newest ?? deps.now();
  const decision = entries.length - movements.length + 1;
  const reason = status === 'won' ? 'Won' : 'Lost';
  const movement = { kind: 'dispute', fact: factOf(`verdict:${decision}`), reason, occurredAt: decidedAt } as const;
  await giveBack(gift, { returnId: disputeId, from: 'disputed', cents, held, movement });
  await tell(gift, { returnId: disputeId, amount: Math.abs(cents), status, at: deps.now() });
}

type Told = Pick<Parameters<typeof tellDonor>[2], 'returnId' | 'amount' | 'status' | 'at'>;

async function tell({ tx, deps, payment, isForgotten }: Gift, told: Told): Promise<void> {
  await tellDonor(tx, deps, { ...told, orgId: payment.org_id, entryId: payment.entry_id, isForgotten });
}

type GivenBack = {
  readonly returnId: string;
  readonly from: 'provider' | 'disputed';
  /** Part of the gift that is returned; negative if it is restored. */
  readonly cents: Cents;
  /** Amount withdrawn from the account; defaults to `cents`. The fund posts the difference as a loss. */
  readonly held?: Cents;
  readonly movement: Omit<Movement, 'amount' | 'carbon' | 'lines'>;
};

/**
 * Subtracts a part of a gift from the stats, or restores it, with its carbon in proportion. Never subtracts more than
 * the gift.
 */
async function giveBack(gift: Gift, { returnId, from, cents, held = cents, movement }: GivenBack): Promise<void> {
  const { tx, deps, payment, carbon } = gift;
  // If the fact is already posted, later returns may have changed the rest of the gift.
  if (await isPosted(tx, movement.fact)) return;
  const after = gift.returned + cents;
  const partOf = (returned: Cents) => Math.min(returned, payment.amount_cents);
  const part = partOf(after) - partOf(gift.returned);
  const carbonOf = (returned: Cents) => carbonOfPart(carbon, partOf(returned), payment.amount_cents);
  await postMovement(tx, deps, payment, {
    ...movement,
    lines: returnLines(from, part, held - part),
    amount: -part,
    carbon: carbonOf(gift.returned) - carbonOf(after),
  });
  await addReturned(tx, returnId, cents);
  gift.returned = after;
}

/** @param returns the stored rows, which outdated reports don't change */
function statusOf({ payment, returned }: Gift, returns: readonly ReturnRow[]): PaymentRow['status'] {
  if (returns.some(({ status }) => status === 'open')) return 'disputed';
  if (returns.some(({ status }) => status === 'lost')) return 'lost';
  return returned >= payment.amount_cents ? 'refunded' : 'succeeded';
}
