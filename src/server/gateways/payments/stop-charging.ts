import Stripe from 'stripe';
import { proven, UnusableAnswer } from './stripe-answer.ts';

/** In these nothing is charged any more, and Stripe refuses to end them again. */
const ENDED: readonly string[] = ['canceled', 'incomplete_expired'];

/** Ends a subscription, unless it has ended. */
export async function cancelSubscription(stripe: Stripe, id: string): Promise<'ended'> {
  try {
    const before = await stripe.subscriptions.retrieve(id);
    const after = ENDED.includes(before?.status) ? before : await stripe.subscriptions.cancel(id);
    if (after?.object !== 'subscription' || !ENDED.includes(after.status)) throw new UnusableAnswer();
  } catch (error) {
    // What the provider does not have, it does not charge.
    if (!(error instanceof Stripe.errors.StripeError && error.code === 'resource_missing')) throw error;
  }
  return 'ended';
}

/** Closes a hosted page, unless it was paid or closed before. */
export async function closeSession(stripe: Stripe, id: string): Promise<'closed'> {
  if (!(await isOpen(stripe, id))) return 'closed';
  try {
    proven(await stripe.checkout.sessions.expire(id));
  } catch (error) {
    // Paid in between: Stripe closes only what is open.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || (await isOpen(stripe, id))) throw error;
  }
  return 'closed';
}

async function isOpen(stripe: Stripe, id: string): Promise<boolean> {
  return proven(await stripe.checkout.sessions.retrieve(id)).status === 'open';
}
