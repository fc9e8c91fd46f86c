import type { IncomingHttpHeaders } from 'node:http';
import type { GiftInterval } from '#domain/cart.ts';
import type { PaymentReport } from '#domain/checkout.ts';
import type { Day } from '#domain/days.ts';
import type { Failure } from '#domain/failures.ts';
import type { Cents } from '#domain/money.ts';
import type { GiftStatus } from '#domain/recurring-gift.ts';
import type { Origin } from './origin.ts';

/** One line of the hosted page. */
export type PaymentLine = {
  readonly name: string;
  readonly description: string;
  readonly amount: Cents;
  readonly recurring?: GiftInterval;
};

export type PaymentRequest = {
  readonly orgId: string;
  readonly orgName: string;
  readonly checkoutId: string;
  readonly lines: readonly PaymentLine[];
  /** Kept by the provider, so that the checkout can be rebuilt from its records. */
  readonly cart: string;
  /** Who was signed in; kept too. */
  readonly userId: string | undefined;
  /** Of the page of a recurring gift, kept too, so that links in mails outlive a restored backup. */
  readonly giftKey: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** At most 24 hours from now (decisions §3). */
  readonly expiresAt: Date;
};

export type OpenedPayment = { readonly sessionId: string; readonly url: string };

/** What was paid on a hosted page: a payment, or the first one of a recurring gift. */
export type PaidOnPage = { readonly intentId: string } | { readonly subscriptionId: string };

/** The provider's account of a payment: the only proof of it (decisions §3). */
export type PaymentFacts = {
  readonly sessionId: string;
  readonly origin: Origin;
  readonly livemode: boolean;
  /** As sent in the request. */
  readonly checkoutId: string | undefined;
  readonly orgId: string | undefined;
  /** open: the payer has not completed the hosted page. */
  readonly report: PaymentReport | 'open';
  readonly amount: Cents;
  readonly currency: string;
  /** The payment intent, or the first invoice of a recurring gift. */
  readonly paymentId: string | undefined;
  readonly customerId: string | undefined;
  readonly subscriptionId: string | undefined;
  /** Absent on recurring gifts of earlier versions. */
  readonly giftKey: string | undefined;
  /** When a recurring gift will be charged again. */
  readonly nextChargeAt: Date | undefined;
  readonly payerEmail: string | undefined;
  readonly payerName: string | undefined;
  /** Undefined until the provider has charged. */
  readonly charge: ChargeFacts | undefined;
};

/** What the provider keeps of a charge, once it has settled it. */
export type Settlement = {
  /** The provider's id of the movement on its balance. */
  readonly id: string;
  readonly fee: Cents;
  readonly net: Cents;
};

/** A charge that succeeded. */
export type ChargeFacts = {
  readonly chargeId: string;
  readonly intentId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly chargedAt: Date;
  readonly settlement: Settlement | undefined;
};

/** pending: on its way to the donor, and already taken from the fund's balance. */
export type RefundFacts = {
  readonly refundId: string;
  readonly amount: Cents;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly at: Date;
  /** Why, and by which editor, if it was made here and not at the provider. */
  readonly reason: string | undefined;
  readonly actorId: string | undefined;
};

/** Names a charge by what is known of it. An earlier version knew only the intent or the invoice. */
export type ChargeName = Partial<Pick<ChargeFacts, 'chargeId' | 'intentId' | 'invoiceId'>>;

export type RefundRequest = {
  readonly charge: ChargeName;
  /** By default all that is left. */
  readonly amount: Cents | undefined;
  readonly reason: string;
  readonly actorId: string;
  /** The same key again is the same refund. */
  readonly key: string;
};

/** open: the money is held back. A question by the bank that holds back nothing is no dispute. */
export type DisputeFacts = {
  readonly disputeId: string;
  readonly amount: Cents;
  readonly status: 'open' | 'won' | 'lost';
  readonly at: Date;
  /** What the provider took for it, each by its movement on the balance. */
  readonly settlements: readonly Settlement[];
};

