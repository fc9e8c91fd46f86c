import Stripe from 'stripe';
import { Failure } from '#domain/failures.ts';

/** A response that is not from Stripe's API, such as the error page of a proxy. */
export class UnusableResponseError extends Error {}

/**
 * @returns Failure payment-unavailable on temporary errors, and if Stripe rejects our key, which the operator can fix; Failure
 * clock-wrong if a payment page would expire too early or too late by Stripe's clock
 * @throws if Stripe rejects the request; without Stripe's message, which may repeat our data
 */
export async function catchStripeErrors<T>(request: () => Promise<T>): Promise<T | Failure> {
  try {
    return await request();
  } catch (error) {
    if (isTemporary(error)) return new Failure('payment-unavailable');
    if (isExpiryRejected(error)) return new Failure('clock-wrong');
    if (isKeyRejected(error))
      return new Failure('payment-unavailable', { reason: 'Stripe rejected STRIPE_SECRET_KEY' });
    if (error instanceof Stripe.errors.StripeError) throw new Error(describeError(error));
    throw error;
  }
}

function isTemporary(error: unknown): boolean {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError, StripeOAuthError } = Stripe.errors;
  return (
    error instanceof UnusableResponseError ||
    // The SDK's error for a proxy's {"error": "Service Unavailable"}. This program doesn't use OAuth.
    error instanceof StripeOAuthError ||
    error instanceof StripeConnectionError ||
    error instanceof StripeAPIError ||
    error instanceof StripeRateLimitError
  );
}

function isKeyRejected(error: unknown): boolean {
  const { StripeAuthenticationError, StripePermissionError } = Stripe.errors;
  return error instanceof StripeAuthenticationError || error instanceof StripePermissionError;
}

function isExpiryRejected(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'expires_at';
}

function describeError({
  type,
  code,
  param,
  statusCode,
  requestId,
}: InstanceType<typeof Stripe.errors.StripeError>): string {
  const details = { type, code, param, statusCode, requestId };
  return `The payment provider rejected a request: ${JSON.stringify(details)}`;
}

/** @returns unknown if Stripe has no such object */
export async function unknownIfMissing<T>(request: () => Promise<T>): Promise<T | 'unknown'> {
  try {
    return await request();
  } catch (error) {
    if (isMissing(error)) return 'unknown';
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
}
