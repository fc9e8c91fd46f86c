import type { StripeConfig } from '#server/config.ts';
import type { Payments } from './payments.ts';
import { stripePayments } from './stripe-payments.ts';

type Options = {
  /** Id that marks the payments of this installation. */
  readonly installation: string;
  readonly now: () => Date;
  /** Address of the sandbox, and the secret that signs its events. */
  readonly sandbox: { readonly address: () => string; readonly webhookSecret: string };
};

/** Returns Stripe, or the sandbox if there is no key. */
export function pickPayments(stripe: StripeConfig, { installation, now, sandbox }: Options): Payments {
  if (stripe.kind === 'stripe') {
    const { apiBase } = stripe;
    return stripePayments({ ...stripe, installation, apiBase: () => apiBase, now });
  }
  const { address: apiBase, webhookSecret } = sandbox;
  return stripePayments({ secretKey: 'sk_test_sandbox', webhookSecret, installation, apiBase, now });
}
