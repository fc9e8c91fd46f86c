import { attentionSubject } from '#domain/attention-subjects.ts';
import type { CoveredFee } from '#domain/card-fee.ts';
import { type CartItem, cartTotal } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { AppDeps } from '#server/deps.ts';
import { cartFromLines, coveredFeeFromLines, parseStoredCart } from '#server/features/checkouts/provider-cart.ts';
import { compareWithProvider, type ProviderDifference } from '#server/features/ledger/compare-with-provider.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { SessionSummary } from '#server/gateways/payments/payment-facts.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { findManuallyResolvedSubjects, findPageRecords, type PageRecord } from './recovery.store.ts';

export type LostPage = {
  readonly session: SessionSummary & { readonly orgId: OrgId; readonly checkoutId: CheckoutId };
  /** Undefined if only the payment is missing, not the checkout. */
  readonly cart: readonly CartItem[] | undefined;
  readonly coveredFee: CoveredFee;
  /** True if the provider stored the whole cart; otherwise the carbon is rounded. */
  readonly isExact: boolean;
  /** True if the payment is in the books, and only the checkout is missing. */
  readonly isPosted: boolean;
};

/** A charge that is missing from the books, or that has later changes missing from the books. */
export type LostCharge = {
  readonly chargeId: string;
  readonly checkoutId: CheckoutId | undefined;
  readonly differences: readonly ProviderDifference[];
};

/** A page or charge that isn't recovered automatically. */
export type UnrecoveredItem = {
  readonly id: string;
  readonly reason: string;
  readonly amount: number;
  readonly currency: string;
};

export type LostRecords = {
  /** Oldest first. */
  readonly pages: readonly LostPage[];
  readonly charges: readonly LostCharge[];
  readonly unrecoveredItems: readonly UnrecoveredItem[];
  /** Numbers of pages and charges that belong to other programs and installations. */
  readonly otherInstallations: { readonly pages: number; readonly charges: number };
};

export type FindDeps = Pick<AppDeps, 'db' | 'payments' | 'livemode' | 'now'>;

/**
 * Finds records at the provider that are missing from the books, such as after restoring a backup: checkouts, payments,
 * renewals, refunds, disputes, and fees. Changes nothing.
 * @param forcedIds ids of pages and charges to recover even if they need attention or a person has resolved them
 * @returns Failure payment-unavailable
 */
export async function findLostRecords(
  deps: FindDeps,
  forcedIds: ReadonlySet<string> = new Set(),
): Promise<LostRecords | Failure> {
  const search: PageSearch = { pages: [], unrecoveredItems: [], unrecoveredCheckouts: new Set(), foreignPageCount: 0 };
  const failures: Failure[] = [];
  const listResult = await deps.payments.listSessions(async (sessions) => {
    const failure = await searchPages(deps, sessions, forcedIds, search);
    if (failure) failures.push(failure);
  });
  const failure = listResult instanceof Failure ? listResult : failures[0];
  if (failure) return failure;
  const comparison = await compareWithProvider(deps);
  if (comparison instanceof Failure) return comparison;
  const pages = search.pages
    .reverse()
    .toSorted((page, otherPage) => page.session.openedAt.getTime() - otherPage.session.openedAt.getTime());
  const charges = await findLostCharges(
    deps,
    [...comparison.differences, ...comparison.resolvedDifferences],
    search.unrecoveredCheckouts,
    forcedIds,
  );
  return {
    pages,
    charges: charges.lostCharges,
    unrecoveredItems: [...search.unrecoveredItems, ...charges.unrecoveredItems],
    otherInstallations: { pages: search.foreignPageCount, charges: comparison.foreignCharges },
  };
}

type PageSearch = {
  readonly pages: LostPage[];
  readonly unrecoveredItems: UnrecoveredItem[];
  readonly unrecoveredCheckouts: Set<string | undefined>;
  /** Number of pages that belong to other programs and installations. */
  foreignPageCount: number;
};

async function searchPages(
  { db, payments }: FindDeps,
  sessions: readonly SessionSummary[],
  forcedIds: ReadonlySet<string>,
  search: PageSearch,
): Promise<Failure | undefined> {
  const records = new Map((await findPageRecords(db.kysely, sessions)).map((record) => [record.session_id, record]));
  for (const session of sessions) {
    if (session.state === 'expired') continue;
    if (!isOurs(session)) {
      search.foreignPageCount += 1;
      continue;
    }
    const record = records.get(session.sessionId);
    if (record?.payment_status && !isMissingHere(session, record)) continue;
    const { sessionId: id, amount, currency } = session;
    const reason = forcedIds.has(id) ? undefined : findSkipReason(record);
    const result = reason === undefined ? await readLostPage(payments, session, record) : reason;
    if (result instanceof Failure) return result;
    if (typeof result === 'string') {
      search.unrecoveredItems.push({ id, reason: result, amount, currency });
      search.unrecoveredCheckouts.add(session.checkoutId);
    } else search.pages.push(result);
  }
  return undefined;
}

