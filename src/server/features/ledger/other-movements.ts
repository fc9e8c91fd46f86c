/** Temporary holds and advances, which aren't in the books because the money still belongs to the fund. */
const RESERVE_LABELS: Readonly<Record<string, string>> = {
  reserved_funds: 'reserve',
  reserve_hold: 'reserve',
  reserve_release: 'reserve',
  reserve_transaction: 'reserve',
  payment_network_reserve_hold: 'payment network reserve',
  payment_network_reserve_release: 'payment network reserve',
  payout_minimum_balance_hold: 'minimum balance, held back from a payout',
  payout_minimum_balance_release: 'minimum balance, held back from a payout',
  advance: 'advance for an instant payout',
  advance_funding: 'advance for an instant payout',
};

/** Movements that a person must book or explain. */
const UNBOOKED_LABELS: Readonly<Record<string, string>> = {
  adjustment: 'adjustment',
  payment_reversal: 'payment reversed by a bank',
  topup: 'money added manually',
  topup_reversal: 'money added manually, then returned',
  contribution: 'contribution to Stripe Climate',
  climate_order_purchase: 'Stripe Climate order',
  climate_order_refund: 'Stripe Climate order, refunded',
  payment_unreconciled: 'unreconciled customer funds',
  transfer: 'transfer',
  transfer_refund: 'transfer, refunded',
};

export function isReserve(type: string): boolean {
  return Object.hasOwn(RESERVE_LABELS, type);
}

/** Describes a movement type in plain words. Quotes the provider's name for an unknown type. */
export function movementLabel(type: string): string {
  return RESERVE_LABELS[type] ?? UNBOOKED_LABELS[type] ?? `movement of the unknown type "${type}"`;
}
