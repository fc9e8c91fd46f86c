import type { Transaction } from 'kysely';
import type { CoveredFee } from '#domain/card-fee.ts';
import type { CartItem } from '#domain/cart.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import type { CheckoutRow } from '#server/entities/find-checkout.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { type IssueDeps, issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { findNewestOffsetter, recordLastOffset } from '#server/features/stories/offsetters.ts';
import { findTribute, queueTributeCard } from '#server/features/tributes/tributes.ts';
import type { ChargeFacts } from '#server/gateways/payments/payment-facts.ts';
import { findPaymentByFact, savePayment } from './payments.store.ts';
import { isSettlementRecorded, postFee, recordSettlement, toSettlementColumns } from './post-movement.ts';

/** A payment on a checkout's page, or a renewal. */
export type NewGift = {
  readonly checkout: CheckoutRow;
  readonly kind: 'payment' | 'renewal';
  readonly fact: string;
  readonly amount: Cents;
  /** Fees covered by the donor: included in this amount, and in each future renewal. */
  readonly coveredFee: CoveredFee;
  readonly carbon: TenThousandthsOfPound;
  readonly livemode: boolean;
  /** When the provider charged the donor. */
  readonly occurredAt: Date;
  readonly charge: ChargeFacts | undefined;
  readonly sessionId?: string;
  readonly invoiceId: string | undefined;
  readonly subscriptionId: string | undefined;
  readonly payer: { readonly email?: string | undefined; readonly name?: string | undefined };
  readonly items: readonly CartItem[];
  readonly nextChargeAt: Date | undefined;
  /** True if the gift was missing from the books. Its receipt and tribute card may already have been sent. */
  readonly isRecovery: boolean;
};

/**
 * Posts a gift to the ledger with its charge and issues its receipt. The first payment also queues the tribute card, if any.
 * For a gift that is already posted, only records the charge's fee, which the provider may settle later.
 * @param gift gift of a locked checkout
 * @returns the logged-in donor's offsetter; undefined if they have none or the gift was already posted
 */
export async function postGift(tx: Transaction<Tables>, deps: IssueDeps, gift: NewGift): Promise<string | undefined> {
  const { org_id: orgId, user_id: userId } = gift.checkout;
  // Lock the offsetter before the totals, in the same order as an edit of a story, to avoid a deadlock.
  const offsetter = userId === null ? undefined : await findNewestOffsetter(tx, orgId, userId, 'locked');
  const entryId = await postEntry(tx, toLedgerEntry(gift, deps.now()));
  if (entryId === undefined) {
    await postLateFee(tx, deps, gift);
    return undefined;
  }
  await recordPaymentAndReceipt(tx, deps, gift, entryId);
  if (offsetter) await recordLastOffset(tx, orgId, offsetter.id, deps.now());
  return offsetter?.id;
}

function toLedgerEntry({ checkout, kind, fact, amount, carbon, livemode, occurredAt }: NewGift, reportedAt: Date) {
  const { org_id: orgId, id: checkoutId, currency } = checkout;
  return { orgId, checkoutId, kind, fact, amount, carbon, currency, livemode, occurredAt, reportedAt };
}

async function postLateFee(tx: Transaction<Tables>, deps: IssueDeps, { fact, charge }: NewGift): Promise<void> {
  const payment = charge && (await findPaymentByFact(tx, fact));
  if (payment && !isSettlementRecorded(payment, charge)) await recordSettlement(tx, deps, payment, charge);
}

async function recordPaymentAndReceipt(
  tx: Transaction<Tables>,
  deps: IssueDeps,
  gift: NewGift,
  entryId: string,
): Promise<void> {
  const { checkout, charge, payer, isRecovery } = gift;
  const payment = await savePayment(tx, {
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
    covered_fee_cents: gift.coveredFee.initial,
    currency: checkout.currency,
    livemode: gift.livemode,
    ...toSettlementColumns(charge?.settlement),
  });
  if (charge?.settlement) await postFee(tx, deps, payment, charge.settlement);
  const tribute = await findTribute(tx, checkout.id);
  await issueReceipt(tx, deps, {
    orgId: checkout.org_id,
    checkoutId: checkout.id,
    language: checkout.language,
    ledgerEntryId: entryId,
    amount: gift.amount,
    currency: checkout.currency,
    livemode: gift.livemode,
    givenAt: gift.occurredAt,
    email: payer.email,
    name: payer.name,
    isPayerErased: checkout.payer_erased_at !== null,
    paymentMethod: { kind: 'card', items: gift.items, coveredFee: gift.coveredFee },
    nextChargeAt: gift.nextChargeAt,
    tribute,
    isReissued: isRecovery,
  });
  if (gift.kind === 'payment' && tribute) await queueTributeCard(tx, deps, { checkoutId: checkout.id, isRecovery });
}
