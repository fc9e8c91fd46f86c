import type { CoveredFee } from '#domain/card-fee.ts';
import { type CartItem, cartTotal } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { AppDeps } from '#server/deps.ts';
import { cartOfLines, coveredFeeOfLines, parseStoredCart } from '#server/features/checkouts/provider-cart.ts';
import { compareWithProvider, type ProviderDifference } from '#server/features/ledger/compare-with-provider.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { PastSession } from '#server/gateways/payments/payment-facts.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { type KnownPage, knownPages, settledByHand } from './recovery.store.ts';

export type LostPage = {
  readonly session: PastSession & { readonly orgId: OrgId; readonly checkoutId: CheckoutId };
  /** Undefined if the checkout is here, and only its payment is missing. */
  readonly cart: readonly CartItem[] | undefined;
  readonly coveredFee: CoveredFee;
  /** True if the provider stored the whole cart; otherwise the carbon is rounded. */
  readonly isExact: boolean;
  /** True if the payment is in the books, and only the checkout is missing. */
  readonly isPosted: boolean;
};

/** A charge that is missing from the books, or whose later changes are missing. */
export type LostCharge = {
  readonly chargeId: string;
  readonly checkoutId: CheckoutId | undefined;
  readonly differences: readonly ProviderDifference[];
};

/** A page or charge that isn't recovered automatically, and the reason. */
export type LeftAlone = {
  readonly id: string;
  readonly reason: string;
  readonly amount: number;
  readonly currency: string;
};

export type Lost = {
  /** The oldest first. */
  readonly pages: readonly LostPage[];
  readonly charges: readonly LostCharge[];
  readonly leftAlone: readonly LeftAlone[];
  /** Numbers of pages and charges that belong to other programs and installations. */
  readonly foreign: { readonly pages: number; readonly charges: number };
};

export type FindDeps = Pick<AppDeps, 'db' | 'payments' | 'livemode' | 'now'>;

/**
 * Finds records at the provider that the books lack, such as after restoring a backup: checkouts, payments, renewals,
 * refunds, disputes, and fees. Changes nothing.
 * @param named the ids of pages and charges to recover although they would be left alone
 * @returns Failure payment-unavailable
 */
export async function findLost(deps: FindDeps, named: ReadonlySet<string> = new Set()): Promise<Lost | Failure> {
  const found: Found = { pages: [], leftAlone: [], leftCheckouts: new Set(), foreign: 0 };
  const failures: Failure[] = [];
  const listed = await deps.payments.listSessions(async (sessions) => {
    const failure = await sortPages(deps, sessions, named, found);
    if (failure) failures.push(failure);
  });
  const failure = listed instanceof Failure ? listed : failures[0];
  if (failure) return failure;
  const compared = await compareWithProvider(deps);
  if (compared instanceof Failure) return compared;
  const pages = found.pages
    .reverse()
    .toSorted((one, other) => one.session.openedAt.getTime() - other.session.openedAt.getTime());
  const charges = await lostCharges(deps, [...compared.differences, ...compared.settled], found, named);
  return {
    pages,
    charges: charges.lost,
    leftAlone: [...found.leftAlone, ...charges.leftAlone],
    foreign: { pages: found.foreign, charges: compared.foreignCharges },
  };
}

type Found = {
  readonly pages: LostPage[];
  readonly leftAlone: LeftAlone[];
  /** The checkouts of the pages that are left alone. */
  readonly leftCheckouts: Set<string | undefined>;
  foreign: number;
};

async function sortPages(
  { db, payments }: FindDeps,
  sessions: readonly PastSession[],
  named: ReadonlySet<string>,
  found: Found,
): Promise<Failure | undefined> {
  const known = new Map((await knownPages(db.kysely, sessions)).map((page) => [page.session_id, page]));
  for (const session of sessions) {
    if (session.state === 'expired') continue;
    if (!isOurs(session)) {
      found.foreign += 1;
      continue;
    }
    const here = known.get(session.sessionId);
    if (here?.payment_status && !isUnrecorded(session, here)) continue;
    const { sessionId: id, amount, currency } = session;
    const reason = named.has(id) ? undefined : reasonToLeave(here);
    const lost = reason === undefined ? await lostPage(payments, session, here) : reason;
    if (lost instanceof Failure) return lost;
    if (typeof lost === 'string') {
      found.leftAlone.push({ id, reason: lost, amount, currency });
      found.leftCheckouts.add(session.checkoutId);
    } else found.pages.push(lost);
  }
  return undefined;
}

