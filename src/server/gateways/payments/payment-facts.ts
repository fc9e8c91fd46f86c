import type { CoveredFee } from '#domain/card-fee.ts';
import type { GiftInterval } from '#domain/cart.ts';
import type { PaymentReport } from '#domain/checkout.ts';
import type { Cents } from '#domain/money.ts';
import type { GiftStatus } from '#domain/recurring-gift.ts';
import type { Tribute } from '#domain/tribute.ts';
import type { Marks } from './origin.ts';

type Money = { readonly amount: Cents; readonly currency: string; readonly livemode: boolean };
type Payer = { readonly payerEmail: string | undefined; readonly payerName: string | undefined };

/** The provider's account of a payment: the only proof of it (decisions §3). */
export type PaymentFacts = Marks &
  Money &
  Payer & {
    readonly sessionId: string;
    /** open: the payer has not completed the hosted page. */
    readonly report: PaymentReport | 'open';
    /** The payment intent, or the first invoice of a recurring gift. */
    readonly paymentId: string | undefined;
    readonly customerId: string | undefined;
    readonly subscriptionId: string | undefined;
    readonly giftKey: string | undefined;
    /** When a recurring gift will be charged again. */
    readonly nextChargeAt: Date | undefined;
    /** Undefined until the provider has charged. */
    readonly charge: ChargeFacts | undefined;
  };

/** What the provider keeps of a charge, once it has settled it. */
export type Settlement = {
  /** The provider's id of the movement on its balance. */
  readonly id: string;
  readonly fee: Cents;
  readonly net: Cents;
  /** When it changed the balance. */
  readonly at: Date;
};

/** A charge that succeeded. */
export type ChargeFacts = {
  readonly chargeId: string;
  readonly intentId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly chargedAt: Date;
  readonly settlement: Settlement | undefined;
};

/** A movement of money on the balance: what happened to the gift's money, and what the provider took for it. */
export type BalanceChange = Omit<Settlement, 'net'> & {
  /** Negative when it left the balance; without the fee. */
  readonly amount: Cents;
};

/** pending: on its way to the donor. It may have left the balance or not, as its movements say. */
export type RefundFacts = {
  readonly refundId: string;
  readonly amount: Cents;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly at: Date;
  /** Undefined while it waits for money on the balance. */
  readonly left: BalanceChange | undefined;
  /** Of a refund that failed. */
  readonly cameBack: BalanceChange | undefined;
  /** Why, and by which editor, if it was made here and not at the provider. */
  readonly reason: string | undefined;
  readonly actorId: string | undefined;
};

/**
 * open: what was taken is held back. lost also stands for an appeal, since the money is gone until it is won. An inquiry by
 * the bank that takes nothing is not a dispute.
 */
export type DisputeFacts = {
  readonly disputeId: string;
  readonly amount: Cents;
  readonly status: 'open' | 'won' | 'lost';
  readonly at: Date;
  /** The oldest first: none while nothing was taken yet; a dispute can also give back a part, or all after it was lost. */
  readonly movements: readonly BalanceChange[];
};

/** What people must know of a dispute while it is open. */
export type DisputeNotice = {
  readonly chargeId: string;
  readonly amount: Cents;
  readonly at: Date;
  /** The provider's word, such as 'needs_response'. */
  readonly status: string;
  /** Whether the bank only asks, and holds back no money. */
  readonly isInquiry: boolean;
  readonly isOpen: boolean;
  /** Undefined if the bank takes no evidence. */
  readonly dueBy: Date | undefined;
};

/** A bank's warning that a payment may be fraud. */
export type FraudWarning = {
  readonly chargeId: string;
  readonly at: Date;
  /** Until the payment is disputed or fully refunded. */
  readonly isActionable: boolean;
};

/** All that became of a charge. */
export type ChargeStory = Marks &
  Money & {
    readonly charge: ChargeFacts;
    readonly refunds: readonly RefundFacts[];
    readonly disputes: readonly DisputeFacts[];
  };

/** A charge that was not made. */
export type DeclineFacts = Marks & {
  /** Whether it was tried on a card: a bank debit comes back for other reasons. */
  readonly isCard: boolean;
  readonly at: Date;
  /** Of a recurring gift, also of its first payment. */
  readonly invoiceId: string | undefined;
};

/** An invoice of a recurring gift. */
export type InvoiceFacts = Marks &
  Money &
  Payer & {
    readonly invoiceId: string;
    readonly subscriptionId: string | undefined;
    /** Whether it is the first one, which belongs to the payment page. */
    readonly isFirst: boolean;
    readonly isPaid: boolean;
    /** Paid on top of the amount, but not through the provider: someone marked it as paid there. */
    readonly paidOutside: Cents;
    /** Of the amount: what the donor added to cover the card fee. */
    readonly coveredFee: Cents;
    readonly nextChargeAt: Date | undefined;
    readonly charge: ChargeFacts | undefined;
    readonly subscription: SubscriptionFacts | undefined;
    /** Set while it is unpaid, and its card was tried and not charged. */
    readonly failure:
      | { readonly attempt: number; readonly amount: Cents; readonly retryAt: Date | undefined }
      | undefined;
  };

/** What the provider says of a recurring gift. */
export type SubscriptionFacts = Marks & {
  readonly subscriptionId: string;
  readonly giftKey: string | undefined;
  readonly livemode: boolean;
  readonly status: GiftStatus;
  /** Each time. */
  readonly amount: Cents;
  /** Of the amount: what the donor added to cover the card fee. */
  readonly coveredFee: Cents;
  readonly interval: GiftInterval;
  /** Of a gift that is past due: when the card will be tried again, if it will. */
  readonly nextChargeAt: Date | undefined;
  /** Once it has ended for good. */
  readonly endedAt: Date | undefined;
  /** Whether it ended because its card could not be charged. */
  readonly endedUnpaid: boolean;
};

/** A payment page that was opened once, with what the provider kept of its checkout. */
export type PastSession = Marks &
  Money & {
    readonly sessionId: string;
    readonly userId: string | undefined;
    /** complete: submitted, which a bank debit is days before it is paid. */
    readonly state: 'open' | 'complete' | 'expired';
    readonly isPaid: boolean;
    readonly openedAt: Date;
    /** Of an open page. */
    readonly url: string | undefined;
    /** Absent if the provider didn't keep it whole. */
    readonly cart: string | undefined;
    readonly tribute: Tribute | undefined;
    readonly coveredFee: CoveredFee;
    /** Of the page, if another than the browser’s was asked for. */
    readonly language: string | undefined;
  };
