import type Stripe from 'stripe';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import { isCardFeeLine, NO_COVERED_FEE } from '#domain/card-fee.ts';
import { CURRENCY } from '#domain/money.ts';
import { TRIBUTE_KINDS, type Tribute } from '#domain/tribute.ts';
import { type Language, m } from '#messages';
import { parseSessionMetadata, toSessionMetadata, toSubscriptionMetadata } from './covered-fee-metadata.ts';
import { getOrigin } from './origin.ts';
import type { ChargeFacts, PaymentFacts, SessionSummary } from './payment-facts.ts';
import type { PaymentLine, PaymentRequest } from './payments.ts';
import { buildDescriptorSuffix, buildStatementDescriptor } from './statement-descriptor.ts';
import { EXPANDED_INTENT_CHARGE, getId, getIntentCharge } from './stripe-charges.ts';

type SessionParams = Stripe.Checkout.SessionCreateParams;
type LineItem = Stripe.Checkout.SessionCreateParams.LineItem;
type Recurrence = NonNullable<PaymentLine['recurring']>;

/** Stripe's limits on the lines of a hosted page. */
const MAX_PAYMENT_LINES = 100;
/** Applies separately to recurring and one-time lines. */
const MAX_SUBSCRIPTION_LINES = 20;

/** Payment methods whose refunds, disputes, and fees the books can record. Apple Pay and Google Pay are cards. */
const PAYMENT_METHODS: NonNullable<SessionParams['allowed_payment_method_types']> = ['card', 'us_bank_account', 'link'];

/**
 * Builds the product for a recurring gift's first line. Its descriptor appears on statements; inline products can't have
 * one. Undefined for a one-time gift.
 */
export function buildProductRequest({ lines, orgName }: PaymentRequest): Stripe.ProductCreateParams | undefined {
  const firstLine = lines.find((line) => line.recurring);
  if (!firstLine) return undefined;
  const { name, description } = firstLine;
  return { name, description, statement_descriptor: buildStatementDescriptor(orgName) };
}

/**
 * Builds the request for a subscription if any line recurs, otherwise for a payment.
 * @param product id of the recurring gift's product
 */
export function buildSessionRequest(request: PaymentRequest, installation: string, product?: string): SessionParams {
  const metadata = { checkoutId: request.checkoutId, orgId: request.orgId, installation };
  // English is not set, so that the page follows the browser's language.
  const { language = DEFAULT_LANGUAGE } = request;
  const recurring = request.lines.filter((line) => line.recurring);
  const commonParams: SessionParams = {
    client_reference_id: request.checkoutId,
    metadata: { ...metadata, ...buildRecoveryMetadata(request) },
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    expires_at: Math.floor(request.expiresAt.getTime() / 1000),
    allowed_payment_method_types: PAYMENT_METHODS,
    // In another currency, the amount received would differ from the gift.
    adaptive_pricing: { enabled: false },
    branding_settings: { display_name: request.orgName },
    ...(request.notice ? { custom_text: { submit: { message: request.notice } } } : {}),
    ...(language === DEFAULT_LANGUAGE ? {} : { locale: language }),
  };
  return recurring.length > 0
    ? { ...commonParams, ...buildSubscriptionParams(request, metadata, product) }
    : { ...commonParams, ...buildPaymentParams(request, metadata) };
}

/** Stripe's limit for one metadata value. Metadata can have 50 values. */
const MAX_METADATA_LENGTH = 500;

/** Builds the metadata from which a lost checkout can be rebuilt. Only the session has this metadata. */
function buildRecoveryMetadata({
  cart,
  coveredFee = NO_COVERED_FEE,
  userId,
  tribute,
}: PaymentRequest): Stripe.MetadataParam {
  const parts = cart.match(new RegExp(`.{1,${MAX_METADATA_LENGTH}}`, 'gs')) ?? [];
  const cartParts = Object.fromEntries(parts.map((part, index) => [`cart${index}`, part]));
  return {
    ...cartParts,
    ...toSessionMetadata(coveredFee),
    ...(userId === undefined ? {} : { userId }),
    ...(tribute && { tribute: tribute.kind, honored: tribute.name.slice(0, MAX_METADATA_LENGTH) }),
  };
}

/** Parses the tribute without its card: for privacy, the recipient's address and the message aren't sent to Stripe. */
function parseTribute({ tribute, honored }: Stripe.Metadata): Tribute | undefined {
  const kind = TRIBUTE_KINDS.find((candidate) => candidate === tribute);
  return kind === undefined || !honored ? undefined : { kind, name: honored };
}

