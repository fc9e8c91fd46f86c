// Checkout rules that types can't express, with Stripe's wording where it's known.
import type Stripe from 'stripe';
import { checkMetadata, invalidRequest, missingParameter, noSuchError, rejectUnsupported } from './parameters.ts';
import { lineAmount } from './resources/session.ts';

type Request = Stripe.Checkout.SessionCreateParams;

const MAXIMUM_LINES = { payment: 100, recurring: 20, oneTime: 20 };
const HALF_HOUR_SECONDS = 1800;
const DAY_SECONDS = 86_400;

const SUPPORTED_PARAMETERS: readonly (keyof Request)[] = [
  'adaptive_pricing',
  'allowed_payment_method_types',
  'branding_settings',
  'cancel_url',
  'client_reference_id',
  'currency',
  'custom_text',
  'customer',
  'customer_creation',
  'customer_email',
  'expand',
  'expires_at',
  'line_items',
  'locale',
  'metadata',
  'mode',
  'payment_intent_data',
  'submit_type',
  'subscription_data',
  'success_url',
  'ui_mode',
];
const SUPPORTED_INTENT_DATA: readonly (keyof NonNullable<Request['payment_intent_data']>)[] = [
  'description',
  'metadata',
  'receipt_email',
  'statement_descriptor',
  'statement_descriptor_suffix',
];
const SUPPORTED_SUBSCRIPTION_DATA: readonly (keyof NonNullable<Request['subscription_data']>)[] = [
  'description',
  'metadata',
];

/** @param now in seconds @throws StripeApiError for a request that Stripe would reject or the sandbox doesn't support */
export function checkSession(request: Request, now: number): void {
  rejectUnsupported(request, SUPPORTED_PARAMETERS);
  rejectUnsupported(request.payment_intent_data, SUPPORTED_INTENT_DATA, 'payment_intent_data');
  rejectUnsupported(request.subscription_data, SUPPORTED_SUBSCRIPTION_DATA, 'subscription_data');
  checkParameters(request);
  checkAddresses(request);
  checkMetadata(request.metadata, 'metadata');
  checkMetadata(request.payment_intent_data?.metadata, 'payment_intent_data[metadata]');
  checkMetadata(request.subscription_data?.metadata, 'subscription_data[metadata]');
  checkDescriptor(
    request.payment_intent_data?.statement_descriptor_suffix,
    1,
    'payment_intent_data[statement_descriptor_suffix]',
  );
  checkExpiry(request.expires_at, now);
  const lines = request.line_items ?? [];
  for (const [index, line] of lines.entries()) checkLine(line, `line_items[${index}]`);
  checkMode(request, lines);
  checkTotal(lines, request.mode);
}

function checkParameters(request: Request): void {
  if (!request.mode) throw missingParameter('mode');
  if (!request.success_url) throw missingParameter('success_url');
  if (!request.line_items?.length) throw missingParameter('line_items');
  if (request.ui_mode && request.ui_mode !== 'hosted_page') {
    throw invalidRequest('The sandbox has only the hosted page.', 'ui_mode');
  }
  if ((request.client_reference_id?.length ?? 0) > 200) {
    throw invalidRequest('Invalid string: must be at most 200 characters', 'client_reference_id');
  }
  if (request.customer && request.customer_email) {
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.');
  }
}

function checkAddresses(request: Request): void {
  checkAddress(request.success_url, 'success_url');
  checkAddress(request.cancel_url, 'cancel_url');
  if (request.customer_email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(request.customer_email)) {
    throw invalidRequest(`Invalid email address: ${request.customer_email}`, 'customer_email', 'email_invalid');
  }
}

function checkAddress(address: string | undefined, param: string): void {
  if (address === undefined) return;
  const url = URL.parse(address);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return;
  const message = url ? 'Not a valid URL' : 'Invalid URL: An explicit scheme (such as https) must be provided.';
  throw invalidRequest(message, param, 'url_invalid');
}

