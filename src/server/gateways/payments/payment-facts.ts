import type { CoveredFee } from '#domain/card-fee.ts';
import type { GiftInterval } from '#domain/cart.ts';
import type { PaymentReport } from '#domain/checkout.ts';
import type { UserId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { RecurringGiftStatus } from '#domain/recurring-gift.ts';
import type { Tribute } from '#domain/tribute.ts';
import type { PaymentOrigin } from './origin.ts';

type Money = { readonly amount: Cents; readonly currency: string; readonly livemode: boolean };
type Payer = { readonly payerEmail: string | undefined; readonly payerName: string | undefined };

/** A payment as read from Stripe, the only proof of payment (decisions §3). */
export type PaymentFacts = PaymentOrigin &
  Money &
  Payer & {
    readonly sessionId: string;
    /** open: the payer has not completed the hosted page. */
    readonly status: PaymentReport | 'open';
    /** The payment intent, or the first invoice of a recurring gift. */
    readonly paymentId: string | undefined;
    readonly customerId: string | undefined;
    readonly subscriptionId: string | undefined;
    /** Key in the link to the recurring gift's page. */
    readonly giftKey: string | undefined;
    /** When a recurring gift will be charged again. */
    readonly nextChargeAt: Date | undefined;
    /** Undefined until the charge succeeds. */
    readonly charge: ChargeFacts | undefined;
  };

/** Stripe's fee and the net amount of a settled charge. */
export type Settlement = {
  /** Id of the balance transaction. */
  readonly id: string;
  readonly fee: Cents;
  readonly net: Cents;
  /** When the transaction changed the balance. */
  readonly settledAt: Date;
};

/** A successful charge. */
export type ChargeFacts = {
  readonly chargeId: string;
  readonly intentId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly chargedAt: Date;
  readonly settlement: Settlement | undefined;
};

/** A balance transaction for a gift, with Stripe's fee. */
export type BalanceChange = Omit<Settlement, 'net'> & {
  /** Amount before the fee; negative for money that left the balance. */
  readonly amount: Cents;
};

/** A refund. If pending, `withdrawal` shows whether its money has left the balance. */
export type RefundFacts = {
  readonly refundId: string;
  readonly amount: Cents;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly occurredAt: Date;
  /** The withdrawal from the balance; undefined until the balance covers it. */
  readonly withdrawal: BalanceChange | undefined;
  /** The credit to the balance after the refund failed. */
  readonly failedRefundCredit: BalanceChange | undefined;
  /** Reason and editor of a refund that was made here and not in Stripe's dashboard. */
  readonly reason: string | undefined;
  readonly actorId: string | undefined;
};

/**
 * A dispute. open: the disputed money is on hold. lost: also covers a dispute under appeal, because the money isn't
 * returned until the appeal is won. A bank's inquiry that withholds no money is not a dispute.
 */
export type DisputeFacts = {
  readonly disputeId: string;
  readonly amount: Cents;
  readonly status: 'open' | 'won' | 'lost';
  readonly occurredAt: Date;
  /** Oldest first; empty until money is withdrawn. Part or all of it can be returned, even after a lost dispute. */
  readonly balanceChanges: readonly BalanceChange[];
};

/** Facts about a dispute that editors need while it is open. */
export type DisputeNotice = {
  readonly chargeId: string;
  readonly amount: Cents;
  readonly openedAt: Date;
  /** Stripe's status, such as 'needs_response'. */
  readonly status: string;
  /** True if the bank only asks for information and doesn't withhold money. */
  readonly isInquiry: boolean;
  readonly isOpen: boolean;
  /** Undefined if the bank accepts no evidence. */
  readonly dueBy: Date | undefined;
};

/** A bank's warning that a payment may be fraud. */
export type FraudWarning = {
  readonly chargeId: string;
  readonly warnedAt: Date;
  /** True until the payment is disputed or fully refunded. */
  readonly isActionable: boolean;
};

/** A charge with all of its refunds and disputes. */
export type ChargeHistory = PaymentOrigin &
  Money & {
    readonly charge: ChargeFacts;
    readonly refunds: readonly RefundFacts[];
    readonly disputes: readonly DisputeFacts[];
  };

/** A failed charge. */
export type DeclineFacts = PaymentOrigin & {
  /** True for a card. Bank debits fail for other reasons. */
  readonly isCard: boolean;
  readonly declinedAt: Date;
  /** Invoice of a recurring gift, including the first one. */
  readonly invoiceId: string | undefined;
};

/** A recurring gift's invoice. */
export type InvoiceFacts = PaymentOrigin &
  Money &
  Payer & {
    readonly invoiceId: string;
    readonly subscriptionId: string | undefined;
    /** True for the first invoice, which belongs to the payment page. */
    readonly isFirst: boolean;
    readonly isPaid: boolean;
    /** Amount paid outside Stripe, such as by check, and recorded in Stripe manually. Not part of `amount`. */
    readonly paidOutsideStripe: Cents;
    /** Part of the amount that covers the card fee. */
    readonly coveredFee: Cents;
    readonly nextChargeAt: Date | undefined;
    readonly charge: ChargeFacts | undefined;
    readonly subscription: SubscriptionFacts | undefined;
    /** The last failed attempt to charge the card, while the invoice is unpaid. */
    readonly failure:
      | { readonly attempt: number; readonly amount: Cents; readonly retryAt: Date | undefined }
      | undefined;
  };

/** A recurring gift as read from Stripe. */
export type SubscriptionFacts = PaymentOrigin & {
  readonly subscriptionId: string;
  /** Key in the link to the recurring gift's page. */
  readonly giftKey: string | undefined;
  readonly livemode: boolean;
  readonly status: RecurringGiftStatus;
  /** Amount of each charge. */
  readonly amount: Cents;
  /** Part of the amount that covers the card fee. */
  readonly coveredFee: Cents;
  readonly interval: GiftInterval;
  /** For a gift that is past due, the next attempt to charge the card, if any. */
  readonly nextChargeAt: Date | undefined;
  /** When the gift ended; undefined while it can still be charged. */
  readonly endedAt: Date | undefined;
  /** True if the gift ended because its card couldn't be charged. */
  readonly hasEndedUnpaid: boolean;
};

/** An open or closed payment page, with the checkout data stored in Stripe. */
export type SessionSummary = PaymentOrigin &
  Money & {
    readonly sessionId: string;
    readonly userId: UserId | undefined;
    /** complete: submitted. A bank debit is paid days later. */
    readonly state: 'open' | 'complete' | 'expired';
    readonly isPaid: boolean;
    readonly openedAt: Date;
    /** Address of an open page. */
    readonly url: string | undefined;
    /** Undefined if no cart is stored in Stripe. */
    readonly cart: string | undefined;
    readonly tribute: Tribute | undefined;
    readonly coveredFee: CoveredFee;
    /** Language of the page, if the request specified one. */
    readonly language: string | undefined;
  };
