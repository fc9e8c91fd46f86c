import { inLanguage, storedLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { ReceivedBody } from '#contract/schemas.ts';
import { type CoveredFee, chargeFailure, coveredFee, NOT_COVERED } from '#domain/card-fee.ts';
import {
  type CartItem,
  type ClaimedItem,
  cartCarbon,
  cartInterval,
  cartTotal,
  itemDescription,
  itemTitle,
  recurringSuffix,
} from '#domain/cart.ts';
import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { SPECIFIED } from '#domain/emissions.ts';
import { Failure } from '#domain/failures.ts';
import { type Cents, chargeOf, formatCents } from '#domain/money.ts';
import type { Actor } from '#domain/permissions.ts';
import { laterSentence } from '#domain/saving-years.ts';
import { parseTribute } from '#domain/tribute.ts';
import { completeCart } from '#domain/whole-cart.ts';
import { type Language, m } from '#messages';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { changeCheckout } from '#server/entities/find-checkout.ts';
import { type OrgFacts, usedVersions } from '#server/entities/find-org.ts';
import { verifiedUser } from '#server/entities/find-user.ts';
import { savingYearsOf } from '#server/features/ledger/org-stats.ts';
import { refuseCards } from '#server/features/rate-limits/card-brake.ts';
import { checkRateLimit, clientKey } from '#server/features/rate-limits/check-rate-limit.ts';
import { newestOffsetterOf } from '#server/features/stories/offsetters.ts';
import { keepTribute } from '#server/features/tributes/tributes.ts';
import type { PaymentLine, PaymentRequest } from '#server/gateways/payments/payments.ts';
import { insertCheckout } from './checkouts.store.ts';
import { keptCart } from './kept-cart.ts';

type Sent = ReceivedBody<'createCheckout'>;
/** `client` is an IP address. */
type Visit = { readonly client: string; readonly language: Language };
type Deps = Pick<AppDeps, 'db' | 'payments' | 'publicUrl' | 'now' | 'cardFee' | 'challenge'>;

/** The provider allows 24 hours by its own clock, which may be ahead of ours. */
const MARGIN_MINUTES = 5;

/**
 * Opens a checkout: recomputes and saves the cart, then requests a payment page from the provider. The checkout belongs to
 * the signed-in user if the user's email is verified.
 *
 * @param visit its language is used for the payment page and for later emails
 * @returns the checkout's id and the payment page's URL, or a Failure: one that names the item of a cart that doesn't add up or
 * the field of a tribute, payment-unavailable, card-fee-not-offered, total-changed, too-many-requests, cards-declined,
 * challenge-needed
 */
export async function createCheckout(
  deps: Deps,
  org: OrgFacts,
  sent: Sent,
  actor: Actor,
  { client, language }: Visit,
): Promise<{ id: string; url: string } | Failure> {
  const versions = await knownVersions(deps.db, org, sent.cart);
  const cart = completeCart(
    sent.cart.map((item) => claimOf(item, versions)),
    org.factors,
  );
  if (cart instanceof Failure) return cart;
  const covered = coveredFeeOf(sent, cart, deps.cardFee);
  if (covered instanceof Failure) return covered;
  const tribute = sent.tribute && parseTribute(sent.tribute);
  if (tribute instanceof Failure) return tribute;
  const refused =
    (await refuseCards(deps, client, sent.challenge)) ?? (await checkRateLimit(deps, 'checkout', { client }));
  if (refused) return refused;
  const key = { orgId: org.id, checkoutId: newId() };
  const createdAt = deps.now();
  const payer = await verifiedUser(deps.db.kysely, actor);
  // Saved before the provider knows it, so that no payment can arrive for a missing checkout.
  const checkout = {
    id: key.checkoutId,
    org_id: org.id,
    cart: JSON.stringify(cart),
    total_cents: cartTotal(cart) + covered.first,
    covered_fee_cents: covered.first,
    covered_renewal_fee_cents: covered.renewal,
    carbon: cartCarbon(cart),
    created_at: createdAt,
    client: clientKey(client),
    language: storedLanguage(language),
  };
  await inTransaction(deps.db, async (tx) => {
    await insertCheckout(tx, checkout, payer);
    if (tribute) await keepTribute(tx, key, tribute, createdAt);
  });
  const hasOffsetter = payer && (await newestOffsetterOf(deps.db.kysely, org.id, payer.userId)) !== undefined;
  const returnPage = hasOffsetter ? 'checkout-complete-page' : 'checkout-page';
  const request = {
    ...paymentRequest(
      org,
      key.checkoutId,
      { cart, covered },
      { createdAt, returnPage, publicUrl: deps.publicUrl(), language },
    ),
    notice: cartCarbon(cart) > 0 ? laterSentence(await savingYearsOf(deps.db, org.id), { locale: language }) : '',
    userId: payer?.userId,
    tribute: tribute && { kind: tribute.kind, name: tribute.name },
    giftKey: newId(),
  };
  const opened = await deps.payments.open(request);
  if (opened instanceof Failure) return opened;
  await changeCheckout(deps.db.kysely, key, { provider_session_id: opened.sessionId, payment_url: opened.url });
  return { id: key.checkoutId, url: opened.url };
}

/** The minimum is the gift's alone, and the provider's maximum that of the whole charge. */
function coveredFeeOf(
  { coversFee, total: told }: Sent,
  cart: readonly CartItem[],
  offered: AppDeps['cardFee'],
): CoveredFee | Failure {
  if (coversFee && !offered) return new Failure('card-fee-not-offered', { field: 'coversFee' });
  const covered = coversFee && offered ? coveredFee(cart, offered) : NOT_COVERED;
  const total = cartTotal(cart) + covered.first;
  if (told !== undefined && chargeOf(told) !== total)
    return new Failure('total-changed', {
      expected: formatCents(total),
      actual: formatCents(chargeOf(told)),
      field: 'total',
    });
  return chargeFailure(cart, covered) ?? covered;
}

/** Only what a visitor may claim; the program writes titles and descriptions (decisions §6). */
function claimOf(item: Sent['cart'][number], versions: readonly string[]): ClaimedItem {
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
 * Of the versions that a cart names, those that this organization has used: an item keeps the one that its pounds were
 * computed with, at today's price. Another name counts as none.
 */
async function knownVersions(
  db: Deps['db'],
  { id, factors = SPECIFIED }: OrgFacts,
  cart: Sent['cart'],
): Promise<readonly string[]> {
  const known = [SPECIFIED.version, factors.version];
  const others = cart.flatMap(({ factorsVersion = SPECIFIED.version }) =>
    known.includes(factorsVersion) ? [] : [factorsVersion],
  );
  return others.length === 0 ? known : [...known, ...(await usedVersions(db, id, others))];
}

type Opening = {
  readonly createdAt: Date;
  /** A payer who already has an offsetter is not asked for another (decisions §3). */
  readonly returnPage: 'checkout-page' | 'checkout-complete-page';
  readonly publicUrl: string;
  readonly language: Language;
};

function paymentRequest(
  org: OrgFacts,
  checkoutId: string,
  { cart, covered }: { readonly cart: readonly CartItem[]; readonly covered: CoveredFee },
  { createdAt, returnPage, publicUrl, language }: Opening,
): Omit<PaymentRequest, 'userId' | 'giftKey' | 'tribute'> {
  const pageUrl: typeof pagePath = (page, params) => publicUrl + inLanguage(pagePath(page, params), language);
  const open = (CHECKOUT_OPEN_MINUTES - MARGIN_MINUTES) * 60_000;
  return {
    orgId: org.id,
    orgName: org.name,
    checkoutId,
    lines: [...cart.map((item) => paymentLine(item, language)), ...feeLines(cart, covered, language)],
    cart: keptCart(cart),
    coveredFee: covered,
    language,
    successUrl: pageUrl(returnPage, { orgid: org.id, checkoutid: checkoutId }),
    cancelUrl: `${pageUrl('home-page', { orgid: org.id })}?cancelled=${checkoutId}`,
    expiresAt: new Date(createdAt.getTime() + open),
  };
}

/** In the language of its reader; the cart itself is kept in English. */
function paymentLine({ recurring, recurringInterval, ...item }: CartItem, locale: Language): PaymentLine {
  const suffix = recurringSuffix(recurring, recurringInterval, { locale });
  return {
    name: itemTitle(item.type, item.offsetType, { locale }),
    description: `${itemDescription(item, { locale })} ${suffix}`.trim(),
    amount: chargeOf(item.cost),
    ...(recurring === 'no' ? {} : { recurring: { unit: recurring, count: recurringInterval ?? 1 } }),
  };
}

/** For the items that recur, and for the rest: both are charged together at first. */
function feeLines(cart: readonly CartItem[], { first, renewal }: CoveredFee, locale: Language): PaymentLine[] {
  const interval = cartInterval(cart);
  const line = (amount: Cents, suffix = ''): PaymentLine => ({
    name: m.cardFeeLine({}, { locale }),
    description: `${m.cardFeeLineWhy({}, { locale })} ${suffix}`.trim(),
    amount,
  });
  const again = interval && {
    ...line(renewal, recurringSuffix(interval.unit, interval.count, { locale })),
    recurring: interval,
  };
  return [...(again ? [again] : []), line(first - renewal)].filter(({ amount }) => amount > 0);
}
