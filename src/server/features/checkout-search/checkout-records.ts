import type { CheckoutRecord, CheckRecord, HistoryEvent, PaymentRecord } from '#contract/schemas/checkout-records.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import { type LedgerKind, refundableCents } from '#domain/books.ts';
import { Failure } from '#domain/failures.ts';
import { toDollars, toPounds } from '#domain/money.ts';
import type { AppDeps } from '#server/deps.ts';
import { type CheckoutKey, type CheckoutRow, findCheckoutRow } from '#server/entities/find-checkout.ts';
import { getProfilePath } from '#server/entities/present-profile.ts';
import { isSampleCharge } from '#server/features/payments/refund-payment.ts';
import { type PledgeKey, readPledgesByIds } from '#server/features/pledges/read-pledges.ts';
import { readCheckoutRecurringGift } from '#server/features/recurring-gifts/read-recurring-gift.ts';
import { findOffsetter, findOffsetterByCheckout, type OffsetterRow } from '#server/features/stories/offsetters.ts';
import { readGiftNotes } from '#server/features/team-notes/team-notes.ts';
import { findTribute, type TributeWithCard } from '#server/features/tributes/tributes.ts';
import {
  type EntryRow,
  listLedgerEntries,
  listPayments,
  listProviderEvents,
  listReceipts,
  type PaymentWithReturns,
  type ProviderEventRow,
  type ReceiptWithEmails,
} from './checkout-records.store.ts';
import { presentListedCheckout } from './checkouts.present.ts';