/**
 * Whether the provider knows more of a checkout's payment than the checkout itself. A checkout that is paid can have been
 * paid again, on another page.
 */
function isUnrecorded({ state, isPaid }: PastSession, { payment_status, is_posted }: KnownPage): boolean {
  const isBehind = payment_status === 'unpaid' || payment_status === 'expired';
  return state === 'complete' && !is_posted && (isPaid || isBehind);
}

function reasonToLeave(here: KnownPage | undefined): string | undefined {
  if (here?.attention === 'settled' && !here.is_posted) return 'a person has settled it by hand';
  if (here?.attention === 'open' && here.payment_status !== null) return 'it needs attention, and its checkout is here';
  return undefined;
}

async function lostPage(
  payments: Payments,
  session: PastSession,
  here: KnownPage | undefined,
): Promise<LostPage | string | Failure> {
  const { orgId, checkoutId, amount, currency, sessionId } = session;
  if (orgId === undefined || checkoutId === undefined) return 'it names no checkout';
  const { coveredFee } = session;
  const page = { session: { ...session, orgId, checkoutId }, isPosted: here?.is_posted === true, isExact: true };
  if (here?.payment_status) return { ...page, cart: undefined, coveredFee };
  if (here?.org_currency == null) return `there is no organization ${orgId}`;
  if (here.org_currency !== currency) return `it is not in the currency of ${orgId}`;
  const kept = session.cart === undefined ? undefined : parseStoredCart(session.cart);
  if (kept && cartTotal(kept) + coveredFee.first === amount) return { ...page, cart: kept, coveredFee };
  const lines = await payments.readLines(sessionId);
  if (lines instanceof Failure) return lines;
  const cart = cartOfLines(lines);
  const fee = coveredFeeOfLines(lines);
  return cartTotal(cart) + fee.first === amount && cart.length > 0
    ? { ...page, cart, coveredFee: fee, isExact: false }
    : 'its lines do not add up to what was paid';
}

/** Charges that can be repaired by reading them again. If the books contain too much, a person has to check. */
async function lostCharges(
  { db }: FindDeps,
  differences: readonly ProviderDifference[],
  { leftCheckouts }: Found,
  named: ReadonlySet<string>,
): Promise<{ readonly lost: LostCharge[]; readonly leftAlone: LeftAlone[] }> {
  const missing = differences.filter(
    ({ kind, books, chargeId, owner }) =>
      (books === undefined || kind === 'refunds' || kind === 'disputes') &&
      chargeId !== undefined &&
      !(owner && leftCheckouts.has(owner.checkoutId)),
  );
  const byCharge = Map.groupBy(missing, ({ chargeId = '' }) => chargeId);
  const subjects = missing.flatMap(({ chargeId, owner }) => [`charge:${chargeId}`, `invoice:${owner?.invoiceId}`]);
  const settled = await settledByHand(db.kysely, subjects);
  const lost: LostCharge[] = [];
  const leftAlone: LeftAlone[] = [];
  for (const [chargeId, theirs] of byCharge) {
    const owner = theirs.find((each) => each.owner)?.owner;
    const isSettled = settled.has(`charge:${chargeId}`) || settled.has(`invoice:${owner?.invoiceId}`);
    const { provider: amount = 0, currency = '' } = theirs[0] ?? {};
    if (isSettled && !named.has(chargeId))
      leftAlone.push({ id: chargeId, reason: 'a person has settled it by hand', amount, currency });
    else lost.push({ chargeId, checkoutId: owner?.checkoutId, differences: theirs });
  }
  return { lost: lost.reverse(), leftAlone };
}
