import type { CheckoutListed, CheckoutRecord, PastEvent } from '#contract/schemas/checkout-records.ts';
import { dollarsOf, poundsOf } from '#domain/money.ts';
import type { SubmittedStory } from '#server/features/stories/submitted-story.ts';
import { profilePath } from '#server/profiles/present-profile.ts';
import type { EntryRow, ListedRow, ReceiptOfCheckout, ReportRow } from './checkout-records.store.ts';
import type { CheckoutRow } from './checkouts.store.ts';

/** A checkout for the eyes of the organisation's editors, who see who paid. */
export function presentListed(row: ListedRow): CheckoutListed {
  return {
    id: row.id,
    cart: [...row.cart],
    total: dollarsOf(row.total_cents),
    paymentStatus: row.payment_status,
    completed: row.completed,
    displayName: row.display_name,
    email: row.email,
    createdTimestamp: row.created_at.toISOString(),
  };
}

/** All that is known of a checkout. */
export type Known = {
  readonly checkout: CheckoutRow;
  readonly story: SubmittedStory | undefined;
  readonly entries: readonly EntryRow[];
  readonly receipts: readonly ReceiptOfCheckout[];
  readonly reports: readonly ReportRow[];
};

export function presentRecord(known: Known): CheckoutRecord {
  const { checkout, story } = known;
  return {
    ...presentListed(checkout),
    carbon: poundsOf(checkout.carbon),
    paidTimestamp: checkout.paid_at?.toISOString() ?? null,
    provider: {
      sessionId: checkout.provider_session_id,
      paymentId: checkout.provider_payment_id,
      customerId: checkout.provider_customer_id,
      subscriptionId: checkout.provider_subscription_id,
    },
    story: story
      ? { name: story.name, status: story.status, url: profilePath('offsetter', checkout.org_id, story.id) }
      : null,
    history: historyOf(known),
  };
}

/** Everything that happened to it, the oldest first; of the same moment, what led to the other comes before. */
function historyOf({ checkout, entries, receipts, reports }: Known): PastEvent[] {
  const past: PastEvent[] = [
    { kind: 'opened', at: checkout.created_at.toISOString() },
    ...reports.map(pastReport),
    ...entries.map(pastEntry),
    ...receipts.map(pastReceipt),
    ...receipts.flatMap(({ number, mailed }) =>
      mailed.map((at): PastEvent => ({ kind: 'mail', at: at.toISOString(), number })),
    ),
  ];
  return past.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function pastReport({ id, type, outcome, reason, occurred_at }: ReportRow): PastEvent {
  return { kind: 'report', at: occurred_at.toISOString(), id, type, outcome, reason };
}

function pastEntry({ id, kind, amount_cents, carbon, reason, occurred_at }: EntryRow): PastEvent {
  return {
    kind: 'entry',
    at: occurred_at.toISOString(),
    entryid: id,
    entryKind: kind,
    amount: dollarsOf(amount_cents),
    carbon: poundsOf(carbon),
    reason,
  };
}

function pastReceipt({ number, email, issued_at, ledger_entry_id }: ReceiptOfCheckout): PastEvent {
  return { kind: 'receipt', at: issued_at.toISOString(), entryid: ledger_entry_id, number, email };
}
