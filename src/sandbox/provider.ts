import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { Store } from './store.ts';

/** Every event type of the sandbox, and the object in it. */
export type EventObjects = {
  'checkout.session.completed': Stripe.Checkout.Session;
  'checkout.session.expired': Stripe.Checkout.Session;
  'checkout.session.async_payment_succeeded': Stripe.Checkout.Session;
  'checkout.session.async_payment_failed': Stripe.Checkout.Session;
  'payment_intent.succeeded': Stripe.PaymentIntent;
  'payment_intent.processing': Stripe.PaymentIntent;
  'payment_intent.requires_action': Stripe.PaymentIntent;
  'payment_intent.payment_failed': Stripe.PaymentIntent;
  'charge.succeeded': Stripe.Charge;
  'charge.pending': Stripe.Charge;
  'charge.failed': Stripe.Charge;
  'charge.refunded': Stripe.Charge;
  'refund.created': Stripe.Refund;
  'customer.created': Stripe.Customer;
  'customer.subscription.created': Stripe.Subscription;
  'customer.subscription.updated': Stripe.Subscription;
  'customer.subscription.deleted': Stripe.Subscription;
  'invoice.paid': Stripe.Invoice;
  'invoice.payment_succeeded': Stripe.Invoice;
  'invoice.payment_failed': Stripe.Invoice;
};

export type Provider = {
  readonly store: Store;
  /** Unix time in seconds, like all of Stripe's times. */
  readonly now: () => number;
  readonly publicUrl: () => string;
  /** Stores an event for delivery. Call it in the transaction that it describes. */
  emit<Type extends keyof EventObjects>(type: Type, object: EventObjects[Type]): void;
};

/** A new id in Stripe's format. @param prefix such as `cs_test` */
export function stripeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
