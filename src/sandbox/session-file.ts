import type Stripe from 'stripe';
import type { Instrument, Payer } from './payer.ts';

/** What the provider keeps about a session and does not tell. Its id is the session's. */
export type SessionFile = {
  readonly id: string;
  readonly request: Stripe.Checkout.SessionCreateParams;
  readonly lines: readonly Stripe.LineItem[];
  /** The payment intent of the attempts so far. In subscription mode the session itself does not name it. */
  readonly payment_intent: string | null;
  /** A payment that waits for the payer to authenticate it. */
  readonly authenticating: { readonly payer: Payer; readonly instrument: Instrument } | null;
};