/** Reads a checkout with its whole history, for the organization's editors. @returns Failure checkout-not-found */
export async function readCheckoutRecord(
  { db }: Pick<AppDeps, 'db'>,
  key: CheckoutKey,
): Promise<CheckoutRecord | Failure> {
  const { kysely } = db;
  const checkout = await findCheckoutRow(kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const { org_id: orgId, offsetter_id: id } = checkout;
  const [payments, entries, receipts, providerEvents, submittedStory, recurringGift, tribute, notes] =
    await Promise.all([
      listPayments(kysely, key),
      listLedgerEntries(kysely, key),
      listReceipts(kysely, key),
      listProviderEvents(kysely, key),
      findOffsetterByCheckout(kysely, orgId, checkout.id),
      readCheckoutRecurringGift(kysely, key),
      findTribute(kysely, checkout.id),
      readGiftNotes({ db }, orgId, checkout.id),
    ]);
  const story = submittedStory ?? (id === null ? undefined : await findOffsetter(kysely, orgId, id));
  return {
    ...presentRecord({ checkout, payments, story, entries, receipts, providerEvents }),
    notes,
    recurringGift: recurringGift ?? null,
    tribute: tribute ? presentTribute(tribute) : null,
  };
}

/** Reads a check with its whole history, for the organization's editors. @returns Failure pledge-not-found */
export async function readCheckRecord({ db }: Pick<AppDeps, 'db'>, key: PledgeKey): Promise<CheckRecord | Failure> {
  const [pledge] = await readPledgesByIds(db, key.orgId, [key.pledgeId]);
  if (!pledge) return new Failure('pledge-not-found');
  const [entries, receipts, notes] = await Promise.all([
    listLedgerEntries(db.kysely, key),
    listReceipts(db.kysely, key),
    readGiftNotes({ db }, key.orgId, pledge.id),
  ]);
  const events = toHistoryEvents(entries, receipts);
  return { ...pledge, notes, history: sortEvents([...toPledgedEvents(pledge, entries), ...events]) };
}

/** A check that was recorded when it had already arrived was never pledged. */
function toPledgedEvents({ createdTimestamp, amount }: Pledge, entries: readonly EntryRow[]): HistoryEvent[] {
  const wasInHand = entries.some(
    ({ kind, reported_at }) => kind === 'check' && reported_at.toISOString() === createdTimestamp,
  );
  return wasInHand ? [] : [{ kind: 'pledged', at: createdTimestamp, amount }];
}

function presentTribute({ card, ...tribute }: TributeWithCard): CheckoutRecord['tribute'] {
  return { ...tribute, card: card && { ...card, at: card.at.toISOString() } };
}

type RecordRows = {
  readonly checkout: CheckoutRow;
  readonly payments: readonly PaymentWithReturns[];
  readonly story: OffsetterRow | undefined;
  readonly entries: readonly EntryRow[];
  readonly receipts: readonly ReceiptWithEmails[];
  readonly providerEvents: readonly ProviderEventRow[];
};

function presentRecord(rows: RecordRows): Omit<CheckoutRecord, 'recurringGift' | 'tribute' | 'notes'> {
  const { checkout, payments, story } = rows;
  const returned_cents = payments.reduce((sum, payment) => sum + payment.returned_cents, 0);
  return {
    ...presentListedCheckout({ ...checkout, returned_cents }),
    carbon: toPounds(checkout.carbon),
    paidTimestamp: checkout.paid_at?.toISOString() ?? null,
    provider: {
      sessionId: checkout.provider_session_id,
      paymentId: checkout.provider_payment_id,
      customerId: checkout.provider_customer_id,
      subscriptionId: checkout.provider_subscription_id,
    },
    story: story
      ? { name: story.name, status: story.status, url: getProfilePath('offsetter', checkout.org_id, story.id) }
      : null,
    donorid: checkout.donor_id,
    payments: payments.map(presentPayment),
    history: buildTimeline(rows),
  };
}

function presentPayment(payment: PaymentWithReturns): PaymentRecord {
  const { fee_cents: fee, net_cents: net } = payment;
  return {
    entryid: payment.entry_id,
    chargedTimestamp: payment.charged_at.toISOString(),
    amount: toDollars(payment.amount_cents),
    coveredFee: toDollars(payment.covered_fee_cents),
    fee: fee === null ? null : toDollars(fee),
    net: net === null ? null : toDollars(net),
    refunded: toDollars(payment.returned_cents),
    refundable: toDollars(payment.status === 'succeeded' ? refundableCents(payment, payment.returns) : 0),
    isSample: isSampleCharge(payment),
    status: payment.status,
    payoutId: payment.payout_id,
    returns: payment.returns.map(({ kind, occurred_at, due_at, amount_cents, fee_cents, status, reason, by }) => ({
      kind,
      status,
      reason,
      by,
      at: occurred_at.toISOString(),
      dueTimestamp: due_at?.toISOString() ?? null,
      amount: toDollars(amount_cents),
      fee: fee_cents === null ? null : toDollars(fee_cents),
    })),
  };
}

/** Builds the list of a checkout's events, oldest first. A cause comes before effects with the same time. */
function buildTimeline({ checkout, entries, receipts, providerEvents }: RecordRows): HistoryEvent[] {
  return sortEvents([
    { kind: 'opened', at: checkout.created_at.toISOString() },
    ...toRecoveryEvents(checkout),
    ...providerEvents.map(toReportEvent),
    ...toHistoryEvents(entries, receipts),
  ]);
}

function toHistoryEvents(entries: readonly EntryRow[], receipts: readonly ReceiptWithEmails[]): HistoryEvent[] {
  return [...entries.map(toEntryEvent), ...receipts.map(toReceiptEvent), ...receipts.flatMap(toEmailEvents)];
}

function sortEvents(events: readonly HistoryEvent[]): HistoryEvent[] {
  // Stripe's times are in whole seconds.
  const getSecond = ({ at }: HistoryEvent) => Math.floor(Date.parse(at) / 1000);
  return events.toSorted((a, b) => getSecond(a) - getSecond(b) || eventRank(a) - eventRank(b));
}

/** Order of events in the same second: a payment, its receipt, and its return. */
function eventRank(event: HistoryEvent): number {
  switch (event.kind) {
    case 'opened':
    case 'pledged':
    case 'recovered':
      return 0;
    case 'report':
      return /refund|dispute/.test(event.type) ? 5 : 1;
    case 'entry':
      return GIFT_KINDS.includes(event.entryKind) ? 2 : 6;
    case 'receipt':
      return 3;
    case 'mail':
      return 4;
  }
}

const GIFT_KINDS: readonly LedgerKind[] = ['payment', 'renewal', 'check'];

function toRecoveryEvents({ recovered_at, recovered_exactly }: CheckoutRow): HistoryEvent[] {
  if (recovered_at === null) return [];
  return [{ kind: 'recovered', at: recovered_at.toISOString(), exactly: recovered_exactly === true }];
}

function toReportEvent({ id, type, outcome, reason, occurred_at }: ProviderEventRow): HistoryEvent {
  return { kind: 'report', at: occurred_at.toISOString(), id, type, outcome, reason };
}

function toEntryEvent(entry: EntryRow): HistoryEvent {
  const { id, kind, amount_cents, carbon, reason, occurred_at, booked_at, reported_at } = entry;
  return {
    kind: 'entry',
    // The time of day at which a check arrived is unknown.
    at: (kind === 'check' ? reported_at : booked_at).toISOString(),
    entryid: id,
    entryKind: kind,
    datedTimestamp: booked_at.getTime() === occurred_at.getTime() ? null : occurred_at.toISOString(),
    receivedTimestamp: kind === 'check' ? occurred_at.toISOString() : null,
    amount: toDollars(amount_cents),
    carbon: toPounds(carbon),
    reason,
  };
}

function toReceiptEvent(receipt: ReceiptWithEmails): HistoryEvent {
  const { printed_number: number, issued_at, ledger_entry_id } = receipt;
  const email = receipt.alternate_email ?? receipt.email;
  return { kind: 'receipt', at: issued_at.toISOString(), entryid: ledger_entry_id, number, email };
}

function toEmailEvents({ printed_number: number, emails }: ReceiptWithEmails): HistoryEvent[] {
  return emails.map(({ last_attempt_at, status, error_code }) => ({
    kind: 'mail',
    at: last_attempt_at.toISOString(),
    number,
    status,
    code: error_code,
  }));
}
