import type { Transaction } from 'kysely';
import { feeLines } from '#domain/books.ts';
import { buildFact } from '#domain/facts.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { type NewEntry, postEntry } from '#server/features/ledger/post-entry.ts';
import type { ChargeFacts, Settlement } from '#server/gateways/payments/payment-facts.ts';
import { type PaymentRow, updatePayment } from './payments.store.ts';

/** Ledger entry for a change to a recorded payment, such as its fee or a refund. */
export type PaymentMovement = Pick<
  NewEntry,
  | 'kind'
  | 'fact'
  | 'returnId'
  | 'balanceTransactionId'
  | 'occurredAt'
  | 'reason'
  | 'actorId'
  | 'lines'
  | 'amount'
  | 'carbon'
>;

type Clock = Pick<AppDeps, 'now'>;

/** Posts a movement unless its fact is already posted. @returns whether it was posted */
export async function postMovement(
  tx: Transaction<Tables>,
  { now }: Clock,
  payment: PaymentRow,
  movement: PaymentMovement,
): Promise<boolean> {
  const { org_id: orgId, checkout_id: checkoutId, entry_id: paymentEntryId, currency } = payment;
  const livemode = payment.livemode ?? undefined;
  const entry = { ...movement, orgId, checkoutId, paymentEntryId, currency, livemode, reportedAt: now() };
  return (await postEntry(tx, entry)) !== undefined;
}

/** Adds the charge's ids to the payment, and posts the fee if the provider has settled it. */
export async function recordSettlement(
  tx: Transaction<Tables>,
  clock: Clock,
  payment: PaymentRow,
  { chargeId, intentId, settlement }: ChargeFacts,
): Promise<void> {
  await updatePayment(tx, payment.entry_id, {
    charge_id: chargeId,
    intent_id: intentId ?? payment.intent_id,
    ...toSettlementColumns(settlement),
  });
  if (settlement) await postFee(tx, clock, payment, settlement);
}

/** Returns whether the payment's charge and fee are already recorded. */
export function isSettlementRecorded(payment: PaymentRow, { chargeId, settlement }: ChargeFacts): boolean {
  const { charge_id, balance_transaction_id, fee_cents } = payment;
  return charge_id === chargeId && fee_cents !== null && balance_transaction_id === settlement?.id;
}

export function toSettlementColumns(settlement: Settlement | undefined) {
  if (!settlement) return {};
  return { balance_transaction_id: settlement.id, fee_cents: settlement.fee, net_cents: settlement.net };
}

/** Posts the provider's fee unless it is already posted. A refunded fee is negative. */
export async function postFee(
  tx: Transaction<Tables>,
  clock: Clock,
  payment: PaymentRow,
  settlement: Omit<Settlement, 'net'>,
): Promise<void> {
  const { id, fee, settledAt: occurredAt } = settlement;
  if (fee === 0) return;
  const lines = feeLines(fee);
  await postMovement(tx, clock, payment, {
    kind: 'fee',
    fact: buildFact('fee', id),
    balanceTransactionId: id,
    amount: 0,
    carbon: 0,
    lines,
    occurredAt,
  });
}
