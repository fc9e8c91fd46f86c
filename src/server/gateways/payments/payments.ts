import type { IncomingHttpHeaders } from 'node:http';
import type { CoveredFee } from '#domain/card-fee.ts';
import type { GiftInterval } from '#domain/cart.ts';
import type { Failure } from '#domain/failures.ts';
import type { CheckoutId, OrgId, UserId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { Tribute } from '#domain/tribute.ts';
import type { Language } from '#messages';
import type { BalanceMovement, ListedPayout, PayoutFacts } from './balance-facts.ts';
import type {
  ChargeFacts,
  ChargeHistory,
  DeclineFacts,
  DisputeNotice,
  FraudWarning,
  InvoiceFacts,
  PaymentFacts,
  SessionSummary,
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
  readonly orgId: OrgId;
  readonly orgName: string;
  readonly checkoutId: CheckoutId;
  readonly lines: readonly PaymentLine[];
  // The provider stores the cart, the covered fee, the user, the tribute, and the gift's key, from which `recover` can
  // rebuild a lost checkout.
  readonly cart: string;
  /** Part of the lines' amounts that covers the card fee; defaults to none. */
  readonly coveredFee?: CoveredFee;
  /** The signed-in payer. */
  readonly userId: UserId | undefined;
  readonly tribute?: Tribute | undefined;
  /**
   * Key in the link to a recurring gift's page. The provider stores it, so that links in emails still work after an
   * older backup is restored.
   */
  readonly giftKey: string;
  /** Language of the hosted page; defaults to the browser's. */
  readonly language?: Language;
  /** Text next to the pay button, unless empty. */
  readonly notice?: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** At most 24 hours from now (decisions §3). */
  readonly expiresAt: Date;
};

export type CreatedSession = { readonly sessionId: string; readonly url: string };

/** The object that was paid on a hosted page: a one-time payment or a recurring gift. */
export type SessionPayment = { readonly intentId: string } | { readonly subscriptionId: string };

/** Identifies a charge by any known id. Initially, only the id of the intent or the invoice may be known. */
export type ChargeIds = Partial<Pick<ChargeFacts, 'chargeId' | 'intentId' | 'invoiceId'>>;

export type RefundRequest = {
  readonly charge: ChargeIds;
  /** Defaults to the full remaining amount. */
  readonly amount: Cents | undefined;
  readonly reason: string;
  readonly actorId: string;
  /** Idempotency key: requests with the same key make one refund. */
  readonly key: string;
};

export type SubscriptionChange =
  | { readonly paused: boolean }
  /** If `terms` is undefined, the recurring amount doesn't change. */
  | { readonly terms: RecurringTerms | undefined; readonly interval: GiftInterval };

/** Amount of each charge, and the part of it that covers the card fee. */
export type RecurringTerms = { readonly amount: Cents; readonly coveredFee: Cents };

/** Kind of object that an event reports. */
export type SubjectKind =
  | 'session'
  | 'charge'
  | 'dispute'
  | 'fraud-warning'
  | 'decline'
  | 'invoice'
  | 'subscription'
  | 'payout';

/** The amount and ids in an event, which are never trusted. */
export type UnverifiedMoney = {
  readonly amount: Cents;
  readonly currency: string;
  readonly orgId?: OrgId | undefined;
  readonly checkoutId?: CheckoutId | undefined;
};

export type Subject = { readonly kind: SubjectKind; readonly id: string };

/** An event from the provider. Only its ids are trusted; everything else is read from the provider. */
export type ProviderEvent = {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** Undefined for events of the account itself. */
  readonly account: string | undefined;
  readonly livemode: boolean;
  /** Undefined for a type that this version doesn't handle. */
  readonly subject: Subject | undefined;
  /** The original JSON of the event. */
  readonly payload: string;
};

/** The card payment provider: Stripe, or the sandbox with the same API. */
export type Payments = {
  /** Event types that this version handles. */
  readonly eventTypes: readonly string[];
  /** Idempotent for a checkout. @returns Failure payment-unavailable, clock-wrong */
  createSession(request: PaymentRequest): Promise<CreatedSession | Failure>;
  /** @returns unknown if the provider has no such session; Failure payment-unavailable */
  readSession(sessionId: string): Promise<PaymentFacts | 'unknown' | Failure>;
  /** Lists all payment pages that were ever opened, newest first, in batches. @returns Failure payment-unavailable */
  listSessions(onPage: (sessions: readonly SessionSummary[]) => Promise<void>): Promise<'complete' | Failure>;
  /** Reads the lines of a payment page. @returns Failure payment-unavailable */
  readSessionLines(sessionId: string): Promise<readonly PaymentLine[] | Failure>;
  /**
   * Lists the balance transactions, newest first, in batches.
   * @param since defaults to the beginning
   * @returns Failure payment-unavailable
   */
  listMovements(
    onPage: (movements: readonly BalanceMovement[]) => Promise<void>,
    since?: Date,
  ): Promise<'complete' | Failure>;
  /** Finds the hosted page of a payment. @returns unknown if it has none; Failure payment-unavailable */
  findSession(payment: SessionPayment): Promise<Pick<CreatedSession, 'sessionId'> | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such charge; Failure payment-unavailable */
  readCharge(chargeId: string): Promise<ChargeHistory | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such dispute; Failure payment-unavailable */
  readDispute(disputeId: string): Promise<DisputeNotice | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such warning; Failure payment-unavailable */
  readFraudWarning(warningId: string): Promise<FraudWarning | 'unknown' | Failure>;
  /** Reads a failed charge. @returns unknown if the provider has no such charge; Failure payment-unavailable */
  readDecline(chargeId: string): Promise<DeclineFacts | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such invoice; Failure payment-unavailable */
  readInvoice(invoiceId: string): Promise<InvoiceFacts | 'unknown' | Failure>;
  /** @returns unknown if the provider has no such recurring gift; Failure payment-unavailable */
  readSubscription(subscriptionId: string): Promise<SubscriptionFacts | 'unknown' | Failure>;
  /** Reads a payout with its contents. @returns unknown if the provider has no such payout; Failure payment-unavailable */
  readPayout(payoutId: string): Promise<PayoutFacts | 'unknown' | Failure>;
  /** Lists payouts, oldest first. @param since defaults to the beginning @returns Failure payment-unavailable */
  listPayouts(since?: Date): Promise<readonly ListedPayout[] | Failure>;
  /**
   * Refunds a charge in full or in part. Idempotent for a key.
   * @returns the charge; Failure payment-unavailable if the refund may or may not have happened; Failure refund-too-much,
   * refund-disputed, refund-changed, or refund-rejected if it didn't
   */
  refund(request: RefundRequest): Promise<Pick<ChargeFacts, 'chargeId'> | Failure>;
  /** Closes a hosted page unless it is closed already. @returns Failure payment-unavailable */
  closeSession(sessionId: string): Promise<'closed' | Failure>;
  /** Ends a recurring gift unless it has ended already. @returns Failure payment-unavailable */
  cancelSubscription(subscriptionId: string): Promise<'ended' | Failure>;
  /** Changes a recurring gift, starting with its next charge. @returns Failure payment-unavailable */
  changeSubscription(
    subscriptionId: string,
    change: SubscriptionChange,
  ): Promise<SubscriptionFacts | 'ended' | Failure>;
  /** Opens the provider's page for changing the card, which returns to our site. @returns Failure payment-unavailable */
  openCardPage(
    subscriptionId: string,
    options: { readonly returnUrl: string; readonly language: Language },
  ): Promise<{ readonly url: string } | 'ended' | Failure>;
  /**
   * @returns Failure webhook-signature if the signature is wrong; webhook-time if it is too old, or from the future, by
   * this machine's clock
   */
  verifyEvent(rawBody: Buffer, headers: IncomingHttpHeaders): ProviderEvent | Failure;
  /** @param payload the stored payload of an event */
  getSubject(payload: object): Subject | undefined;
  /** Returns the amount in the event itself. It helps people find the payment, but is never trusted. */
  getUnverifiedMoney(payload: object): UnverifiedMoney | undefined;
  /** Returns the payment page in the event itself. It is unverified, because our account doesn't have the page. */
  getUnverifiedSession(payload: object): PaymentFacts | undefined;
  /**
   * Lists the events of the handled types, delivered or not, in batches.
   * @returns Failure payment-unavailable
   */
  listEvents(since: Date, onPage: (events: readonly ProviderEvent[]) => Promise<void>): Promise<'complete' | Failure>;
  /** Milliseconds that this machine's clock is ahead of the provider's; undefined if unknown. */
  clockLeadMs(): number | undefined;
};