/** All that became of a charge. */
export type ChargeStory = {
  readonly charge: ChargeFacts;
  readonly amount: Cents;
  readonly currency: string;
  readonly livemode: boolean;
  readonly origin: Origin;
  readonly orgId: string | undefined;
  readonly checkoutId: string | undefined;
  readonly refunds: readonly RefundFacts[];
  readonly disputes: readonly DisputeFacts[];
};

/** An invoice of a recurring gift. */
export type InvoiceFacts = {
  readonly invoiceId: string;
  readonly subscriptionId: string | undefined;
  /** Whether it is the first one, which belongs to the payment page. */
  readonly isFirst: boolean;
  readonly isPaid: boolean;
  readonly amount: Cents;
  readonly currency: string;
  readonly livemode: boolean;
  readonly origin: Origin;
  readonly orgId: string | undefined;
  readonly checkoutId: string | undefined;
  readonly nextChargeAt: Date | undefined;
  readonly payerEmail: string | undefined;
  readonly payerName: string | undefined;
  readonly charge: ChargeFacts | undefined;
  readonly subscription: SubscriptionFacts | undefined;
  /** Set while it is unpaid, and its card was tried and not charged. */
  readonly failure:
    | { readonly attempt: number; readonly amount: Cents; readonly retryAt: Date | undefined }
    | undefined;
};

/** What the provider says of a recurring gift. */
export type SubscriptionFacts = {
  readonly subscriptionId: string;
  readonly giftKey: string | undefined;
  readonly origin: Origin;
  readonly livemode: boolean;
  readonly orgId: string | undefined;
  readonly checkoutId: string | undefined;
  readonly status: GiftStatus;
  /** Each time. */
  readonly amount: Cents;
  readonly interval: GiftInterval;
  /** Of a gift that is past due: when the card will be tried again, if it will. */
  readonly nextChargeAt: Date | undefined;
  /** Once it has ended for good. */
  readonly endedAt: Date | undefined;
  /** Whether it ended because its card could not be charged. */
  readonly endedUnpaid: boolean;
};

export type GiftChange =
  | { readonly paused: boolean }
  /** Without an amount, what is given each time stays as it is. */
  | { readonly amount: Cents | undefined; readonly interval: GiftInterval };

/**
 * What moved the provider's balance. returned-payout: money of a payout that failed. account: the account's own fees, and
 * whatever else is of no payment.
 */
export type PayoutMovementKind = 'payment' | 'refund' | 'dispute' | 'returned-payout' | 'account';

export type PayoutMovement = {
  readonly movementId: string;
  readonly kind: PayoutMovementKind;
  /** The charge, refund, dispute or payout. */
  readonly sourceId: string | undefined;
  readonly chargeId: string | undefined;
  /** Whether the charge is another installation's. */
  readonly isForeign: boolean;
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
  /** Undefined while the provider puts it together. */
  readonly contents: readonly PayoutMovement[] | undefined;
};

export type ListedPayout = Pick<PayoutFacts, 'payoutId' | 'status'> & {
  /** Whether the provider says what is in it. */
  readonly complete: boolean;
};

/** A payment page that was opened once, with what the provider kept of its checkout. */
export type PastSession = Pick<
  PaymentFacts,
  'sessionId' | 'origin' | 'livemode' | 'orgId' | 'checkoutId' | 'amount' | 'currency'
> & {
  readonly userId: string | undefined;
  /** complete: submitted, which a bank debit is days before it is paid. */
  readonly state: 'open' | 'complete' | 'expired';
  readonly openedAt: Date;
  /** Of an open page. */
  readonly url: string | undefined;
  /** Absent on pages of earlier versions. */
  readonly cart: string | undefined;
};

