import Stripe from 'stripe';
import { Failure } from '#domain/failures.ts';
import type { ProviderEvent } from './payments.ts';

/** Seconds that a signature's time may lie in the past, and in the future: clocks differ, replays are old. */
const TOLERANCE = 300;

/** The events of a hosted page, each of which says: read that session again. */
export const SESSION_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
] as const;

/** The event in a webhook's body. @returns Failure webhook-signature */
export function signedEvent(
  rawBody: Buffer,
  signature: string | undefined,
  secret: string,
  now: Date,
): ProviderEvent | Failure {
  // The SDK refuses what is too old, but takes any time in the future.
  if (!signature || isFromTheFuture(signature, now)) return new Failure('webhook-signature');
  try {
    return providerEvent(
      Stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE, undefined, now.getTime()),
    );
  } catch {
    // Whatever is wrong with it, a body that cannot be read included, its sender is told no more than this.
    return new Failure('webhook-signature');
  }
}

/** The part of an event that is trusted. @throws when what was signed is not an event */
export function providerEvent(event: Stripe.Event): ProviderEvent {
  const { id, type, created } = event;
  if (typeof id !== 'string' || typeof type !== 'string' || !Number.isFinite(created)) throw new Error('not an event');
  return { id, type, occurredAt: new Date(created * 1000), sessionId: sessionIdOf(event) };
}

function sessionIdOf({ type, data }: Stripe.Event): string | undefined {
  const object: unknown = data?.object;
  if (!type.startsWith('checkout.session.') || typeof object !== 'object' || object === null) return undefined;
  return 'id' in object && typeof object.id === 'string' ? object.id : undefined;
}

function isFromTheFuture(signature: string, now: Date): boolean {
  const times = [...signature.matchAll(/(?:^|,)t=(\d+)/g)].map(([, seconds]) => Number(seconds));
  return times.some((seconds) => seconds - now.getTime() / 1000 > TOLERANCE);
}
