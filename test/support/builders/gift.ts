import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { donationItem } from '#domain/cart.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { type PaymentRow, savePayment } from '#server/features/payments/payments.store.ts';
import { postFee } from '#server/features/payments/post-movement.ts';
import { issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { PARENT } from '#test/support/build-app.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { addCheckout } from './checkout.ts';

export type GiftIds = { readonly checkoutId: string; readonly ledgerEntryId: string; readonly receiptNumber: number };

/** Adds a paid $25 gift: checkout, ledger entry, and receipt. */
export async function addGift(
  db: Database,
  orgId: string,
  { email = 'payer@example.org', ...overrides }: Partial<Insertable<Tables['checkouts']>> = {},
): Promise<GiftIds> {
  const paidAt = new Date('2026-03-14T09:30:00Z');
  const checkoutId = await addCheckout(db, orgId, {
    email,
    display_name: 'Paula Payer',
    payment_status: 'paid',
    paid_at: paidAt,
    ...overrides,
  });
  const gift = { orgId, checkoutId, amount: 2500 };
  return inTransaction(db, async (tx) => {
    const entry = { ...gift, kind: 'payment', fact: `test:${randomUUID()}`, carbon: 0, currency: 'usd' } as const;
    const ledgerEntryId = (await postEntry(tx, { ...entry, occurredAt: paidAt })) ?? '';
    const charge = { entry_id: ledgerEntryId, org_id: orgId, checkout_id: checkoutId, charged_at: paidAt };
    const status = overrides.payment_status === 'refunded' ? 'refunded' : 'succeeded';
    await savePayment(tx, { ...charge, amount_cents: gift.amount, currency: 'usd', livemode: false, status });
    const person = { email: email ?? undefined, name: 'Paula Payer' };
    const cardGift = { kind: 'card', items: [donationItem(25)] } as const;
    const paymentDetails = { paymentMethod: cardGift, givenAt: paidAt, language: overrides.language ?? null };
    const issuedGift = { ...gift, ...person, ...paymentDetails, ledgerEntryId, currency: 'usd' };
    const deps = { parent: PARENT, sandbox: false, now: () => paidAt, jobs: createJobRecorder() };
    const receiptNumber = await issueReceipt(tx, deps, issuedGift);
    return { checkoutId, ledgerEntryId, receiptNumber };
  });
}

type Renewal = {
  readonly checkoutId: string;
  readonly chargedAt: Date;
  readonly cents: number;
  readonly status?: PaymentRow['status'];
  readonly returnedCents?: number;
  /** Fee of the charge, posted to the ledger. */
  readonly feeCents?: number;
};

/** Adds a later payment of a recurring gift: ledger entries, charge, and receipt. @returns the id of its ledger entry */
export async function addRenewal(
  db: Database,
  orgId: string,
  { checkoutId, chargedAt, cents, status = 'succeeded', returnedCents = 0, feeCents = 0 }: Renewal,
): Promise<string> {
  const gift = { orgId, checkoutId, amount: cents, currency: 'usd' };
  return inTransaction(db, async (tx) => {
    const entry = { ...gift, kind: 'renewal', fact: `test:${randomUUID()}`, carbon: 0, occurredAt: chargedAt } as const;
    const ledgerEntryId = (await postEntry(tx, entry)) ?? '';
    const payment = await savePayment(tx, {
      entry_id: ledgerEntryId,
      org_id: orgId,
      checkout_id: checkoutId,
      charged_at: chargedAt,
      amount_cents: cents,
      returned_cents: returnedCents,
      currency: 'usd',
      livemode: false,
      status,
    });
    const clock = { now: () => chargedAt };
    await postFee(tx, clock, payment, { id: `txn_${randomUUID()}`, fee: feeCents, settledAt: chargedAt });
    const cardGift = { kind: 'card', items: [donationItem(10, 'month')] } as const;
    const issuedGift = {
      ...gift,
      ledgerEntryId,
      paymentMethod: cardGift,
      givenAt: chargedAt,
      email: undefined,
      name: undefined,
    };
    const deps = { parent: PARENT, sandbox: false, ...clock, jobs: createJobRecorder() };
    await issueReceipt(tx, deps, issuedGift);
    return ledgerEntryId;
  });
}

/** Adds a received $100 check. @returns the pledge's id */
export async function addCheck(
  db: Database,
  orgId: string,
  email: string,
  occurredAt = new Date('2026-03-15T09:30:00Z'),
): Promise<string> {
  const id = `pledge-${randomUUID()}`;
  const pledge = { id, org_id: orgId, name: 'Paula Payer', email, amount_cents: 10_000, status: 'received' as const };
  await db.kysely.insertInto('pledges').values(pledge).execute();
  const entry = { orgId, pledgeId: id, amount: 10_000, carbon: 0, currency: 'usd', occurredAt };
  await inTransaction(db, (tx) => postEntry(tx, { ...entry, kind: 'check', fact: `check:${id}` }));
  return id;
}

/** A cart with a monthly gift. */
export const MONTHLY_CART = JSON.stringify([donationItem(10, 'month'), donationItem(15)]);
