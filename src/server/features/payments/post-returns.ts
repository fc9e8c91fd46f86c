import type { Transaction } from 'kysely';
import { carbonOfPart, disputeLines, returnLines } from '#domain/books.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { ReturnOutcome } from '#server/features/receipts/note-on-receipt.ts';
import type { ChargeStory, DisputeFacts, RefundFacts } from '#server/gateways/payments/payment-facts.ts';
import {
  addReturned,
  carbonOfEntry,
  changePayment,
  entriesOfDispute,
  isPosted,
  type PaymentRow,
  type ReturnRow,
  returnsOfPayment,
  saveReturn,
} from './payments.store.ts';
import { type Movement, postFee, postMovement } from './post-movement.ts';

/** News for the donor: money was returned, the bank took it, or it came back to the fund. */
export type ReturnNotice = {
  /** The provider's id of the refund or dispute. */
  readonly returnId: string;
  readonly amount: Cents;
  readonly status: ReturnOutcome;
  readonly at: Date;
};

type Clock = Pick<AppDeps, 'now'>;
type LockedPayment = {
  readonly payment: PaymentRow;
  /** True if the donor's data was erased. */
  readonly isForgotten: boolean;
};

/** Posts a payment's refunds and disputes unless they are already posted, and updates its status. */
export async function postReturns(
  tx: Transaction<Tables>,
  clock: Clock,
  { payment, isForgotten }: LockedPayment,
  { refunds, disputes }: Pick<ChargeStory, 'refunds' | 'disputes'>,
): Promise<ReturnNotice[]> {
  const gift: Gift = {
    tx,
    clock,
    payment,
    carbon: await carbonOfEntry(tx, payment.entry_id),
    returned: payment.refunded_cents,
    isForgotten,
  };
  const notices: ReturnNotice[] = [];
  for (const refund of refunds) notices.push(...(await postRefund(gift, refund)));
  for (const dispute of disputes) notices.push(...(await postDispute(gift, dispute)));
  const returns = await returnsOfPayment(tx, payment.entry_id);
  await changePayment(tx, payment.entry_id, { refunded_cents: gift.returned, status: statusOf(gift, returns) });
  return notices;
}

type Gift = LockedPayment & {
  readonly tx: Transaction<Tables>;
  readonly clock: Clock;
  readonly carbon: TenThousandthsOfPound;
  /** Amount returned so far. */
  returned: Cents;
};

async function postRefund(gift: Gift, refund: RefundFacts): Promise<ReturnNotice[]> {
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
    const movement = { kind: 'refund', fact, occurredAt: left.at, ...(actorId ? { actorId } : {}) } as const;
    await postReturn(gift, { returnId: refundId, from: 'provider', cents: -left.amount, movement });
    await postFee(gift.tx, gift.clock, gift.payment, left);
  }
  if (cameBack) {
    const failureReason = 'The refund failed.';
    const movement = {
      kind: 'reversal',
      fact: `${fact}:failed`,
      reason: failureReason,
      occurredAt: cameBack.at,
    } as const;
    await postReturn(gift, { returnId: refundId, from: 'provider', cents: -cameBack.amount, movement });
    await postFee(gift.tx, gift.clock, gift.payment, cameBack);
  }
  if (status === 'succeeded') return [{ returnId: refundId, amount, status, at }];
  return status === 'failed' ? [{ returnId: refundId, amount, status, at: gift.clock.now() }] : [];
}

async function postDispute(gift: Gift, dispute: DisputeFacts): Promise<ReturnNotice[]> {
  const { tx, clock, payment } = gift;
  const { disputeId, amount, at: occurredAt, movements } = dispute;
  const factOf = (name: string) => `dispute:${disputeId}:${name}`;
  const reported = new Set(movements.map(({ id }) => factOf(id)));
  const earlierEntries = await entriesOfDispute(tx, payment, disputeId);
  // Skips facts that are older than those in the books.
  if (earlierEntries.some(({ fact }) => !fact.startsWith(factOf('verdict:')) && !reported.has(fact))) return [];
  const { status, returned_cents } = await saveReturn(tx, payment, {
    id: disputeId,
    kind: 'dispute',
    amount_cents: amount,
    status: dispute.status,
    occurred_at: occurredAt,
  });
  let lastMovedAt: Date | undefined;
  for (const { id, amount: moved, fee, at } of movements) {
    const movement = { kind: 'dispute', amount: 0, carbon: 0, fact: factOf(id), occurredAt: at } as const;
    const reason = moved < 0 ? 'Money held back' : 'Money returned';
    const isNew = await postMovement(tx, clock, payment, { ...movement, reason, lines: disputeLines(-moved) });
    await postFee(tx, clock, payment, { id, fee, at });
    if (isNew) lastMovedAt = at;
  }
  if (status !== 'won' && status !== 'lost') return [];
  const withdrawn = movements.reduce((sum, { amount: moved }) => sum - moved, 0);
  const cents = (status === 'lost' ? withdrawn : 0) - returned_cents;
  const entries = await entriesOfDispute(tx, payment, disputeId);
  const onHold = entries.reduce((sum, { held }) => sum + held, 0);
  if (cents === 0 && onHold === 0) return [];
  // The day on which the provider moved money for it, or on which it became known.
  const decidedAt = lastMovedAt ?? clock.now();
  const decision = entries.length - movements.length + 1;
  const reason = status === 'won' ? 'Won' : 'Lost';
  const movement = { kind: 'dispute', fact: factOf(`verdict:${decision}`), reason, occurredAt: decidedAt } as const;
  await postReturn(gift, { returnId: disputeId, from: 'disputed', cents, onHold, movement });
  return [{ returnId: disputeId, amount: Math.abs(cents), status, at: clock.now() }];
}

type Return = {
  readonly returnId: string;
  readonly from: 'provider' | 'disputed';
  /** Part of the gift that is returned; negative if it is restored. */
  readonly cents: Cents;
  /** Amount withdrawn from the account; defaults to `cents`. The fund posts the difference as a loss. */
  readonly onHold?: Cents;
  readonly movement: Omit<Movement, 'amount' | 'carbon' | 'lines'>;
};

/**
 * Subtracts a part of a gift from the stats, or restores it, with its carbon in proportion. Never subtracts more than
 * the gift.
 */
async function postReturn(gift: Gift, { returnId, from, cents, onHold = cents, movement }: Return): Promise<void> {
  const { tx, clock, payment, carbon } = gift;
  // If the fact is already posted, later returns may have changed the rest of the gift.
  if (await isPosted(tx, movement.fact)) return;
  const returned = gift.returned + cents;
  const partOf = (total: Cents) => Math.min(total, payment.amount_cents);
  const part = partOf(returned) - partOf(gift.returned);
  const carbonOf = (total: Cents) => carbonOfPart(carbon, partOf(total), payment.amount_cents);
  await postMovement(tx, clock, payment, {
    ...movement,
    lines: returnLines(from, part, onHold - part),
    amount: -part,
    carbon: carbonOf(gift.returned) - carbonOf(returned),
  });
  await addReturned(tx, returnId, cents);
  gift.returned = returned;
}

/** @param returns the stored rows, which outdated reports don't change */
function statusOf({ payment, returned }: Gift, returns: readonly ReturnRow[]): PaymentRow['status'] {
  if (returns.some(({ status }) => status === 'open')) return 'disputed';
  if (returns.some(({ status }) => status === 'lost')) return 'lost';
  return returned >= payment.amount_cents ? 'refunded' : 'succeeded';
}
