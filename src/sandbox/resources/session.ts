import Stripe from 'stripe';
import { presentMetadata } from '../parameters.ts';
import { createStripeId } from '../provider.ts';

const DAY_SECONDS = 86_400;
export const PAYMENT_METHODS = ['card', 'us_bank_account'];

export function newSession(
  request: Stripe.Checkout.SessionCreateParams,
  lines: readonly Stripe.LineItem[],
  now: number,
): Stripe.Checkout.Session {
  const amount = lines.reduce((sum, line) => sum + line.amount_total, 0);
  const mode = request.mode ?? 'payment';
  const allowedMethods = request.allowed_payment_method_types;
  return {
    ...UNUSED_FIELDS,
    id: createStripeId('cs_test'),
    object: 'checkout.session',
    allowed_payment_method_types: allowedMethods ?? null,
    adaptive_pricing: { enabled: request.adaptive_pricing?.enabled ?? true },
    amount_subtotal: amount,
    amount_total: amount,
    branding_settings: toBranding(request.branding_settings),
    cancel_url: request.cancel_url ?? null,
    client_reference_id: request.client_reference_id ?? null,
    created: now,
    currency: lines[0]?.currency ?? 'usd',
    custom_text: toCustomText(request.custom_text),
    customer: request.customer ?? null,
    customer_creation: mode === 'payment' ? (request.customer_creation ?? 'if_required') : null,
    customer_details: null,
    customer_email: request.customer_email ?? null,
    expires_at: request.expires_at ?? now + DAY_SECONDS,
    invoice: null,
    locale: request.locale ?? null,
    metadata: presentMetadata(request.metadata),
    mode,
    payment_intent: null,
    payment_method_collection: mode === 'subscription' ? 'always' : 'if_required',
    payment_method_types: PAYMENT_METHODS.filter((method) => !allowedMethods || allowedMethods.includes(method)),
    payment_status: 'unpaid',
    status: 'open',
    submit_type: request.submit_type ?? null,
    subscription: null,
    success_url: request.success_url ?? null,
    ui_mode: 'hosted_page',
    url: null,
  };
}

/** Fields that the sandbox never sets. */
const UNUSED_FIELDS = {
  after_expiration: null,
  allow_promotion_codes: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  customer_account: null,
  discounts: [],
  integration_identifier: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: { enabled: false },
  origin_context: null,
  payment_link: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>;

function toBranding(
  settings: Stripe.Checkout.SessionCreateParams['branding_settings'],
): Stripe.Checkout.Session.BrandingSettings {
  return {
    background_color: settings?.background_color || '#ffffff',
    border_style: settings?.border_style || 'rounded',
    button_color: settings?.button_color || '#ffc24b',
    display_name: settings?.display_name ?? 'Sandbox account',
    font_family: settings?.font_family || 'default',
    icon: null,
    logo: null,
  };
}

function toCustomText(
  settings: Stripe.Checkout.SessionCreateParams['custom_text'],
): Stripe.Checkout.Session.CustomText {
  return {
    after_submit: settings?.after_submit || null,
    shipping_address: null,
    submit: settings?.submit || null,
    terms_of_service_acceptance: null,
  };
}

type RequestedLine = Stripe.Checkout.SessionCreateParams.LineItem;
type Recurring = { readonly interval: string; readonly interval_count: number };

export type NewLine = { readonly item: Stripe.LineItem; readonly product: Stripe.Product };

/** Multiplies the unit amount, which may be a decimal, by the quantity, and rounds once. @returns cents */
export function lineAmount(line: RequestedLine): number {
  const price = line.price_data;
  const unit = Stripe.Decimal.from(String(price?.unit_amount ?? price?.unit_amount_decimal ?? 0));
  const amount = unit.mul(Stripe.Decimal.from(line.quantity ?? 1));
  return amount.round('half-up', { mode: 'decimal-places', value: 0 }).toNumber();
}

/** @param now in seconds */
export function newLineItem(line: RequestedLine, existingProduct: Stripe.Product | undefined, now: number): NewLine {
  const product = existingProduct ?? newProduct(line.price_data?.product_data ?? { name: '' }, now);
  const price = newPrice(line.price_data, product.id, now);
  const amount = lineAmount(line);
  const item: Stripe.LineItem = {
    id: createStripeId('li'),
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

/** @param now in seconds */
export function newProduct(
  data: Pick<Stripe.ProductCreateParams, 'name' | 'description' | 'images' | 'metadata' | 'statement_descriptor'>,
  now: number,
): Stripe.Product {
  return {
    id: createStripeId('prod'),
    object: 'product',
    active: false,
    created: now,
    description: data.description ?? null,
    images: data.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: presentMetadata(data.metadata),
    name: data.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: data.statement_descriptor ?? null,
    tax_details: null,
    type: 'service',
    updated: now,
    url: null,
  };
}

type RequestedPrice = {
  readonly currency: string;
  readonly recurring?: { interval: string; interval_count?: number };
  readonly tax_behavior?: string;
  readonly unit_amount?: number;
  readonly unit_amount_decimal?: Stripe.Decimal;
};

/** @param now in seconds */
export function newPrice(data: RequestedPrice | undefined, product: string, now: number): Stripe.Price {
  const unit = String(data?.unit_amount ?? data?.unit_amount_decimal ?? 0);
  return {
    id: createStripeId('price'),
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
    recurring: data?.recurring ? toRecurring(data.recurring) : null,
    tax_behavior: data?.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: data?.recurring ? 'recurring' : 'one_time',
    unit_amount: data?.unit_amount ?? null,
    unit_amount_decimal: Stripe.Decimal.from(unit),
  };
}

function toRecurring(recurring: { interval: string; interval_count?: number }): Stripe.Price.Recurring {
  const { interval, interval_count = 1 } = recurring;
  return { interval, interval_count, meter: null, trial_period_days: null, usage_type: 'licensed' };
}

/** "month", "3 months", "year". */
export function formatInterval({ interval, interval_count: count }: Recurring): string {
  return count === 1 ? interval : `${count} ${interval}s`;
}
