import type { Transaction } from 'kysely';
import type { CoveredFee } from '#domain/card-fee.ts';
import type { CartItem } from '#domain/cart.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { postEntries } from '#server/features/ledger/post-entry.ts';
import { type IssueDeps, issueReceipts } from '#server/features/receipts/issue-receipt.ts';
import { lockOffsetterOf, noteGift } from '#server/features/stories/offsetters.ts';
import { queueCard, tributesOf } from '#server/features/tributes/tributes.ts';
import type { ChargeFacts } from '#server/gateways/payments/payment-facts.ts';
import type { CheckoutRow } from './checkouts.store.ts';
import { paymentOfFact, savePayments } from './payments.store.ts';
import { feeMovement, isSettledBy, recordSettlement, settledBy } from './post-movement.ts';

/** A payment of a checkout: the one on its page, or a renewal. */
export type NewGift = {
  readonly checkout: CheckoutRow;
  readonly kind: 'payment' | 'renewal';
  readonly fact: string;
  readonly amount: Cents;
  /** In the amount, and in each renewal from now on. */
  readonly coveredFee: CoveredFee;
  readonly carbon: TenThousandthsOfPound;
  readonly livemode: boolean;
  /** When the provider charged. */
  readonly occurredAt: Date;
  readonly charge: ChargeFacts | undefined;
  readonly sessionId?: string;
  readonly invoiceId: string | undefined;
  readonly subscriptionId: string | undefined;
  readonly payer: { readonly email?: string | undefined; readonly name?: string | undefined };
  readonly items: readonly CartItem[];
  readonly nextChargeAt: Date | undefined;
};

type PostedGift = NewGift & { readonly entryId: string };

/**
 * Posts gifts of an organization to the ledger with their charges, issues their receipts, and mails the card of a tribute
 * with the first payment. One that was posted before only gets what its charge cost, which the provider may settle later.
 * @param gifts of different checkouts, which are locked
 * @returns of each the giver's offsetter, if the gift is new and the giver was logged in and has one
 */
export async function postGifts(
  tx: Transaction<Tables>,
  deps: IssueDeps,
  orgId: string,
  gifts: readonly NewGift[],
): Promise<(string | undefined)[]> {
  // Locked before the totals, the order in which stories are edited: in the other order, both would wait forever.
  const offsetters = await lockOffsetters(tx, orgId, gifts);
  const entryIds = await postEntries(
    tx,
    gifts.map((gift) => entryOf(gift, deps.now())),
  );
  const posted: PostedGift[] = [];
  for (const [at, gift] of gifts.entries()) {
    const entryId = entryIds[at];
    if (entryId !== undefined) posted.push({ ...gift, entryId });
    else await settleAgain(tx, deps, gift);
  }
  if (posted.length > 0) await recordPosted(tx, deps, orgId, posted);
  for (const { checkout } of posted) {
    const offsetterId = offsetters.get(checkout.id);
    if (offsetterId !== undefined) await noteGift(tx, { orgId, offsetterId, at: deps.now() });
  }
  return gifts.map(({ checkout }, at) => (entryIds[at] === undefined ? undefined : offsetters.get(checkout.id)));
}

/** @returns the givers' offsetters by checkout */
async function lockOffsetters(
  tx: Transaction<Tables>,
  orgId: string,
  gifts: readonly NewGift[],
): Promise<ReadonlyMap<string, string>> {
  const users = Map.groupBy(gifts, ({ checkout }) => checkout.user_id);
  const found = new Map<string, string>();
  // In one order, so that no two transactions wait for each other forever.
  for (const userId of [...users.keys()].filter((user) => user !== null).toSorted()) {
    const offsetterId = await lockOffsetterOf(tx, orgId, userId);
    if (offsetterId === undefined) continue;
    for (const { checkout } of users.get(userId) ?? []) found.set(checkout.id, offsetterId);
  }
  return found;
}

function entryOf({ checkout, kind, fact, amount, carbon, livemode, occurredAt }: NewGift, knownAt: Date) {
  const { org_id: orgId, id: checkoutId, currency } = checkout;
  return { orgId, checkoutId, kind, fact, amount, carbon, currency, livemode, occurredAt, knownAt };
}

async function settleAgain(tx: Transaction<Tables>, deps: IssueDeps, { fact, charge }: NewGift): Promise<void> {
  const payment = charge && (await paymentOfFact(tx, fact));
  if (payment && !isSettledBy(payment, charge)) await recordSettlement(tx, deps, payment, charge);
}

async function recordPosted(
  tx: Transaction<Tables>,
  deps: IssueDeps,
  orgId: string,
  gifts: readonly PostedGift[],
): Promise<void> {
  await savePayments(tx, gifts.map(paymentRow));
  await postEntries(
    tx,
    gifts.flatMap((gift) => feeOf(gift, deps.now())),
  );
  const tributes = await tributesOf(
    tx,
    gifts.map(({ checkout }) => checkout.id),
  );
  await issueReceipts(
    tx,
    deps,
    orgId,
    gifts.map((gift) => ({
      checkoutId: gift.checkout.id,
      language: gift.checkout.language,
      ledgerEntryId: gift.entryId,
      amount: gift.amount,
      currency: gift.checkout.currency,
      livemode: gift.livemode,
      givenAt: gift.occurredAt,
      email: gift.payer.email,
      name: gift.payer.name,
      given: { kind: 'card', items: gift.items, coveredFee: gift.coveredFee },
      nextChargeAt: gift.nextChargeAt,
      tribute: tributes.get(gift.checkout.id),
    })),
  );
  for (const { kind, checkout } of gifts) {
    if (kind === 'payment' && tributes.has(checkout.id)) await queueCard(tx, deps, checkout.id);
  }
}

function paymentRow({ checkout, entryId, charge, ...gift }: PostedGift) {
  return {
    entry_id: entryId,
    org_id: checkout.org_id,
    checkout_id: checkout.id,
    session_id: gift.sessionId ?? null,
    intent_id: charge?.intentId ?? null,
    charge_id: charge?.chargeId ?? null,
    invoice_id: gift.invoiceId ?? null,
    subscription_id: gift.subscriptionId ?? null,
    charged_at: gift.occurredAt,
    amount_cents: gift.amount,
    covered_fee_cents: gift.coveredFee.first,
    currency: checkout.currency,
    livemode: gift.livemode,
    ...settledBy(charge?.settlement),
  };
}

function feeOf(gift: PostedGift, knownAt: Date) {
  const settlement = gift.charge?.settlement;
  if (!settlement || settlement.fee === 0) return [];
  return [{ ...entryOf(gift, knownAt), ...feeMovement(settlement) }];
}
