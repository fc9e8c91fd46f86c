import type Stripe from 'stripe';
import { stripeId } from '../ids.ts';
import { metadataOf } from '../metadata.ts';

const A_DAY = 86_400;
/** How one can pay here. */
export const PAYMENT_METHODS = ['card', 'us_bank_account'];

/** An open session. @param now in seconds */
export function newSession(
  request: Stripe.Checkout.SessionCreateParams,
  lines: readonly Stripe.LineItem[],
  now: number,
): Stripe.Checkout.Session {
  const amount = lines.reduce((sum, line) => sum + line.amount_total, 0);
  const mode = request.mode ?? 'payment';
  const allowed = request.allowed_payment_method_types;
  return {
    ...UNUSED,
    id: stripeId('cs_test'),
    object: 'checkout.session',
    allowed_payment_method_types: allowed ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    branding_settings: brandingOf(request.branding_settings),
    cancel_url: request.cancel_url ?? null,
    client_reference_id: request.client_reference_id ?? null,
    created: now,
    currency: lines[0]?.currency ?? 'usd',
    custom_text: customTextOf(request.custom_text),
    customer: request.customer ?? null,
    customer_creation: mode === 'payment' ? (request.customer_creation ?? 'if_required') : null,
    customer_details: null,
    customer_email: request.customer_email ?? null,
    expires_at: request.expires_at ?? now + A_DAY,
    invoice: null,
    locale: request.locale ?? null,
    metadata: metadataOf(request.metadata),
    mode,
    payment_intent: null,
    payment_method_collection: mode === 'subscription' ? 'always' : 'if_required',
    payment_method_types: PAYMENT_METHODS.filter((method) => !allowed || allowed.includes(method)),
    payment_status: 'unpaid',
    status: 'open',
    submit_type: request.submit_type ?? null,
    subscription: null,
    success_url: request.success_url ?? null,
    ui_mode: 'hosted_page',
    url: null,
  };
}

/** The parts of a session that the sandbox has no use for. */
const UNUSED = {
  adaptive_pricing: { enabled: false },
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

function brandingOf(
  given: Stripe.Checkout.SessionCreateParams['branding_settings'],
): Stripe.Checkout.Session.BrandingSettings {
  return {
    background_color: given?.background_color || '#ffffff',
    border_style: given?.border_style || 'rounded',
    button_color: given?.button_color || '#ffc24b',
    display_name: given?.display_name ?? 'Sandbox account',
    font_family: given?.font_family || 'default',
    icon: null,
    logo: null,
  };
}

function customTextOf(given: Stripe.Checkout.SessionCreateParams['custom_text']): Stripe.Checkout.Session.CustomText {
  return {
    after_submit: given?.after_submit || null,
    shipping_address: null,
    submit: given?.submit || null,
    terms_of_service_acceptance: null,
  };
}
