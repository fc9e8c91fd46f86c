import type Stripe from 'stripe';
import type { Store } from './store.ts';

/** The reports that the sandbox makes, and what each is about. */
export type Reports = {
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

/** What the sandbox's operations work with. */
export type Provider = {
  readonly store: Store;
  /** Seconds since 1970, as all of Stripe's times. */
  readonly now: () => number;
  /** The origin of the hosted pages, without a slash at the end. */
  readonly publicUrl: () => string;
  /** Writes an event down, to be delivered. Call it in the transaction that makes it true. */
  record<Type extends keyof Reports>(type: Type, object: Reports[Type]): void;
};
