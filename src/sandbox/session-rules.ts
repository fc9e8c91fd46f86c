// The rules of Checkout that types cannot say, in Stripe's words where these are known.
import type Stripe from 'stripe';
import { invalidRequest, missingParameter } from './api-error.ts';
import { checkLine, checkTotal, type RequestedLine } from './line-rules.ts';
import { checkMetadata } from './metadata.ts';
import { refuseUnsupported } from './unsupported.ts';

type Request = Stripe.Checkout.SessionCreateParams;

const MOST_LINES = { payment: 100, recurring: 20, oneTime: 20 };
const HALF_AN_HOUR = 1800;
const A_DAY = 86_400;

const SUPPORTED: readonly (keyof Request)[] = [
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
const SUPPORTED_OF_INTENT: readonly (keyof NonNullable<Request['payment_intent_data']>)[] = [
  'description',
  'metadata',
  'receipt_email',
  'statement_descriptor',
  'statement_descriptor_suffix',
];
const SUPPORTED_OF_SUBSCRIPTION: readonly (keyof NonNullable<Request['subscription_data']>)[] = [
  'description',
  'metadata',
];

/** @param now in seconds @throws StripeApiError when Stripe would refuse the request, or the sandbox cannot do it */
export function checkSession(request: Request, now: number): void {
  refuseUnsupported(request, SUPPORTED);
  refuseUnsupported(request.payment_intent_data, SUPPORTED_OF_INTENT, 'payment_intent_data');
  refuseUnsupported(request.subscription_data, SUPPORTED_OF_SUBSCRIPTION, 'subscription_data');
  checkParameters(request);
  checkAddresses(request);
  checkMetadata(request.metadata, 'metadata');
  checkMetadata(request.payment_intent_data?.metadata, 'payment_intent_data[metadata]');
  checkMetadata(request.subscription_data?.metadata, 'subscription_data[metadata]');
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

function checkExpiry(expiresAt: number | undefined, now: number): void {
  if (expiresAt === undefined) return;
  const wrong = (how: string): Error =>
    invalidRequest(`The \`expires_at\` timestamp must be ${how} from Checkout Session creation.`, 'expires_at');
  if (expiresAt > now + A_DAY) throw wrong('less than 24 hours');
  if (expiresAt < now + HALF_AN_HOUR) throw wrong('at least 30 minutes');
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
  if (lines.length > MOST_LINES.payment) throw tooManyLines(MOST_LINES.payment);
  if (request.subscription_data) throw notInMode('subscription_data', 'payment');
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
  if (recurring.length > MOST_LINES.recurring) throw tooManyLines(MOST_LINES.recurring);
  if (lines.length - recurring.length > MOST_LINES.oneTime) throw tooManyLines(MOST_LINES.oneTime);
  if (request.payment_intent_data) throw notInMode('payment_intent_data', 'subscription');
  if (request.customer_creation) throw notInMode('customer_creation', 'subscription');
  if (new Set(recurring.map(intervalOf)).size > 1) {
    throw invalidRequest('Checkout does not support multiple prices with different billing intervals.', 'line_items');
  }
}

function intervalOf({ price_data }: RequestedLine): string {
  const { interval, interval_count = 1 } = price_data?.recurring ?? {};
  return `${interval_count} ${interval}`;
}

function notInMode(name: string, mode: string): Error {
  return invalidRequest(`You can not pass \`${name}\` in \`${mode}\` mode.`, name);
}

function tooManyLines(most: number): Error {
  return invalidRequest(`You passed too many line items: at most ${most} of this kind are allowed.`, 'line_items');
}
