import { localizeAddress, toStoredLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { ParsedBody } from '#contract/schemas.ts';
import { type CoveredFee, calculateFeeCoverage, chargeFailure, NO_COVERED_FEE } from '#domain/card-fee.ts';
import {
  type CartItem,
  cartCarbon,
  cartInterval,
  cartTotal,
  itemDescription,
  itemTitle,
  recurringSuffix,
  type SubmittedItem,
} from '#domain/cart.ts';
import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { SPECIFIED_FACTORS } from '#domain/emissions.ts';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId } from '#domain/ids.ts';
import { type Cents, formatCents, toChargedCents } from '#domain/money.ts';
import type { Actor } from '#domain/permissions.ts';
import { delayedSavingsSentence } from '#domain/saving-years.ts';
import { parseTribute } from '#domain/tribute.ts';
import { completeCart } from '#domain/validate-cart.ts';
import { type Language, m } from '#messages';
import { newId } from '#server/db/new-id.ts';
import { createInTransaction } from '#server/db/transaction.ts';
import type { AppDeps, AppSettings, WithSettings } from '#server/deps.ts';
import { changeCheckout, findCheckoutRow } from '#server/entities/find-checkout.ts';
import { filterUsedFactorVersions, type OrgFacts } from '#server/entities/find-org.ts';
import { findVerifiedUser } from '#server/entities/find-user.ts';
import { findSavingYears } from '#server/features/ledger/org-stats.ts';
import { checkRateLimit, hashClient } from '#server/features/rate-limits/check-rate-limit.ts';
import { checkDeclineLimits } from '#server/features/rate-limits/decline-limits.ts';
import { findNewestOffsetter } from '#server/features/stories/offsetters.ts';
import { saveTribute } from '#server/features/tributes/tributes.ts';
import type { PaymentLine, PaymentRequest } from '#server/gateways/payments/payments.ts';
import { insertCheckout } from './checkouts.store.ts';
import { serializeCart } from './provider-cart.ts';

type CheckoutRequest = ParsedBody<'createCheckout'>;
/** `creatorHash` recognizes the browser later (see browser-cookie.ts). */
type Visit = { readonly ipAddress: string; readonly language: Language; readonly creatorHash?: string };
type Deps = Pick<AppDeps, 'db' | 'payments' | 'publicUrl' | 'now' | 'challenge'> & WithSettings<'cardFee'>;

/** Stripe allows 24 hours. Until its first response, the difference between its clock and ours is unknown. */
const EXPIRY_MARGIN_MINUTES = 5;

/**
 * Opens a checkout: recomputes and saves the cart, then requests a payment page from Stripe. The checkout belongs to the
 * signed-in user if the user's email is verified.
 *
 * @param visit its language is used for the payment page and for later emails
 * @returns the checkout's id and the payment page's URL, or a Failure: one that names an incorrect cart item or tribute
 * field, payment-unavailable, clock-wrong, card-fee-not-offered, total-changed, too-many-requests, cards-declined, challenge-needed
 */
export async function createCheckout(
  deps: Deps,
  org: OrgFacts,
  body: CheckoutRequest,
  actor: Actor,
  { ipAddress, language, creatorHash }: Visit,
): Promise<{ id: string; url: string } | Failure> {
  const versions = await listAcceptedFactorVersions(deps.db, org, body.cart);
  const cart = completeCart(
    body.cart.map((item) => toSubmittedItem(item, versions)),
    org.factors,
  );
  if (cart instanceof Failure) return cart;
  const feeCoverage = calculateCoveredFee(body, cart, deps.settings.cardFee);
  if (feeCoverage instanceof Failure) return feeCoverage;
  const tribute = body.tribute && parseTribute(body.tribute);
  if (tribute instanceof Failure) return tribute;
  const failure =
    (await checkDeclineLimits(deps, ipAddress, body.challenge)) ??
    (await checkRateLimit(deps, 'checkout', { client: ipAddress }));
  if (failure) return failure;
  const key = { orgId: org.id, checkoutId: newId() };
  const createdAt = deps.now();
  const payer = await findVerifiedUser(deps.db.kysely, actor);
  // Save before calling the provider, so that no payment can arrive for a missing checkout.
  const checkout = {
    id: key.checkoutId,
    org_id: org.id,
    cart: JSON.stringify(cart),
    total_cents: cartTotal(cart) + feeCoverage.initial,
    covered_fee_cents: feeCoverage.initial,
    covered_renewal_fee_cents: feeCoverage.renewal,
    carbon: cartCarbon(cart),
    created_at: createdAt,
    client_hash: hashClient(ipAddress),
    creator_hash: creatorHash ?? null,
    language: toStoredLanguage(language),
  };
  await createInTransaction(
    deps.db,
    async (tx) => {
      await insertCheckout(tx, checkout, payer);
      if (tribute) await saveTribute(tx, key, tribute, createdAt);
    },
    async () => (await findCheckoutRow(deps.db.kysely, key)) !== undefined,
  );
  const hasOffsetter = payer && (await findNewestOffsetter(deps.db.kysely, org.id, payer.userId)) !== undefined;
  const returnPage = hasOffsetter ? 'checkout-complete-page' : 'checkout-page';
  const request = {
    ...buildPaymentRequest(
      org,
      key.checkoutId,
      { cart, feeCoverage },
      { createdAt, returnPage, publicUrl: deps.publicUrl(), language },
    ),
    notice:
      cartCarbon(cart) > 0 ? delayedSavingsSentence(await findSavingYears(deps.db, org.id), { locale: language }) : '',
    userId: payer?.userId,
    tribute: tribute && { kind: tribute.kind, name: tribute.name },
    giftKey: newId(),
  };
  const session = await deps.payments.createSession(request);
  if (session instanceof Failure) return session;
  await changeCheckout(deps.db.kysely, key, { provider_session_id: session.sessionId, payment_url: session.url });
  return { id: key.checkoutId, url: session.url };
}

