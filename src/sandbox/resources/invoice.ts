import type Stripe from 'stripe';
import { createStripeId } from '../provider.ts';

/** One line of an invoice. */
export type InvoiceLine = {
  readonly amount: number;
  readonly description: string | null;
  readonly price: Stripe.Price | null;
  readonly quantity: number;
  /** Undefined for a one-time line of the first invoice. */
  readonly item: Stripe.SubscriptionItem | undefined;
};

type InvoiceContent = {
  readonly subscription: Stripe.Subscription;
  readonly customer: Stripe.Customer;
  readonly lines: readonly InvoiceLine[];
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  /** The previous period; empty for the first invoice. */
  readonly period: { readonly start: number; readonly end: number };
};

/** Creates an open, unpaid invoice for a subscription. @param now in seconds */
export function newInvoice(
  { subscription, customer, lines, reason, period }: InvoiceContent,
  now: number,
): Stripe.Invoice {
  const id = createStripeId('in');
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...UNUSED_FIELDS,
    id,
    object: 'invoice',
    amount_due: total,
    amount_paid: 0,
    amount_remaining: total,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: reason,
    created: now,
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    effective_at: now,
    lines: {
      object: 'list',
      data: lines.map((line) => newInvoiceLine(line, id, subscription, now)),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    metadata: {},
    next_payment_attempt: null,
    number: `SANDBOX-${id.slice(-8).toUpperCase()}`,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: period.end,
    period_start: period.start,
    status: 'open',
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  };
}

/** Returns the invoice as it was before it was finalized. */
export function toDraft(invoice: Stripe.Invoice): Stripe.Invoice {
  const transitions = { ...invoice.status_transitions, finalized_at: null };
  return { ...invoice, effective_at: null, number: null, status: 'draft', status_transitions: transitions };
}

/** Fields that the sandbox never sets. */
const UNUSED_FIELDS = {
  account_country: 'US',
  account_name: 'Sandbox account',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
} satisfies Partial<Stripe.Invoice>;

function newInvoiceLine(
  { amount, description, price, quantity, item }: InvoiceLine,
  invoice: string,
  subscription: Stripe.Subscription,
  now: number,
): Stripe.InvoiceLineItem {
  return {
    id: createStripeId('il'),
    object: 'line_item',
    amount,
    currency: subscription.currency,
    description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: item ? subscription.metadata : {},
    parent: item ? subscriptionParent(item, subscription.id) : invoiceItemParent(subscription.id),
    period: { end: item?.current_period_end ?? now, start: item?.current_period_start ?? now },
    pretax_credit_amounts: [],
    pricing: toPricing(price),
    quantity,
    quantity_decimal: null,
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

function subscriptionParent(item: Stripe.SubscriptionItem, subscription: string): Stripe.InvoiceLineItem.Parent {
  const noProration = { proration: false, proration_details: { credited_items: null } };
  return {
    invoice_item_details: null,
    subscription_item_details: { ...noProration, invoice_item: null, subscription, subscription_item: item.id },
    type: 'subscription_item_details',
  };
}

function invoiceItemParent(subscription: string): Stripe.InvoiceLineItem.Parent {
  const noProration = { proration: false, proration_details: { credited_items: null } };
  return {
    invoice_item_details: { ...noProration, invoice_item: createStripeId('ii'), subscription },
    subscription_item_details: null,
    type: 'invoice_item_details',
  };
}

function toPricing(price: Stripe.Price | null): Stripe.InvoiceLineItem.Pricing | null {
  if (!price) return null;
  const product = typeof price.product === 'string' ? price.product : price.product.id;
  return {
    type: 'price_details',
    price_details: { price: price.id, product },
    unit_amount_decimal: price.unit_amount_decimal,
  };
}

/** Links an invoice to the payment intent that pays it. @param now in seconds */
export function newInvoicePayment(
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
  now: number,
): Stripe.InvoicePayment {
  return {
    id: createStripeId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
}
