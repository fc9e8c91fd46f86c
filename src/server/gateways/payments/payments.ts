import type { IncomingHttpHeaders } from 'node:http';
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
  /** At most 24 hours from now (decisions §3). */
  readonly expiresAt: Date;
};

export type OpenedPayment = { readonly sessionId: string; readonly url: string };

/** The provider's account of a payment: the only proof of it (decisions §3). */
export type PaymentFacts = {
  readonly sessionId: string;
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
  /** When a recurring gift will be charged again. */
  readonly nextChargeAt: Date | undefined;
  readonly payerEmail: string | undefined;
  readonly payerName: string | undefined;
};

/** Only the ids are trusted; `read` gets the facts. */
export type ProviderEvent = {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly sessionId: string | undefined;
};

/** The card payment provider: Stripe, or the sandbox with the same API. */
export type Payments = {
  /** Idempotent for a checkout. @returns Failure payment-unavailable */
  open(request: PaymentRequest): Promise<OpenedPayment | Failure>;
  /** @returns Failure payment-unavailable */
  read(sessionId: string): Promise<PaymentFacts | Failure>;
  /** Closes a hosted page, if it is open. @returns Failure payment-unavailable */
  close(sessionId: string): Promise<'closed' | Failure>;
  /** Ends a recurring gift, if it has not ended. @returns Failure payment-unavailable */
  cancelSubscription(subscriptionId: string): Promise<'ended' | Failure>;
  /** @returns Failure webhook-signature when the signature is wrong, too old or from the future */
  eventOf(rawBody: Buffer, headers: IncomingHttpHeaders): ProviderEvent | Failure;
  /** Oldest first, whether delivered or not. */
  eventsSince(since: Date): Promise<readonly ProviderEvent[] | Failure>;
};
