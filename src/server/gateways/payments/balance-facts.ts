import type { Day } from '#domain/days.ts';
import type { Cents } from '#domain/money.ts';
import type { Origin } from './origin.ts';

/**
 * What moved the provider's balance. returned-payout: money of a payout that failed. by-hand: money that a payout made by
 * hand had taken before. fee: of the account itself. account: anything else that belongs to no payment, such as a reserve.
 */
export type PayoutMovementKind = 'payment' | 'refund' | 'dispute' | 'returned-payout' | 'by-hand' | 'fee' | 'account';

/** A fee for the account itself, such as for Billing or Radar. No charge names it. */
export type AccountFee = {
  /** The movement on the balance. */
  readonly id: string;
  /** Negative if the provider gave a fee back. */
  readonly amount: Cents;
  readonly currency: string;
  readonly description: string;
  readonly at: Date;
};

export type PayoutMovement = {
  readonly movementId: string;
  readonly kind: PayoutMovementKind;
  /** The charge, refund, dispute or payout. */
  readonly sourceId: string | undefined;
  readonly chargeId: string | undefined;
  /** Whether the charge is another installation's. */
  readonly isForeign: boolean;
  readonly description: string;
  /** Negative if it left the balance, and what of it arrived there. */
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
  readonly at: Date;
};

export type PayoutStatus = 'on-its-way' | 'paid' | 'failed';

export type PayoutFacts = {
  readonly payoutId: string;
  /** Negative if the provider took it from the bank. */
  readonly amount: Cents;
  readonly currency: string;
  readonly livemode: boolean;
  readonly status: PayoutStatus;
  /** Made by hand, the provider does not say what is in it. */
  readonly byHand: boolean;
  readonly createdAt: Date;
  readonly arrivesOn: Day;
  readonly failedAt: Date | undefined;
  /** For the payout itself, such as for an instant one. */
  readonly fee: AccountFee | undefined;
  /** Undefined while the provider puts it together. */
  readonly contents: readonly PayoutMovement[] | undefined;
};

export type ListedPayout = Pick<PayoutFacts, 'payoutId' | 'status'> & {
  /** Whether the provider says what is in it. */
  readonly complete: boolean;
};

/** A movement of money on the account's balance at the provider. */
export type BalanceMovement = {
  readonly id: string;
  /**
   * debit: of a bank debit that is under way or failed, which the books don't have. fee: of the account itself. other: one
   * that the books have no entry for either, such as a reserve.
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
  /** The provider's word for it. */
  readonly type: string;
  readonly description: string;
  /** The charge, refund, dispute or payout itself. */
  readonly subjectId: string | undefined;
  /** The charge that it is about. */
  readonly chargeId: string | undefined;
  readonly intentId: string | undefined;
  /** As the charge itself says; that of a recurring gift names no installation. */
  readonly origin: Origin;
  /** A payout that has not reached the bank. */
  readonly onItsWay: boolean;
  /** Negative when it leaves the balance; without the fee. */
  readonly amount: Cents;
  /** What the provider took. */
  readonly fee: Cents;
  readonly currency: string;
  readonly at: Date;
};