function parseCart(metadata: Stripe.Metadata): string | undefined {
  let cart = '';
  for (let index = 0; ; index += 1) {
    const part = metadata[`cart${index}`];
    if (part === undefined) return cart || undefined;
    cart += part;
  }
}

function buildPaymentParams(
  { lines, orgName, language = DEFAULT_LANGUAGE }: PaymentRequest,
  metadata: Stripe.MetadataParam,
): SessionParams {
  return {
    mode: 'payment',
    submit_type: 'donate',
    line_items: limitLines(MAX_PAYMENT_LINES, lines, language).map((line) => toLineItem(line)),
    payment_intent_data: {
      metadata,
      description: buildDescription(orgName),
      statement_descriptor_suffix: buildDescriptorSuffix(orgName),
    },
  };
}

/** Builds the parameters of a subscription. Its first invoice includes the one-time lines. */
function buildSubscriptionParams(
  { lines, orgName, giftKey, coveredFee = NO_COVERED_FEE, language = DEFAULT_LANGUAGE }: PaymentRequest,
  commonMetadata: Stripe.MetadataParam,
  product: string | undefined,
): SessionParams {
  const recurring = lines.filter((line) => line.recurring);
  const oneTime = lines.filter((line) => !line.recurring);
  const renewal = recurring.reduce((sum, { amount }) => sum + amount, 0);
  const fee = coveredFee.renewal === 0 ? {} : toSubscriptionMetadata(renewal, coveredFee.renewal);
  const metadata = { ...commonMetadata, giftKey, ...fee };
  return {
    mode: 'subscription',
    line_items: [recurring, oneTime]
      .flatMap((lineGroup) => limitLines(MAX_SUBSCRIPTION_LINES, lineGroup, language))
      .map((line, index) => toLineItem(line, index === 0 ? product : undefined)),
    subscription_data: { metadata, description: buildDescription(orgName) },
  };
}

function buildDescription(orgName: string): string {
  return `Gift to ${orgName}`.slice(0, 500);
}

/** Merges the last lines into one if there are too many. The card fee stays a separate line. */
function limitLines(limit: number, lines: readonly PaymentLine[], locale: Language): readonly PaymentLine[] {
  if (lines.length <= limit) return lines;
  const [fees, items] = [lines.filter(isCardFeeLine), lines.filter((line) => !isCardFeeLine(line))];
  const separateLines = limit - fees.length - 1;
  return [...items.slice(0, separateLines), mergeLines(items.slice(separateLines), locale), ...fees];
}

function mergeLines(lines: readonly PaymentLine[], locale: Language): PaymentLine {
  const recurring = lines[0]?.recurring;
  return {
    name: m.paymentMoreItems({ count: lines.length }, { locale }),
    description: [...new Set(lines.map(({ name }) => name))].join(', '),
    amount: lines.reduce((total, { amount }) => total + amount, 0),
    ...(recurring ? { recurring } : {}),
  };
}

function toLineItem({ name, description, amount, recurring }: PaymentLine, product?: string): LineItem {
  return {
    quantity: 1,
    price_data: {
      currency: CURRENCY,
      unit_amount: amount,
      ...(product === undefined ? { product_data: { name, description } } : { product }),
      ...(recurring ? { recurring: toStripeRecurrence(recurring) } : {}),
    },
  };
}

function toStripeRecurrence({ unit, count }: Recurrence): { interval: Recurrence['unit']; interval_count: number } {
  return { interval: unit, interval_count: count };
}

type Session = Stripe.Checkout.Session;

/** Expansions needed for the charge, and to distinguish a failed bank debit from one in progress. */
export const EXPANDED_FIELDS = [`payment_intent.${EXPANDED_INTENT_CHARGE}`, 'subscription', 'invoice'];

const FAILED_INTENTS: readonly string[] = ['requires_payment_method', 'canceled'];
/** Excludes active and incomplete, the possible statuses of a subscription while its first debit is in progress. */
const FAILED_SUBSCRIPTIONS: readonly string[] = ['incomplete_expired', 'past_due', 'unpaid', 'canceled'];
const FAILED_INVOICES: readonly string[] = ['void', 'uncollectible'];

/** The charge of a recurring gift's first invoice, or the status of the last attempt to pay it. */
export type FirstInvoice = { readonly charge?: ChargeFacts | undefined; readonly attemptStatus?: string | undefined };

