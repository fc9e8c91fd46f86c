import type { Day } from '#domain/days.ts';
import type { Cents } from '#domain/money.ts';
import type { Origin } from './origin.ts';

/**
 * Kind of a balance transaction in a payout. returned-payout: money from a failed payout. manual: money that an earlier
 * manual payout already paid out. fee: a fee for the account itself. account: any other transaction without a payment, such
 * as a reserve.
 */
export type PayoutMovementKind = 'payment' | 'refund' | 'dispute' | 'returned-payout' | 'manual' | 'fee' | 'account';

/** A fee for the account itself, such as for Billing or Radar. It doesn't belong to a charge. */
export type AccountFee = {
  /** Id of the balance transaction. */
  readonly id: string;
  /** Negative if Stripe refunded a fee. */
  readonly amount: Cents;
  readonly currency: string;
  readonly description: string;
  readonly occurredAt: Date;
};

export type PayoutMovement = {
  readonly movementId: string;
  readonly kind: PayoutMovementKind;
  /** Id of the charge, refund, dispute, or payout. */
  readonly sourceId: string | undefined;
  readonly chargeId: string | undefined;
  /** True if the charge belongs to another installation. */
  readonly isFromOtherInstallation: boolean;
  readonly description: string;
  /** Negative for money that left the balance. */
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
  readonly occurredAt: Date;
};

export type PayoutStatus = 'in-transit' | 'paid' | 'failed';

export type PayoutFacts = {
  readonly payoutId: string;
  /** Negative if Stripe collected it from the bank account. */
  readonly amount: Cents;
  readonly currency: string;
  readonly livemode: boolean;
  readonly status: PayoutStatus;
  /** True for a manual payout, whose contents Stripe doesn't list. */
  readonly isManual: boolean;
  readonly createdAt: Date;
  readonly arrivesOn: Day;
  readonly failedAt: Date | undefined;
  /** Fee for the payout itself, such as for an instant payout. */
  readonly fee: AccountFee | undefined;
  /** Undefined until Stripe has assembled the payout. */
  readonly contents: readonly PayoutMovement[] | undefined;
};

export type ListedPayout = Pick<PayoutFacts, 'payoutId' | 'status'> & {
  /** True if Stripe lists its contents. */
  readonly isComplete: boolean;
};

/** A Stripe balance transaction: money that entered or left the account's balance. */
export type BalanceMovement = {
  readonly id: string;
  /**
   * debit: a pending or failed bank debit, which isn't in the books. fee: a fee for the account itself. other: any other
   * transaction without an entry in the books, such as a reserve.
   */
  readonly kind:
    | 'charge'
    | 'debit'
    | 'refund'
    | 'refund-failed'
    | 'dispute'
    | 'dispute-won'
    | 'payout'
    | 'fee'
    | 'other';
  /** Stripe's type. */
  readonly type: string;
  readonly description: string;
  /** Id of the charge, refund, dispute, or payout. */
  readonly subjectId: string | undefined;
  /** Id of the charge to which the transaction belongs. */
  readonly chargeId: string | undefined;
  readonly intentId: string | undefined;
  /** Origin from the charge's metadata, which the charges of recurring gifts lack. */
  readonly origin: Origin;
  /** True for a payout that has not reached the bank. */
  readonly isInTransit: boolean;
  /** Amount before the fee; negative for money that left the balance. */
  readonly amount: Cents;
  /** Stripe's fee. */
  readonly fee: Cents;
  readonly currency: string;
  readonly occurredAt: Date;
};
