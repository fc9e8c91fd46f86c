import { pagePath } from '#contract/pages.ts';
import type { Gift } from '#contract/schemas/users.ts';
import { isOver } from '#domain/checkout.ts';
import { dollarsOf, poundsOf } from '#domain/money.ts';
import type { GiftRow } from './gifts.store.ts';

type Circumstances = {
  readonly now: Date;
  /** Whether the person has an offsetter in the organisation, and so is asked for no story there (§4). */
  readonly hasOffsetter: boolean;
};

/** A gift for the eyes of whoever gave it. */
export function presentGift(row: GiftRow, circumstances: Circumstances): Gift {
  const items = row.cart ?? [];
  const recurring = items.filter((item) => item.recurring !== 'no');
  return {
    orgid: row.org_id,
    orgName: row.org_name,
    checkoutid: row.checkout_id,
    amount: dollarsOf(row.amount_cents),
    carbon: poundsOf(row.carbon),
    cart: [...(row.kind === 'renewal' ? recurring : items)],
    recurring: recurring.length > 0,
    // A check counts once an editor has it in hand.
    paymentStatus: row.payment_status ?? 'paid',
    receiptNumber: row.receipt_number,
    checkoutURL: storyForm(row, circumstances),
    createdTimestamp: row.given_at.toISOString(),
  };
}

/** The checkout's page by way of its receipt, while the story can still be told there (decisions §3). */
function storyForm(row: GiftRow, { now, hasOffsetter }: Circumstances): string | null {
  const { kind, checkout_id, receipt_key, completed, payment_status, offsetter_id, checkout_created_at } = row;
  if (kind !== 'payment' || checkout_id === null || receipt_key === null) return null;
  if (payment_status !== 'paid' || completed || offsetter_id !== null || hasOffsetter) return null;
  const life = { completed: false, paymentStatus: payment_status, createdTimestamp: checkout_created_at ?? undefined };
  if (isOver(life, now, true)) return null;
  const path = pagePath('checkout-page', { orgid: row.org_id, checkoutid: checkout_id });
  return `${path}?receipt=${encodeURIComponent(receipt_key)}`;
}
