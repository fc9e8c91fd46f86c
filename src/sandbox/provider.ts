import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { Store } from './store.ts';

/** Event types that the sandbox sends, with the types of their objects. */
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
  'charge.updated': Stripe.Charge;
  'charge.refunded': Stripe.Charge;
  'charge.refund.updated': Stripe.Refund;
  'charge.dispute.created': Stripe.Dispute;
  'charge.dispute.updated': Stripe.Dispute;
  'charge.dispute.funds_withdrawn': Stripe.Dispute;
  'charge.dispute.funds_reinstated': Stripe.Dispute;
  'charge.dispute.closed': Stripe.Dispute;
  'refund.created': Stripe.Refund;
  'refund.updated': Stripe.Refund;
  'refund.failed': Stripe.Refund;
  'payout.created': Stripe.Payout;
  'payout.failed': Stripe.Payout;
  'payout.paid': Stripe.Payout;
  'radar.early_fraud_warning.created': Stripe.Radar.EarlyFraudWarning;
  'radar.early_fraud_warning.updated': Stripe.Radar.EarlyFraudWarning;
  'payout.reconciliation_completed': Stripe.Payout;
  'payment_method.attached': Stripe.PaymentMethod;
  'customer.created': Stripe.Customer;
  'customer.updated': Stripe.Customer;
  'customer.subscription.created': Stripe.Subscription;
  'customer.subscription.updated': Stripe.Subscription;
  'customer.subscription.deleted': Stripe.Subscription;
  'invoice.created': Stripe.Invoice;
  'invoice.finalized': Stripe.Invoice;
  'invoice.voided': Stripe.Invoice;
  'invoice.marked_uncollectible': Stripe.Invoice;
  'invoice.paid': Stripe.Invoice;
  'invoice.payment_succeeded': Stripe.Invoice;
  'invoice.payment_failed': Stripe.Invoice;
};

export type Provider = {
  readonly store: Store;
  /** Sandbox time: Unix time in seconds, like all of Stripe's times. */
  readonly now: () => number;
  /** The same provider at a fixed time, for work that was due then. */
  readonly asOf: (time: number) => Provider;
  readonly publicUrl: () => string;
  /**
   * Stores an event for delivery. Call it in the transaction that makes the change.
   * @param before the object before the change, for `previous_attributes`
   */
  emit<Type extends keyof EventObjects>(type: Type, object: EventObjects[Type], before?: EventObjects[Type]): void;
};

/** A new id in Stripe's format. @param prefix such as `cs_test` */
export function createStripeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** Returns the id of a linked resource, or an empty string if there is none. The store contains only ids. */
export function getId(resource: string | { readonly id: string } | null | undefined): string {
  return typeof resource === 'string' ? resource : (resource?.id ?? '');
}