/** @throws StripeApiError */
export function checkDescriptor(descriptor: string | undefined, minimum: number, param: string): void {
  if (descriptor === undefined) return;
  const { length } = descriptor;
  if (length >= minimum && length <= 22 && /[A-Za-z]/.test(descriptor) && /^[ -~]+$/.test(descriptor)) {
    if (!/[<>\\'"*]/.test(descriptor)) return;
  }
  const rule = `between ${minimum} and 22 Latin characters with at least one letter, and none of < > \\ ' " *`;
  throw invalidRequest(`Invalid statement descriptor: it must have ${rule}.`, param);
}

function checkExpiry(expiresAt: number | undefined, now: number): void {
  if (expiresAt === undefined) return;
  const expiryError = (rule: string): Error =>
    invalidRequest(`The \`expires_at\` timestamp must be ${rule} from Checkout Session creation.`, 'expires_at');
  if (expiresAt > now + DAY_SECONDS) throw expiryError('less than 24 hours');
  if (expiresAt < now + HALF_HOUR_SECONDS) throw expiryError('at least 30 minutes');
}

function checkMode(request: Request, lines: readonly RequestedLine[]): void {
  const recurring = lines.filter((line) => line.price_data?.recurring);
  if (request.mode === 'payment') checkPaymentMode(request, lines, recurring);
  else if (request.mode === 'subscription') checkSubscriptionMode(request, lines, recurring);
  else throw invalidRequest('The sandbox has only the modes payment and subscription.', 'mode');
}

function checkPaymentMode(
  request: Request,
  lines: readonly RequestedLine[],
  recurring: readonly RequestedLine[],
): void {
  if (recurring.length > 0) {
    const advice = 'Either switch to `subscription` mode or use only one-time prices.';
    throw invalidRequest(`You specified \`payment\` mode but passed a recurring price. ${advice}`, 'mode');
  }
  if (lines.length > MAXIMUM_LINES.payment) throw tooManyLinesError(MAXIMUM_LINES.payment);
  if (request.subscription_data) throw notInModeError('subscription_data', 'payment');
}

function checkSubscriptionMode(
  request: Request,
  lines: readonly RequestedLine[],
  recurring: readonly RequestedLine[],
): void {
  if (recurring.length === 0) {
    const message = 'You must provide at least one recurring price in `subscription` mode when using prices.';
    throw invalidRequest(message, 'line_items');
  }
  if (recurring.length > MAXIMUM_LINES.recurring) throw tooManyLinesError(MAXIMUM_LINES.recurring);
  if (lines.length - recurring.length > MAXIMUM_LINES.oneTime) throw tooManyLinesError(MAXIMUM_LINES.oneTime);
  if (request.payment_intent_data) throw notInModeError('payment_intent_data', 'subscription');
  if (request.customer_creation) throw notInModeError('customer_creation', 'subscription');
  if (new Set(recurring.map(getInterval)).size > 1) {
    throw invalidRequest('Checkout does not support multiple prices with different billing intervals.', 'line_items');
  }
}

function getInterval({ price_data }: RequestedLine): string {
  const { interval, interval_count = 1 } = price_data?.recurring ?? {};
  return `${interval_count} ${interval}`;
}

function notInModeError(name: string, mode: string): Error {
  return invalidRequest(`You can not pass \`${name}\` in \`${mode}\` mode.`, name);
}

function tooManyLinesError(maximum: number): Error {
  return invalidRequest(`You passed too many line items: at most ${maximum} of this kind are allowed.`, 'line_items');
}

export type RequestedLine = Stripe.Checkout.SessionCreateParams.LineItem;
type PriceData = NonNullable<RequestedLine['price_data']>;

/** The currencies that the sandbox accepts, with Stripe's minimum charge in cents. */
const MIN_CHARGE: ReadonlyMap<string, number> = new Map([
  ...(['usd', 'aud', 'cad', 'chf', 'eur', 'nzd'] as const).map((currency) => [currency, 50] as const),
  ['gbp', 30],
]);
const MAX_CHARGE = 99_999_999;
/** Three years in each unit. */
const MAX_INTERVAL: ReadonlyMap<string, number> = new Map([
  ['day', 1095],
  ['week', 156],
  ['month', 36],
  ['year', 3],
]);

/** @param param such as `line_items[0]` @throws StripeApiError */
export function checkLine(line: RequestedLine, param: string): void {
  rejectUnsupported(line, ['price', 'price_data', 'quantity'], param);
  if (line.price) throw noSuchError('price', line.price, `${param}[price]`);
  if (!line.price_data) throw missingParameter(`${param}[price_data]`);
  if (line.quantity === undefined) {
    throw invalidRequest(`Quantity is required. Add \`quantity\` to \`${param}\``, `${param}[quantity]`);
  }
  checkMinimum(1, line.quantity, `${param}[quantity]`);
  checkPrice(line.price_data, `${param}[price_data]`);
}

function checkPrice(price: PriceData, param: string): void {
  if (price.product && price.product_data)
    throw invalidRequest('You may only specify one of these parameters: product, product_data.', param);
  if (!price.product && !price.product_data) throw missingParameter(`${param}[product_data]`);
  checkMetadata(price.product_data?.metadata, `${param}[product_data][metadata]`);
  if (!MIN_CHARGE.has(price.currency)) {
    const accepted = [...MIN_CHARGE.keys()].join(', ');
    throw invalidRequest(`Invalid currency: ${price.currency}. The sandbox accepts ${accepted}.`, `${param}[currency]`);
  }
  checkRecurringPrice(price, param);
}

type PriceTerms = Pick<PriceData, 'recurring' | 'unit_amount' | 'unit_amount_decimal'>;

/** @throws StripeApiError */
export function checkRecurringPrice(price: PriceTerms, param: string): void {
  checkUnitAmount(price, param);
  if (price.recurring) checkInterval(price.recurring, `${param}[recurring][interval_count]`);
}

function checkUnitAmount(price: PriceTerms, param: string): void {
  if (price.unit_amount === undefined && price.unit_amount_decimal === undefined) {
    throw missingParameter(`${param}[unit_amount]`);
  }
  if (price.unit_amount !== undefined && price.unit_amount_decimal !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: unit_amount, unit_amount_decimal.', param);
  }
  checkMinimum(0, price.unit_amount ?? 0, `${param}[unit_amount]`);
}

function checkMinimum(minimum: number, value: number, param: string): void {
  if (value >= minimum) return;
  const message = `This value must be greater than or equal to ${minimum}.`;
  throw invalidRequest(message, param, 'parameter_invalid_integer');
}

function checkInterval(
  { interval, interval_count: count = 1 }: NonNullable<PriceData['recurring']>,
  param: string,
): void {
  checkMinimum(1, count, param);
  const maximum = MAX_INTERVAL.get(interval) ?? 1;
  if (count <= maximum) return;
  const message = `Invalid interval_count: at most three years, which is ${maximum} for the interval ${interval}.`;
  throw invalidRequest(message, param);
}

/** Checks that all lines have the same currency and that the total is within Stripe's limits. @throws StripeApiError */
export function checkTotal(lines: readonly RequestedLine[], mode: string | undefined): void {
  const currencies = new Set(lines.map((line) => line.price_data?.currency));
  if (currencies.size > 1) {
    throw invalidRequest('All line items of a Checkout Session must have the same currency.', 'line_items');
  }
  const total = lines.reduce((sum, line) => sum + lineAmount(line), 0);
  const minimum = MIN_CHARGE.get(lines[0]?.price_data?.currency ?? '') ?? 0;
  if (mode === 'payment' && total < minimum) {
    const message = `The Checkout Session's total amount must convert to at least ${minimum} cents.`;
    throw invalidRequest(message, 'line_items', 'amount_too_small');
  }
  if (total > MAX_CHARGE) {
    const message = "The Checkout Session's total amount must be no more than $999,999.99.";
    throw invalidRequest(message, 'line_items', 'amount_too_large');
  }
}