/** A movement of money on the account's balance at the provider. */
export type BalanceMovement = {
  readonly id: string;
  /** other: one that the books have no entry for, such as a bill of the provider's. */
  readonly kind: 'charge' | 'refund' | 'refund-failed' | 'dispute' | 'dispute-won' | 'payout' | 'other';
  /** The provider's word for it. */
  readonly type: string;
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

/** What an event is about. */
export type SubjectKind = 'session' | 'charge' | 'invoice' | 'subscription' | 'payout';
export type Subject = { readonly kind: SubjectKind; readonly id: string };

/** Only the ids are trusted; the facts are read from the provider. */
export type ProviderEvent = {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** Absent on the events of the account itself. */
  readonly account: string | undefined;
  readonly livemode: boolean;
  /** Undefined for a type that this version does not handle. */
  readonly subject: Subject | undefined;
  /** The event as sent, in JSON. */
  readonly payload: string;
};

/** The card payment provider: Stripe, or the sandbox with the same API. */
export type Payments = {
  /** The event types that this version handles. */
  readonly eventTypes: readonly string[];
  /** Idempotent for a checkout. @returns Failure payment-unavailable */
  open(request: PaymentRequest): Promise<OpenedPayment | Failure>;
  /** @returns unknown if the provider has no such session; Failure payment-unavailable */
  read(sessionId: string): Promise<PaymentFacts | 'unknown' | Failure>;
  /** Reads all payment pages that were ever opened, in pages, the newest first. @returns Failure payment-unavailable */
  listSessions(onPage: (sessions: readonly PastSession[]) => Promise<void>): Promise<'listed' | Failure>;
  /** The lines of a payment page. @returns Failure payment-unavailable */
  readLines(sessionId: string): Promise<readonly PaymentLine[] | Failure>;
  /** Reads all movements on the balance, in pages, the newest first. @returns Failure payment-unavailable */
  listMovements(onPage: (movements: readonly BalanceMovement[]) => Promise<void>): Promise<'listed' | Failure>;
  /** @returns the hosted page of a payment, unknown if it has none; Failure payment-unavailable */
  findPage(paid: PaidOnPage): Promise<Pick<OpenedPayment, 'sessionId'> | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such charge; Failure payment-unavailable */
  readCharge(chargeId: string): Promise<ChargeStory | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such invoice; Failure payment-unavailable */
  readInvoice(invoiceId: string): Promise<InvoiceFacts | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such recurring gift; Failure payment-unavailable */
  readSubscription(subscriptionId: string): Promise<SubscriptionFacts | 'unknown' | Failure>;
  /** With what is in it. @returns unknown if the provider has no such payout; Failure payment-unavailable */
  readPayout(payoutId: string): Promise<PayoutFacts | 'unknown' | Failure>;
  /** @param since by default all, the oldest first @returns Failure payment-unavailable */
  listPayouts(since?: Date): Promise<readonly ListedPayout[] | Failure>;
  /**
   * Refunds a charge, or a part of it. Idempotent for a key.
   * @returns the charge; Failure payment-unavailable when it is not known whether it was refunded; Failure
   *   refund-too-much, refund-disputed, refund-changed or refund-refused when it was not
   */
  refund(request: RefundRequest): Promise<Pick<ChargeFacts, 'chargeId'> | Failure>;
  /** Closes a hosted page, if it is open. @returns Failure payment-unavailable */
  close(sessionId: string): Promise<'closed' | Failure>;
  /** Ends a recurring gift, if it has not ended. @returns Failure payment-unavailable */
  cancelSubscription(subscriptionId: string): Promise<'ended' | Failure>;
  /** Changes a recurring gift; nothing is charged before the next charge. @returns Failure payment-unavailable */
  changeSubscription(subscriptionId: string, change: GiftChange): Promise<SubscriptionFacts | 'ended' | Failure>;
  /** @returns the address of the provider's page for another card, which leads back; Failure payment-unavailable */
  openCardPage(subscriptionId: string, returnUrl: string): Promise<{ readonly url: string } | 'ended' | Failure>;
  /** @returns Failure webhook-signature when the signature is wrong, too old or from the future */
  eventOf(rawBody: Buffer, headers: IncomingHttpHeaders): ProviderEvent | Failure;
  /** @param payload of an event that was stored whole */
  subjectOf(payload: object): Subject | undefined;
  /**
   * Reads the events of these types, delivered or not, in pages, the newest first.
   * @returns Failure payment-unavailable
   */
  listEvents(since: Date, onPage: (events: readonly ProviderEvent[]) => Promise<void>): Promise<'listed' | Failure>;
};