/** @param session expanded with `EXPANDED_FIELDS` */
export function toPaymentFacts(
  session: Session,
  installation: string,
  { charge, attemptStatus }: FirstInvoice = {},
): PaymentFacts {
  const { payment_intent: intent } = session;
  return {
    sessionId: session.id,
    origin: getOrigin(session.metadata?.installation, installation),
    livemode: session.livemode,
    checkoutId: session.metadata?.checkoutId,
    orgId: session.metadata?.orgId,
    status: toPaymentStatus(session, attemptStatus),
    amount: getAmountPaidLater(session) ?? session.amount_total ?? 0,
    currency: session.currency ?? '',
    paymentId: getId(session.payment_intent) ?? getId(session.invoice),
    customerId: getId(session.customer),
    subscriptionId: getId(session.subscription),
    giftKey: typeof session.subscription === 'object' ? session.subscription?.metadata.giftKey : undefined,
    nextChargeAt: findNextCharge(session.subscription),
    payerEmail: session.customer_details?.email ?? session.customer_email ?? undefined,
    payerName: session.customer_details?.name ?? undefined,
    charge: charge ?? (typeof intent === 'object' && intent ? getIntentCharge(intent) : undefined),
  };
}

/** @param session from a list, without expansions */
export function toSessionSummary(session: Session, installation: string): SessionSummary {
  const metadata = session.metadata ?? {};
  return {
    sessionId: session.id,
    origin: getOrigin(metadata.installation, installation),
    livemode: session.livemode,
    orgId: metadata.orgId,
    checkoutId: metadata.checkoutId,
    userId: metadata.userId,
    state: getState(session),
    amount: session.amount_total ?? 0,
    currency: session.currency ?? '',
    isPaid: session.payment_status === 'paid',
    openedAt: new Date(session.created * 1000),
    url: session.url ?? undefined,
    cart: parseCart(metadata),
    tribute: parseTribute(metadata),
    coveredFee: parseSessionMetadata(metadata),
    language: session.locale ?? undefined,
  };
}

function getState({ status }: Session): SessionSummary['state'] {
  if (status === 'open') return 'open';
  return status === 'complete' ? 'complete' : 'expired';
}

/** @param line expanded with its price's product */
export function toPaymentLine({ description, price, amount_total }: Stripe.LineItem): PaymentLine {
  const product = typeof price?.product === 'object' && !price.product.deleted ? price.product : undefined;
  const { interval, interval_count: count } = price?.recurring ?? {};
  return {
    name: description ?? product?.name ?? '',
    description: product?.description ?? '',
    amount: amount_total,
    ...(count === undefined ? {} : { recurring: { unit: interval === 'year' ? 'year' : 'month', count } }),
  };
}

/** Determines the payment's status. A completed page may be unpaid, because a bank debit takes days and can fail. */
function toPaymentStatus(session: Session, attemptStatus: string | undefined): PaymentFacts['status'] {
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'complete') return 'open';
  // Our pages never have `no_payment_required`.
  if (session.payment_status === 'paid') return 'paid';
  if (session.payment_status === 'no_payment_required') return 'failed';
  if (getAmountPaidLater(session) !== undefined) return 'paid';
  return hasFailed(session) || FAILED_INTENTS.includes(attemptStatus ?? '') ? 'failed' : 'processing';
}

/**
 * Returns the amount that was paid later for a recurring gift's Checkout Session, for example with another card after a
 * failed debit. In that case the invoice is paid, but the session stays unpaid.
 */
export function getAmountPaidLater({ status, payment_status, invoice }: Session): number | undefined {
  if (status !== 'complete' || payment_status !== 'unpaid' || typeof invoice !== 'object') return undefined;
  const amount = invoice?.status === 'paid' ? getAmountPaidThroughStripe(invoice) : 0;
  return amount > 0 ? amount : undefined;
}

/** Returns the amount paid through Stripe. A payment outside Stripe can be recorded on an invoice, but has no charge. */
export function getAmountPaidThroughStripe({
  amount_paid,
  amount_paid_off_stripe: paidOutside = 0,
}: Stripe.Invoice): number {
  return amount_paid - paidOutside;
}

function hasFailed({ payment_intent, subscription, invoice }: Session): boolean {
  return (
    FAILED_INTENTS.includes(getStatus(payment_intent)) ||
    FAILED_SUBSCRIPTIONS.includes(getStatus(subscription)) ||
    FAILED_INVOICES.includes(getStatus(invoice))
  );
}

export function findNextCharge(subscription: Session['subscription']): Date | undefined {
  if (typeof subscription !== 'object' || subscription === null) return undefined;
  const { status, cancel_at_period_end: endsAtPeriodEnd, items } = subscription;
  const periodEnd = items.data[0]?.current_period_end;
  return status !== 'active' || endsAtPeriodEnd || periodEnd === undefined ? undefined : new Date(periodEnd * 1000);
}

function getStatus(resource: string | { readonly status: string | null } | null): string {
  return (typeof resource === 'object' && resource?.status) || '';
}