/**
 * Returns whether the provider has a payment for the checkout that isn't recorded here. A paid checkout may have been
 * paid again on another page.
 */
function isMissingHere({ state, isPaid }: SessionSummary, { payment_status, is_posted }: PageRecord): boolean {
  const isBehind = payment_status === 'unpaid' || payment_status === 'expired';
  return state === 'complete' && !is_posted && (isPaid || isBehind);
}

function findSkipReason(record: PageRecord | undefined): string | undefined {
  if (record?.attention === 'resolved' && !record.is_posted) return 'it was resolved manually';
  if (record?.attention === 'open' && record.payment_status !== null)
    return 'it needs attention, and its checkout is in the database';
  return undefined;
}

/** @returns the page, or the reason why it can't be recovered */
async function readLostPage(
  payments: Payments,
  session: SessionSummary,
  record: PageRecord | undefined,
): Promise<LostPage | string | Failure> {
  const { orgId, checkoutId, amount, currency, sessionId } = session;
  if (orgId === undefined || checkoutId === undefined) return 'it has no checkout id';
  const { coveredFee } = session;
  const page = { session: { ...session, orgId, checkoutId }, isPosted: record?.is_posted === true, isExact: true };
  if (record?.payment_status) return { ...page, cart: undefined, coveredFee };
  if (record?.org_currency == null) return `there is no organization ${orgId}`;
  if (record.org_currency !== currency) return `it is not in the currency of ${orgId}`;
  const storedCart = session.cart === undefined ? undefined : parseStoredCart(session.cart);
  if (storedCart && cartTotal(storedCart) + coveredFee.initial === amount)
    return { ...page, cart: storedCart, coveredFee };
  const lines = await payments.readSessionLines(sessionId);
  if (lines instanceof Failure) return lines;
  const cart = cartFromLines(lines);
  const fee = coveredFeeFromLines(lines);
  return cartTotal(cart) + fee.initial === amount && cart.length > 0
    ? { ...page, cart, coveredFee: fee, isExact: false }
    : 'its lines don’t add up to the amount paid';
}

/** Finds charges that can be repaired by reading them again. A person must check extra money in the books. */
async function findLostCharges(
  { db }: FindDeps,
  differences: readonly ProviderDifference[],
  unrecoveredCheckouts: ReadonlySet<string | undefined>,
  forcedIds: ReadonlySet<string>,
): Promise<{ readonly lostCharges: LostCharge[]; readonly unrecoveredItems: UnrecoveredItem[] }> {
  const missingCharges = differences.filter(
    ({ kind, bookCents, chargeId, owner }) =>
      (bookCents === undefined || kind === 'refunds' || kind === 'disputes') &&
      chargeId !== undefined &&
      !(owner && unrecoveredCheckouts.has(owner.checkoutId)),
  );
  const byCharge = Map.groupBy(missingCharges, ({ chargeId = '' }) => chargeId);
  const subjects = missingCharges.flatMap(({ chargeId, owner }) => [
    attentionSubject('charge', chargeId ?? ''),
    attentionSubject('invoice', owner?.invoiceId ?? ''),
  ]);
  const resolvedSubjects = await findManuallyResolvedSubjects(db.kysely, subjects);
  const lostCharges: LostCharge[] = [];
  const unrecoveredItems: UnrecoveredItem[] = [];
  for (const [chargeId, chargeDifferences] of byCharge) {
    const owner = chargeDifferences.find((difference) => difference.owner)?.owner;
    const isResolved =
      resolvedSubjects.has(attentionSubject('charge', chargeId)) ||
      resolvedSubjects.has(attentionSubject('invoice', owner?.invoiceId ?? ''));
    const { providerCents: amount = 0, currency = '' } = chargeDifferences[0] ?? {};
    if (isResolved && !forcedIds.has(chargeId))
      unrecoveredItems.push({ id: chargeId, reason: 'it was resolved manually', amount, currency });
    else lostCharges.push({ chargeId, checkoutId: owner?.checkoutId, differences: chargeDifferences });
  }
  return { lostCharges: lostCharges.reverse(), unrecoveredItems };
}
