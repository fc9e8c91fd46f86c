import Stripe from 'stripe';
import { Failure } from '#domain/failures.ts';

/** Something else than Stripe answered: a proxy's error page, say. */
export class UnusableAnswer extends Error {}

/** The SDK takes an answer with an error status for a success when its JSON has no `error` in it. */
export function proven(session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session?.object !== 'checkout.session' || typeof session.id !== 'string') throw new UnusableAnswer();
  return session;
}

/**
 * The answer, or Failure payment-unavailable when asking again later may help.
 * @throws when Stripe refused the request itself, without Stripe's own words, which may repeat what was sent
 */
export async function answered<T>(ask: () => Promise<T>): Promise<T | Failure> {
  try {
    return await ask();
  } catch (error) {
    if (isPassing(error)) return new Failure('payment-unavailable');
    if (error instanceof Stripe.errors.StripeError) throw new Error(refusalOf(error));
    throw error;
  }
}

function isPassing(error: unknown): boolean {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
  return (
    error instanceof UnusableAnswer ||
    error instanceof StripeConnectionError ||
    error instanceof StripeAPIError ||
    error instanceof StripeRateLimitError
  );
}

function refusalOf({
  type,
  code,
  param,
  statusCode,
  requestId,
}: InstanceType<typeof Stripe.errors.StripeError>): string {
  const details = { type, code, param, statusCode, requestId };
  return `The payment provider refused a request: ${JSON.stringify(details)}`;
}
