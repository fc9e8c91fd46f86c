import type { StripeConfig } from '#server/config.ts';
import type { Metrics } from '#server/process/metrics.ts';
import type { Payments } from './payments.ts';
import { createStripePayments } from './stripe-payments.ts';

type Options = {
  /** Id that marks the payments of this installation. */
  readonly installation: string;
  readonly now: () => Date;
  readonly metrics?: Pick<Metrics, 'serviceCall'>;
  /** Address of the sandbox, and the secret that signs its events. */
  readonly sandbox: { readonly address: () => string; readonly webhookSecret: string };
};

/** Returns Stripe, or the sandbox if there is no key. */
export function createPayments(stripe: StripeConfig, { sandbox, ...options }: Options): Payments {
  if (stripe.kind === 'stripe') {
    const { apiBase } = stripe;
    return createStripePayments({ ...options, ...stripe, apiBase: () => apiBase });
  }
  const { address: apiBase, webhookSecret } = sandbox;
  return createStripePayments({ ...options, secretKey: 'sk_test_sandbox', webhookSecret, apiBase });
}
