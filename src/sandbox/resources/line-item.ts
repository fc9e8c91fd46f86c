import Stripe from 'stripe';
import { stripeId } from '../ids.ts';
import { metadataOf } from '../metadata.ts';

type RequestedLine = Stripe.Checkout.SessionCreateParams.LineItem;
type Recurring = { readonly interval: string; readonly interval_count: number };

/** A line with the product that was made for it. */
export type NewLine = { readonly item: Stripe.LineItem; readonly product: Stripe.Product };

/** What a line comes to, in cents: the unit amount, which may be a decimal, times the quantity, rounded once. */
export function lineAmount(line: RequestedLine): number {
  const price = line.price_data;
  const unit = Stripe.Decimal.from(String(price?.unit_amount ?? price?.unit_amount_decimal ?? 0));
  const amount = unit.mul(Stripe.Decimal.from(line.quantity ?? 1));
  return amount.round('half-up', { mode: 'decimal-places', value: 0 }).toNumber();
}

/** @param now in seconds */
export function newLineItem(line: RequestedLine, now: number): NewLine {
  const product = newProduct(line.price_data?.product_data, now);
  const price = newPrice(line.price_data, product.id, now);
  const amount = lineAmount(line);
  const item: Stripe.LineItem = {
    id: stripeId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: product.name,
    metadata: {},
    price,
    quantity: line.quantity ?? 1,
  };
  return { item, product };
}

function newProduct(data: NonNullable<RequestedLine['price_data']>['product_data'], now: number): Stripe.Product {
  return {
    id: stripeId('prod'),
    object: 'product',
    active: false,
    created: now,
    description: data?.description ?? null,
    images: data?.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: metadataOf(data?.metadata),
    name: data?.name ?? '',
    package_dimensions: null,
    shippable: null,
    tax_details: null,
    type: 'service',
    updated: now,
    url: null,
  };
}

function newPrice(data: RequestedLine['price_data'], product: string, now: number): Stripe.Price {
  const unit = String(data?.unit_amount ?? data?.unit_amount_decimal ?? 0);
  return {
    id: stripeId('price'),
    object: 'price',
    active: false,
    billing_scheme: 'per_unit',
    created: now,
    currency: data?.currency ?? 'usd',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring: data?.recurring ? recurringOf(data.recurring) : null,
    tax_behavior: data?.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: data?.recurring ? 'recurring' : 'one_time',
    unit_amount: data?.unit_amount ?? null,
    unit_amount_decimal: Stripe.Decimal.from(unit),
  };
}

function recurringOf(recurring: { interval: string; interval_count?: number }): Stripe.Price.Recurring {
  const { interval, interval_count = 1 } = recurring;
  return { interval, interval_count, meter: null, trial_period_days: null, usage_type: 'licensed' };
}

/** "month", "3 months", "year". */
export function intervalWords({ interval, interval_count: count }: Recurring): string {
  return count === 1 ? interval : `${count} ${interval}s`;
}
