import type Stripe from 'stripe';
import { stripeId } from '../provider.ts';

type Billed = {
  readonly session: Stripe.Checkout.Session;
  readonly subscription: Stripe.Subscription;
  readonly customer: Stripe.Customer;
  readonly lines: readonly Stripe.LineItem[];
};

/** The unpaid first invoice of a subscription. @param now in seconds */
export function newInvoice({ session, subscription, customer, lines }: Billed, now: number): Stripe.Invoice {
  const id = stripeId('in');
  const total = session.amount_total ?? 0;
  return {
    ...UNUSED,
    id,
    object: 'invoice',
    amount_due: total,
    amount_paid: 0,
    amount_remaining: total,
    attempt_count: 0,
    attempted: false,
    billing_reason: 'subscription_create',
    created: now,
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    effective_at: now,
    lines: {
      object: 'list',
      data: lines.map((line) => invoiceLine(line, id, subscription, now)),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    metadata: {},
    number: `SANDBOX-${id.slice(-8).toUpperCase()}`,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: now,
    period_start: now,
    status: 'open',
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  };
}

/** Fields that the sandbox never sets. */
const UNUSED = {
  account_country: 'US',
  account_name: 'Sandbox account',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  auto_advance: false,
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
  next_payment_attempt: null,
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

function invoiceLine(
  line: Stripe.LineItem,
  invoice: string,
  subscription: Stripe.Subscription,
  now: number,
): Stripe.InvoiceLineItem {
  const item = subscription.items.data.find(({ price }) => price.id === line.price?.id);
  return {
    id: stripeId('il'),
    object: 'line_item',
    amount: line.amount_total,
    currency: line.currency,
    description: line.description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: item ? subscription.metadata : {},
    parent: item ? fromSubscription(item, subscription.id) : fromInvoiceItem(subscription.id),
    period: { end: item?.current_period_end ?? now, start: now },
    pretax_credit_amounts: [],
    pricing: pricingOf(line.price),
    quantity: line.quantity,
    quantity_decimal: null,
    subscription: subscription.id,
    subtotal: line.amount_subtotal,
    taxes: [],
  };
}

function fromSubscription(item: Stripe.SubscriptionItem, subscription: string): Stripe.InvoiceLineItem.Parent {
  const noProration = { proration: false, proration_details: { credited_items: null } };
  return {
    invoice_item_details: null,
    subscription_item_details: { ...noProration, invoice_item: null, subscription, subscription_item: item.id },
    type: 'subscription_item_details',
  };
}

function fromInvoiceItem(subscription: string): Stripe.InvoiceLineItem.Parent {
  const noProration = { proration: false, proration_details: { credited_items: null } };
  return {
    invoice_item_details: { ...noProration, invoice_item: stripeId('ii'), subscription },
    subscription_item_details: null,
    type: 'invoice_item_details',
  };
}

function pricingOf(price: Stripe.Price | null): Stripe.InvoiceLineItem.Pricing | null {
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
    id: stripeId('inpay'),
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
