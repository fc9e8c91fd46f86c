import type { Transaction } from 'kysely';
import type { CartItem } from '#domain/cart.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { type IssueDeps, issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { lockOffsetterOf, noteGift } from '#server/features/stories/offsetters.ts';
import { queueCard, tributeOf } from '#server/features/tributes/tributes.ts';
import type { ChargeFacts } from '#server/gateways/payments/payment-facts.ts';
import type { CheckoutRow } from './checkouts.store.ts';
import { paymentOfFact, savePayment } from './payments.store.ts';
import { recordSettlement } from './post-movement.ts';

/** A payment of a checkout: the one on its page, or a renewal. */
export type NewGift = {
  readonly kind: 'payment' | 'renewal';
  readonly fact: string;
  readonly amount: Cents;
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

/**
 * Posts a gift to the ledger with its charge, issues its receipt, and mails the card of a tribute with the first payment. One that was posted before only gets what its charge
 * cost, which the provider may settle later.
 * @returns the id of the giver's offsetter, if the gift is new and the giver was logged in and has one
 */
export async function postGift(
  tx: Transaction<Tables>,
  deps: IssueDeps,
  checkout: CheckoutRow,
  gift: NewGift,
): Promise<string | undefined> {
  const { org_id: orgId, id: checkoutId, user_id: userId, currency } = checkout;
  const { kind, fact, amount, carbon, livemode, occurredAt, charge } = gift;
  // Locked before the totals, the order in which stories are edited: in the other order, both would wait forever.
  const offsetterId = userId === null ? undefined : await lockOffsetterOf(tx, orgId, userId);
  const entry = { orgId, checkoutId, kind, fact, amount, carbon, currency, livemode, occurredAt };
  const ledgerEntryId = await postEntry(tx, entry);
  const payment =
    ledgerEntryId === undefined
      ? await paymentOfFact(tx, fact)
      : await savePayment(tx, {
          entry_id: ledgerEntryId,
          org_id: orgId,
          checkout_id: checkoutId,
          session_id: gift.sessionId ?? null,
          intent_id: charge?.intentId ?? null,
          charge_id: charge?.chargeId ?? null,
          invoice_id: gift.invoiceId ?? null,
          subscription_id: gift.subscriptionId ?? null,
          charged_at: occurredAt,
          amount_cents: amount,
          currency,
          livemode,
        });
  if (payment && charge) await recordSettlement(tx, payment, charge);
  if (ledgerEntryId === undefined) return undefined;
  await issueReceipt(tx, deps, {
    orgId,
    checkoutId,
    ledgerEntryId,
    amount,
    currency,
    livemode,
    givenAt: occurredAt,
    email: gift.payer.email,
    name: gift.payer.name,
    given: { kind: 'card', items: gift.items },
    nextChargeAt: gift.nextChargeAt,
    tribute: await tributeOf(tx, checkoutId),
  });
  if (kind === 'payment') await queueCard(tx, deps, checkoutId);
  if (offsetterId !== undefined) await noteGift(tx, { orgId, offsetterId, at: deps.now() });
  return offsetterId;
}
