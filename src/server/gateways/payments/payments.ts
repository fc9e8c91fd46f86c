import type { IncomingHttpHeaders } from 'node:http';
import type { CoveredFee } from '#domain/card-fee.ts';
import type { GiftInterval } from '#domain/cart.ts';
import type { Failure } from '#domain/failures.ts';
import type { Cents } from '#domain/money.ts';
import type { Tribute } from '#domain/tribute.ts';
import type { Language } from '#messages';
import type { BalanceMovement, ListedPayout, PayoutFacts } from './balance-facts.ts';
import type {
  ChargeFacts,
  ChargeStory,
  DeclineFacts,
  DisputeNotice,
  FraudWarning,
  InvoiceFacts,
  PastSession,
  PaymentFacts,
  SubscriptionFacts,
} from './payment-facts.ts';

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
  /** In the lines; kept too. By default nothing. */
  readonly coveredFee?: CoveredFee;
  /** Who was signed in; kept too. */
  readonly userId: string | undefined;
  /** In whose honor or memory it is; kept too. */
  readonly tribute?: Tribute | undefined;
  /** Of the page of a recurring gift, kept too, so that links in mails outlive a restored backup. */
  readonly giftKey: string;
  /** Of its page, which is by default in that of the browser. */
  readonly language?: Language;
  /** Shown beside the button that pays; nothing where it is empty. */
  readonly notice?: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** At most 24 hours from now (decisions §3). */
  readonly expiresAt: Date;
};

export type OpenedPayment = { readonly sessionId: string; readonly url: string };

/** What was paid on a hosted page: a payment, or the first one of a recurring gift. */
export type PaidOnPage = { readonly intentId: string } | { readonly subscriptionId: string };

/** Names a charge by what is known of it: at first that may be only the intent or the invoice. */
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

export type GiftChange =
  | { readonly paused: boolean }
  /** Without terms, what is given each time stays as it is. */
  | { readonly terms: GiftTerms | undefined; readonly interval: GiftInterval };

/** What is charged each time, and how much of that covers the card fee. */
export type GiftTerms = { readonly amount: Cents; readonly coveredFee: Cents };

/** What an event is about. */
export type SubjectKind =
  | 'session'
  | 'charge'
  | 'dispute'
  | 'fraud-warning'
  | 'decline'
  | 'invoice'
  | 'subscription'
  | 'payout';

export type ClaimedMoney = {
  readonly amount: Cents;
  readonly currency: string;
  /** Empty if the event names none. */
  readonly orgId: string;
  readonly checkoutId: string;
};

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
  /** Reads the movements on the balance, by default all, in pages, the newest first. @returns Failure payment-unavailable */
  listMovements(
    onPage: (movements: readonly BalanceMovement[]) => Promise<void>,
    since?: Date,
  ): Promise<'listed' | Failure>;
  /** @returns the hosted page of a payment, unknown if it has none; Failure payment-unavailable */
  findPage(paid: PaidOnPage): Promise<Pick<OpenedPayment, 'sessionId'> | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such charge; Failure payment-unavailable */
  readCharge(chargeId: string): Promise<ChargeStory | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such dispute; Failure payment-unavailable */
  readDispute(disputeId: string): Promise<DisputeNotice | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such warning; Failure payment-unavailable */
  readFraudWarning(warningId: string): Promise<FraudWarning | 'unknown' | Failure>;
  /** A charge that failed. @returns unknown if the provider has no such charge; Failure payment-unavailable */
  readDecline(chargeId: string): Promise<DeclineFacts | 'unknown' | Failure>;
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
  openCardPage(
    subscriptionId: string,
    /** `language` is that of the page. */
    visit: { readonly returnUrl: string; readonly language: Language },
  ): Promise<{ readonly url: string } | 'ended' | Failure>;
  /** @returns Failure webhook-signature when the signature is wrong, too old or from the future */
  eventOf(rawBody: Buffer, headers: IncomingHttpHeaders): ProviderEvent | Failure;
  /** @param payload of an event that was stored whole */
  subjectOf(payload: object): Subject | undefined;
  /** Money that an event itself names, so that a person can find it; no proof of anything. */
  moneyOf(payload: object): ClaimedMoney | undefined;
  /** What an event itself says of a payment page: a claim, where the provider's account does not know the page. */
  claimOf(payload: object): PaymentFacts | undefined;
  /**
   * Reads the events of these types, delivered or not, in pages, the newest first.
   * @returns Failure payment-unavailable
   */
  listEvents(since: Date, onPage: (events: readonly ProviderEvent[]) => Promise<void>): Promise<'listed' | Failure>;
};
