import type { PaymentReport } from '#domain/checkout.ts';
import type { Failure } from '#domain/failures.ts';
import type { Cents } from '#domain/money.ts';

/** One line of the hosted page. */
export type PaymentLine = {
  readonly name: string;
  readonly description: string;
  readonly amount: Cents;
  readonly recurring?: { readonly unit: 'month' | 'year'; readonly count: number };
};

export type PaymentRequest = {
  readonly orgId: string;
  readonly orgName: string;
  readonly checkoutId: string;
  readonly lines: readonly PaymentLine[];
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** When the hosted page closes: at most 24 hours from now (decisions §3). */
  readonly expiresAt: Date;
};

export type OpenedPayment = { readonly sessionId: string; readonly url: string };

/** What the provider says of a payment when asked: the only proof there is (decisions §3). */
export type PaymentFacts = {
  readonly sessionId: string;
  /** Which checkout and organisation the provider was told that it is for. */
  readonly checkoutId: string | undefined;
  readonly orgId: string | undefined;
  /** open: the hosted page still waits for the payer. */
  readonly report: PaymentReport | 'open';
  readonly amount: Cents;
  readonly currency: string;
  /** What was paid: the payment intent, or the first invoice of a recurring gift. */
  readonly paymentId: string | undefined;
  readonly customerId: string | undefined;
  readonly subscriptionId: string | undefined;
  /** When a recurring gift will be charged again. */
  readonly nextChargeAt: Date | undefined;
  readonly payerEmail: string | undefined;
  readonly payerName: string | undefined;
};

/** A report of the provider. Only its ids are trusted; the truth is read again by `read`. */
export type ProviderEvent = {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** The session it is about, where it is about one. */
  readonly sessionId: string | undefined;
};

/** The card payment provider: Stripe, or the sandbox that speaks Stripe's language. */
export type Payments = {
  /** Opens a hosted page. The same checkout never opens two. @returns Failure payment-unavailable */
  open(request: PaymentRequest): Promise<OpenedPayment | Failure>;
  /** What the provider says now. @returns Failure payment-unavailable */
  read(sessionId: string): Promise<PaymentFacts | Failure>;
  /** Closes a hosted page, so that nobody can pay there any more; one that is closed is fine. @returns Failure payment-unavailable */
  close(sessionId: string): Promise<'closed' | Failure>;
  /** Ends a recurring gift, so that nothing is charged again; one that has ended already is fine. @returns Failure payment-unavailable */
  cancelSubscription(subscriptionId: string): Promise<'ended' | Failure>;
  /** The event in a delivered webhook. @returns Failure webhook-signature when it isn't the provider's, or is too old or from the future */
  eventOf(rawBody: Buffer, signature: string | undefined): ProviderEvent | Failure;
  /** The provider's events since then, oldest first, delivered or not. */
  eventsSince(since: Date): Promise<readonly ProviderEvent[] | Failure>;
};