/** The minimum applies to the gift without the fee; Stripe's maximum applies to the whole charge. */
function calculateCoveredFee(
  { coversFee, total: submittedTotal }: CheckoutRequest,
  cart: readonly CartItem[],
  cardFee: AppSettings['cardFee'],
): CoveredFee | Failure {
  if (coversFee && !cardFee) return new Failure('card-fee-not-offered', { field: 'coversFee' });
  const feeCoverage = coversFee && cardFee ? calculateFeeCoverage(cart, cardFee) : NO_COVERED_FEE;
  const total = cartTotal(cart) + feeCoverage.initial;
  if (submittedTotal !== undefined && toChargedCents(submittedTotal) !== total)
    return new Failure('total-changed', {
      expected: formatCents(total),
      actual: formatCents(toChargedCents(submittedTotal)),
      field: 'total',
    });
  return chargeFailure(cart, feeCoverage) ?? feeCoverage;
}

/** Keeps only the fields that a visitor may set; the program writes titles and descriptions (decisions §6). */
function toSubmittedItem(item: CheckoutRequest['cart'][number], versions: readonly string[]): SubmittedItem {
  const { type, cost, carbon, offsetType, recurring, recurringInterval, factorsVersion } = item;
  return {
    type,
    cost,
    ...(carbon === undefined ? {} : { carbon }),
    ...(offsetType === undefined ? {} : { offsetType }),
    ...(recurring === undefined ? {} : { recurring }),
    ...(recurringInterval === undefined ? {} : { recurringInterval }),
    ...(factorsVersion !== undefined && versions.includes(factorsVersion) ? { factorsVersion } : {}),
  };
}

/**
 * Lists the factor versions accepted in a cart: the current ones and earlier ones of this organization. An item keeps its
 * version, but gets today's price. Unknown versions are dropped.
 */
async function listAcceptedFactorVersions(
  db: Deps['db'],
  { id, factors = SPECIFIED_FACTORS }: OrgFacts,
  cart: CheckoutRequest['cart'],
): Promise<readonly string[]> {
  const currentVersions = [SPECIFIED_FACTORS.version, factors.version];
  const otherVersions = cart.flatMap(({ factorsVersion = SPECIFIED_FACTORS.version }) =>
    currentVersions.includes(factorsVersion) ? [] : [factorsVersion],
  );
  return otherVersions.length === 0
    ? currentVersions
    : [...currentVersions, ...(await filterUsedFactorVersions(db, id, otherVersions))];
}

type PaymentPageOptions = {
  readonly createdAt: Date;
  /** A payer who already has an offsetter skips the profile step (decisions §3). */
  readonly returnPage: 'checkout-page' | 'checkout-complete-page';
  readonly publicUrl: string;
  readonly language: Language;
};

function buildPaymentRequest(
  org: OrgFacts,
  checkoutId: CheckoutId,
  { cart, feeCoverage }: { readonly cart: readonly CartItem[]; readonly feeCoverage: CoveredFee },
  { createdAt, returnPage, publicUrl, language }: PaymentPageOptions,
): Omit<PaymentRequest, 'userId' | 'giftKey' | 'tribute'> {
  const pageUrl: typeof pagePath = (page, params) => publicUrl + localizeAddress(pagePath(page, params), language);
  const lifetimeMs = (CHECKOUT_OPEN_MINUTES - EXPIRY_MARGIN_MINUTES) * 60_000;
  return {
    orgId: org.id,
    orgName: org.name,
    checkoutId,
    lines: [...cart.map((item) => toPaymentLine(item, language)), ...buildFeeLines(cart, feeCoverage, language)],
    cart: serializeCart(cart),
    coveredFee: feeCoverage,
    language,
    successUrl: pageUrl(returnPage, { orgid: org.id, checkoutid: checkoutId }),
    cancelUrl: `${pageUrl('home-page', { orgid: org.id })}?cancelled=${checkoutId}`,
    expiresAt: new Date(createdAt.getTime() + lifetimeMs),
  };
}

/** Presents an item in the visitor's language. The stored cart is in English. */
function toPaymentLine({ recurring, recurringInterval, ...item }: CartItem, locale: Language): PaymentLine {
  const suffix = recurringSuffix(recurring, recurringInterval, { locale });
  return {
    name: itemTitle(item.type, item.offsetType, { locale }),
    description: `${itemDescription(item, { locale })} ${suffix}`.trim(),
    amount: toChargedCents(item.cost),
    ...(recurring === 'no' ? {} : { recurring: { unit: recurring, count: recurringInterval ?? 1 } }),
  };
}

/** Builds the lines for the covered fees of recurring and one-time items. The first charge includes both. */
function buildFeeLines(cart: readonly CartItem[], { initial, renewal }: CoveredFee, locale: Language): PaymentLine[] {
  const interval = cartInterval(cart);
  const line = (amount: Cents, suffix = ''): PaymentLine => ({
    name: m.cardFeeLine({}, { locale }),
    description: `${m.cardFeeLineWhy({}, { locale })} ${suffix}`.trim(),
    amount,
  });
  const recurringLine = interval && {
    ...line(renewal, recurringSuffix(interval.unit, interval.count, { locale })),
    recurring: interval,
  };
  return [...(recurringLine ? [recurringLine] : []), line(initial - renewal)].filter(({ amount }) => amount > 0);
}
