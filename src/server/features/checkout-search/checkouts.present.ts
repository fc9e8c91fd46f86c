import type { ListedCheckout, ListedRenewal } from '#contract/schemas/checkout-records.ts';
import { recurringItems } from '#domain/cart.ts';
import { calculateCheckoutStatus } from '#domain/checkout.ts';
import { toDollars } from '#domain/money.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import type { ListedRow, RenewalRow } from './checkout-records.store.ts';

export function presentListedCheckout(row: ListedRow): ListedCheckout {
  return {
    id: row.id,
    cart: [...row.cart],
    total: toDollars(row.total_cents),
    coveredFee: toDollars(row.covered_fee_cents),
    paymentStatus: row.payment_status,
    refunded: toDollars(row.returned_cents),
    completed: row.completed,
    displayName: row.display_name && makeDisplaySafe(row.display_name),
    email: row.email,
    offsetterId: row.offsetter_id,
    userId: row.user_id,
    createdTimestamp: row.created_at.toISOString(),
  };
}

export function presentListedRenewal(row: RenewalRow): ListedRenewal {
  return {
    id: row.entry_id,
    checkoutid: row.checkout_id,
    cart: recurringItems(row.cart),
    total: toDollars(row.amount_cents),
    coveredFee: toDollars(row.covered_fee_cents),
    paymentStatus: calculateCheckoutStatus([row]),
    refunded: toDollars(row.returned_cents),
    displayName: row.display_name && makeDisplaySafe(row.display_name),
    email: row.email,
    userId: row.user_id,
    createdTimestamp: row.charged_at.toISOString(),
  };
}
