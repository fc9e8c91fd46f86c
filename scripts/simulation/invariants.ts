import { sql } from 'kysely';
import type Stripe from 'stripe';
import { attentionSubject } from '#domain/attention-subjects.ts';
import { buildFact, hasFactPrefix } from '#domain/facts.ts';
import { equals } from '#sandbox/collection.ts';
import { getId } from '#sandbox/provider.ts';
import { isResolvedOutsideBooks } from '#server/features/attention/attention.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { ORG } from './data.ts';
import { findAllocationViolations, findMoneyViolations } from './grant-invariants.ts';
import { INSTALLATION, type SimulatedApp } from './simulated-app.ts';
import type { World } from './world.ts';

/** A sentence for each violated rule. */
export type Violations = readonly string[];

/** Checks rules that hold at any time: nothing unpaid is counted, lines sum to zero, and totals match the ledger. */
export async function findCurrentViolations(app: SimulatedApp): Promise<Violations> {
  const { realDb, world } = app;
  const { provider, unexpectedProblems } = world();
  const { db } = provider.store;
  const { rows } = await sql<{ counted: number; entries: number; totals: number; unbalanced: number }>`
    select (select coalesce(sum(amount_cents), 0)::int8 from ledger_entries where kind in ('payment', 'renewal')) as counted,
      (select coalesce(sum(amount_cents), 0)::int8 from ledger_entries) as entries,
      (select coalesce(sum(amount_cents), 0)::int8 from ledger_totals) as totals,
      (select count(*)::int8 from (select from ledger_lines group by entry_id having sum(cents) <> 0) as lines)
        as unbalanced`.execute(realDb.kysely);
  const [sums] = rows;
  const paid = Number(db.prepare(PAID_CENTS_QUERY).get()?.paid);
  return [
    ...unexpectedProblems,
    ...(await findMoneyViolations(app)),
    ...(sums && sums.counted > paid ? [`${sums.counted} cents are counted, but ${paid} were paid.`] : []),
    ...(sums && sums.entries !== sums.totals
      ? [`The totals are ${sums.totals} cents, but the entries add up to ${sums.entries}.`]
      : []),
    ...(sums && sums.unbalanced > 0 ? [`${sums.unbalanced} entries have lines that do not sum to zero.`] : []),
  ];
}

const PAID_CENTS_QUERY = `select coalesce(sum(resource ->> '$.amount'), 0) as paid from charges
  where resource ->> '$.status' = 'succeeded'`;

/** Checks rules that hold once no work is pending. */
export async function findFinalViolations(app: SimulatedApp): Promise<Violations> {
  const world = app.world();
  const books = await readBooks(app);
  const expected = listExpectedFacts(world, books);
  return [
    ...(await findCurrentViolations(app)),
    ...(await verifyLedger(app.realDb)).map(({ subject, problem }) => `verify-ledger: ${subject} ${problem}`),
    ...(await findAllocationViolations(app)),
    ...findFactViolations(world, books, expected),
    ...findReturnViolations(world, books),
    ...findBalanceViolations(world, books),
    ...findSubscriptionViolations(world, books),
    ...findEmailViolations(world, books),
    ...(await findTeamEmailViolations(app)),
    ...findCheckoutViolations(world, books),
  ];
}

type Entry = {
  readonly fact: string;
  readonly kind: string;
  readonly cents: number;
  readonly providerCents: number;
  /** Cents withheld for undecided disputes. */
  readonly heldCents: number;
};
type CheckoutState = { readonly id: string; readonly payment_status: string; readonly total_cents: number };
type ReceiptState = { readonly number: number; readonly delivery: string; readonly has_email: boolean };

type Books = {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly checkouts: ReadonlyMap<string, CheckoutState>;
  readonly subscriptions: ReadonlyMap<string, string>;
  readonly receipts: readonly ReceiptState[];
  /** Provider objects whose payments await manual review. */
  readonly openSubjects: ReadonlySet<string>;
  /** Objects with an open attention item, and objects whose item a person has resolved. */
  readonly reportedSubjects: ReadonlySet<string>;
  /** Manual payouts that are split among organizations. */
  readonly splitPayouts: ReadonlySet<string>;
};

async function readBooks({ realDb: { kysely } }: SimulatedApp): Promise<Books> {
  const entries = await sql<Entry>`
    select fact, kind, amount_cents as cents, coalesce((
      select sum(cents)::int8 from ledger_lines where entry_id = e.id and account = 'provider'), 0) as "providerCents",
      coalesce((select sum(cents)::int8 from ledger_lines where entry_id = e.id and account = 'disputed'), 0) as "heldCents"
    from ledger_entries e order by fact`.execute(kysely);
  const checkouts = await kysely.selectFrom('checkouts').select(['id', 'payment_status', 'total_cents']).execute();
  const subscriptions = await kysely.selectFrom('subscriptions').select(['id', 'status']).execute();
  const receipts = await sql<ReceiptState>`
    select number, delivery, email is not null as has_email from receipts order by number`.execute(kysely);
  const items = await kysely
    .selectFrom('attention_items')
    .select(['subject', 'resolved_at', isResolvedOutsideBooks('attention_items').as('is_resolved')])
    .execute();
  const openItems = items.filter(({ resolved_at }) => resolved_at === null);
  const resolvedItems = items.filter(({ is_resolved }) => is_resolved);
  const splitPayouts = await sql<{ payout_id: string }>`
    select distinct payout_id from payout_movements where kind = 'manual' and source_id = payout_id`.execute(kysely);
  return {
    splitPayouts: new Set(splitPayouts.rows.map(({ payout_id }) => payout_id)),
    entries: new Map(entries.rows.map((entry) => [entry.fact, entry])),
    checkouts: new Map(checkouts.map((checkout) => [checkout.id, checkout])),
    subscriptions: new Map(subscriptions.map(({ id, status }) => [id, status])),
    receipts: receipts.rows,
    openSubjects: new Set(openItems.map(({ subject }) => subject)),
    reportedSubjects: new Set([...openItems, ...resolvedItems].map(({ subject }) => subject)),
  };
}

/** Lists the entries with their receipts and grants, for comparing two replays. */
export async function formatBooks({ realDb: { kysely } }: SimulatedApp): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', e.fact, e.amount_cents, e.occurred_at, r.printed_number, c.payment_status, g.paid_cents,
      g.done_on) as line
    from ledger_entries e left join receipts r on r.ledger_entry_id = e.id left join checkouts c on c.id = e.checkout_id
      left join grants g on g.id = e.grant_id
    order by e.fact`.execute(kysely);
  return rows.map(({ line }) => line).join('\n');
}

/**
 * An expected ledger entry: its cents or its movement at the provider, and the subject of the attention item that may
 * exist instead.
 */
type ExpectedFact = { readonly cents?: number; readonly providerCents?: number; readonly subject?: string };
type ExpectedFacts = ReadonlyMap<string, ExpectedFact>;

function listExpectedFacts({ provider: { store } }: World, { entries }: Books): ExpectedFacts {
  const expected = new Map<string, ExpectedFact>();
  for (const session of store.sessions.all()) {
    const cents = getPaidCents(session, store);
    if (cents === 0 || session.metadata?.installation !== INSTALLATION) continue;
    expected.set(buildFact('checkout-session', session.id), {
      cents,
      subject: attentionSubject('session', session.id),
    });
  }
  for (const invoice of store.invoices.all()) {
    const { metadata } = invoice.parent?.subscription_details ?? {};
    if (invoice.status !== 'paid' || invoice.billing_reason === 'subscription_create' || invoice.amount_paid === 0)
      continue;
    if (metadata?.installation !== INSTALLATION) continue;
    expected.set(buildFact('invoice', invoice.id), {
      cents: invoice.amount_paid,
      subject: attentionSubject('invoice', invoice.id),
    });
  }
  const isCounted = createIsCounted(store, entries);
  for (const refund of store.refunds.all()) {
    const charge = store.charges.find(getId(refund.charge));
    if (!charge || !isCounted(charge)) continue;
    if (refund.balance_transaction !== null)
      expected.set(buildFact('refund', refund.id), { providerCents: -refund.amount });
    if (refund.failure_balance_transaction)
      expected.set(buildFact('refund', refund.id, 'failed'), { providerCents: refund.amount });
  }
  for (const dispute of store.disputes.all()) {
    const charge = store.charges.find(getId(dispute.charge));
    if (!charge || !isCounted(charge)) continue;
    for (const { id, amount } of dispute.balance_transactions)
      expected.set(buildFact('dispute', dispute.id, id), { cents: 0, providerCents: amount });
  }
  for (const { id, cents } of listAccountFees(store))
    expected.set(`account-fee:${id}:${ORG.orgId}`, { cents: 0, providerCents: -cents });
  return expected;
}

/** Account fees and fees for instant payouts. */
function listAccountFees(store: Store): { readonly id: string; readonly cents: number }[] {
  return [
    ...store.balanceTransactions.all(equals('type', 'stripe_fee')).map(({ id, net }) => ({ id, cents: -net })),
    ...store.balanceTransactions.all(equals('type', 'payout')).map(({ id, fee }) => ({ id, cents: fee })),
  ].filter(({ cents }) => cents !== 0);
}

/** Cents paid on a payment page; 0 if unpaid. A recurring gift's first payment may succeed after its debit failed. */
export function getPaidCents({ payment_status, amount_total, invoice }: Stripe.Checkout.Session, store: Store): number {
  if (payment_status === 'paid') return amount_total ?? 0;
  return store.invoices.find(getId(invoice))?.amount_paid ?? 0;
}

type Store = World['provider']['store'];

/** @returns a function that checks whether the books contain a charge's gift */
export function createIsCounted(
  store: Store,
  facts: Pick<ReadonlySet<string>, 'has'>,
): (charge: Stripe.Charge) => boolean {
  const factByIntentId = new Map<string, string>();
  for (const { invoice, payment } of store.invoicePayments.all())
    factByIntentId.set(getId(payment.payment_intent ?? null), buildFact('invoice', getId(invoice)));
  for (const { id, payment_intent } of store.sessionRecords.all())
    factByIntentId.set(getId(payment_intent), buildFact('checkout-session', id));
  // After a debit fails, another card can pay the same intent. The failed debit isn't in the books.
  return ({ payment_intent, status }) =>
    status !== 'failed' && facts.has(factByIntentId.get(getId(payment_intent)) ?? '');
}

const MANUAL_KINDS: readonly string[] = ['check', 'adjustment', 'fee', 'payout', 'promise', 'grant'];

function findFactViolations(
  { unrecoveredSubjects }: World,
  { entries, openSubjects, reportedSubjects }: Books,
  expected: ExpectedFacts,
): string[] {
  const missingFacts = [...expected].flatMap(([fact, { cents, providerCents, subject = '' }]) => {
    const entry = entries.get(fact);
    if (entry) {
      const expectedEntry = { cents: cents ?? entry.cents, providerCents: providerCents ?? entry.providerCents };
      const agrees = entry.cents === expectedEntry.cents && entry.providerCents === expectedEntry.providerCents;
      return agrees ? [] : [`${fact}: the ledger has ${formatCents(entry)}, expected ${formatCents(expectedEntry)}.`];
    }
    const isReported = reportedSubjects.has(subject) || unrecoveredSubjects.has(subject);
    return isReported
      ? []
      : [`${fact} of ${cents ?? providerCents} cents is neither counted nor listed for attention.`];
  });
  const unexpectedEntries = [...entries.values()].filter(
    ({ fact, kind }) =>
      !expected.has(fact) &&
      !MANUAL_KINDS.includes(kind) &&
      !hasFactPrefix(fact, 'check-reversal') &&
      !isDecision(fact),
  );
  const openExpectedFacts = [...expected].filter(
    ([fact, { subject = '' }]) => entries.has(fact) && openSubjects.has(subject),
  );
  return [
    ...missingFacts,
    ...unexpectedEntries.map(({ fact }) => `${fact} is in the ledger but not at the provider.`),
    ...openExpectedFacts.map(([fact]) => `${fact} is counted but still listed for attention.`),
  ];
}

const formatCents = ({ cents, providerCents }: Pick<Entry, 'cents' | 'providerCents'>): string =>
  `${cents} cents (${providerCents} at the provider)`;

/** True for entries that record the decision of a dispute or appeal, which release the disputed money. */
const isDecision = (fact: string): boolean => hasFactPrefix(fact, 'dispute') && fact.includes(':verdict:');

/** The books must subtract exactly each gift's refunds and lost disputes, and hold back undecided disputes. */
function findReturnViolations({ provider: { store } }: World, { entries }: Books): string[] {
  const isCounted = createIsCounted(store, entries);
  const findEntries = (kind: string, id: string) =>
    [...entries.values()].filter(({ fact }) => isFactAbout(fact, kind, id));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const sumDisputedCents = ({ balance_transactions: transactions }: Stripe.Dispute) =>
    -sum(transactions.map(({ amount }) => amount));
  return store.charges.all().flatMap((charge) => {
    if (!isCounted(charge)) return [];
    const refunds = store.refunds.all(equals('charge', charge.id));
    const disputes = store.disputes.all(equals('charge', charge.id));
    const hasLeftBalance = ({ status, balance_transaction }: Stripe.Refund) =>
      status !== 'failed' && balance_transaction !== null;
    const refunded = sum(refunds.filter(hasLeftBalance).map(({ amount }) => amount));
    const isLost = ({ status }: Stripe.Dispute) => status === 'lost' || status.startsWith('appeal_');
    const returnedCents = Math.min(charge.amount, refunded + sum(disputes.filter(isLost).map(sumDisputedCents)));
    const heldCents = sum(disputes.filter(({ status }) => status === 'needs_response').map(sumDisputedCents));
    const relatedEntries = [
      ...refunds.flatMap(({ id }) => findEntries('refund', id)),
      ...disputes.flatMap(({ id }) => findEntries('dispute', id)),
    ];
    const [returnedInBooks, heldInBooks] = [
      -sum(relatedEntries.map(({ cents }) => cents)),
      sum(relatedEntries.map((entry) => entry.heldCents)),
    ];
    return [
      ...(returnedInBooks === returnedCents
        ? []
        : [`${charge.id} returned ${returnedCents} cents, but the books show ${returnedInBooks}.`]),
      ...(heldInBooks === heldCents
        ? []
        : [`${heldCents} cents of ${charge.id} are held back, but the books show ${heldInBooks}.`]),
    ];
  });
}

function isFactAbout(fact: string, kind: string, id: string): boolean {
  return fact === `${kind}:${id}` || fact.startsWith(`${kind}:${id}:`);
}

/** Compares the books' account at the provider with the provider's own balance, to the cent. */
function findBalanceViolations(
  { provider: { store } }: World,
  { entries, splitPayouts, reportedSubjects }: Books,
): string[] {
  const allEntries = [...entries.values()];
  const sumAtProvider = (entries: readonly Entry[]) =>
    entries.reduce((sum, { providerCents }) => sum + providerCents, 0);
  const [bookedCents, paidOutCents] = [
    sumAtProvider(allEntries.filter((entry) => !isPayout(entry))),
    -sumAtProvider(allEntries.filter(isPayout)),
  ];
  const isCounted = createIsCounted(store, entries);
  const isOurs = ({ type, source }: Stripe.BalanceTransaction): boolean => {
    if (type === 'stripe_fee') return true;
    const id = getId(source);
    const chargeOrId = store.refunds.find(id)?.charge ?? store.disputes.find(id)?.charge ?? id;
    const charge = type.startsWith('payout') ? undefined : store.charges.find(getId(chargeOrId));
    return charge !== undefined && isCounted(charge);
  };
  const transactions = store.balanceTransactions.all();
  const balance = sumNet(transactions.filter(isOurs)) - sumPayoutFees(transactions);
  const calculateShare = (id: string): number => {
    const payout = store.payouts.find(id);
    if (payout?.automatic === false) return splitPayouts.has(id) ? payout.amount : 0;
    const contents = store.balanceTransactions.all(equals('payout', id)).filter(({ source }) => source !== id);
    const nestedShares = contents
      .filter(({ type }) => type.startsWith('payout'))
      .map(({ amount, source }) => Math.sign(amount) * calculateShare(getId(source)));
    const ownCents = sumNet(contents.filter(isOurs)) - sumPayoutFees(contents);
    return nestedShares.reduce((sum, cents) => sum + cents, ownCents);
  };
  const manualPayouts = store.payouts.all(equals('status', 'paid')).filter(({ automatic }) => !automatic);
  const unreportedPayouts = manualPayouts.filter(
    ({ id }) => !splitPayouts.has(id) && !reportedSubjects.has(attentionSubject('payout', id)),
  );
  const arrivedCents = store.payouts.all(equals('status', 'paid')).reduce((sum, { id }) => sum + calculateShare(id), 0);
  return [
    ...(bookedCents === balance
      ? []
      : [`The books show ${bookedCents} cents at the provider before payouts, but the provider shows ${balance}.`]),
    ...unreportedPayouts.map(
      ({ id }) => `Payout ${id} was made manually, but is neither split nor listed for attention.`,
    ),
    ...(paidOutCents === arrivedCents
      ? []
      : [`The books show ${paidOutCents} cents paid out, but ${arrivedCents} arrived at the bank.`]),
  ];
}

const isPayout = ({ kind }: Entry): boolean => kind === 'payout';

function sumPayoutFees(transactions: readonly Stripe.BalanceTransaction[]): number {
  return transactions.reduce((sum, { type, fee }) => sum + (type === 'payout' ? fee : 0), 0);
}

function sumNet(transactions: readonly Stripe.BalanceTransaction[]): number {
  return transactions.reduce((sum, { net }) => sum + net, 0);
}

function findSubscriptionViolations({ provider: { store }, userRequests }: World, books: Books): string[] {
  const deletedSubscriptions = [...userRequests.deletedCheckoutIds].flatMap((checkout) =>
    store.subscriptions
      .all()
      .filter(({ metadata }) => metadata.checkoutId === checkout)
      .map(({ id }) => id),
  );
  const runningIds = [...userRequests.stoppedAtById.keys(), ...deletedSubscriptions].filter(
    (id) => !['canceled', 'incomplete_expired'].includes(store.subscriptions.find(id)?.status ?? ''),
  );
  // A debit that was in progress when its gift was stopped may still settle.
  const lateCharges = store.invoicePayments.all().flatMap(({ invoice, payment }) => {
    const details = store.invoices.find(getId(invoice))?.parent?.subscription_details;
    const id = getId(details?.subscription ?? null);
    const stoppedAt = userRequests.stoppedAtById.get(id);
    const intent = store.paymentIntents.find(getId(payment.payment_intent ?? null));
    const charge = store.charges.find(getId(intent?.latest_charge ?? null));
    const isLate = stoppedAt !== undefined && charge !== undefined && charge.created * 1000 > stoppedAt;
    return isLate ? [`Subscription ${id} was charged after it was stopped.`] : [];
  });
  const differingSubscriptions = [...books.subscriptions].filter(([id, status]) => {
    const { status: providerStatus } = store.subscriptions.find(id) ?? {};
    return providerStatus === 'canceled' && status !== 'canceled';
  });
  return [
    ...runningIds.map((id) => `Subscription ${id} was stopped but is still active at the provider.`),
    ...lateCharges,
    ...differingSubscriptions.map(
      ([id, status]) => `Subscription ${id} has ended at the provider but is ${status} here.`,
    ),
  ];
}

/** Every receipt with an email address must have been emailed or listed as rejected. */
function findEmailViolations({ emails, sendsReceiptEmails, restoredAt }: World, { receipts }: Books): string[] {
  if (!sendsReceiptEmails) return [];
  const unsentReceipts = receipts.filter(
    ({ delivery, has_email }) => has_email && !['sent', 'rejected'].includes(delivery),
  );
  const unconfirmedReceipts = receipts.filter(
    ({ number, delivery }) =>
      delivery === 'sent' &&
      restoredAt === 0 &&
      ![...emails.keys()].some((key) => key.startsWith(`receipt-org-${number}`)),
  );
  return [
    ...unsentReceipts.map(({ number, delivery }) => `Receipt ${number} is ${delivery}.`),
    ...unconfirmedReceipts.map(({ number }) => `Receipt ${number} is marked as sent, but wasn't emailed.`),
  ];
}

/**
 * Every email to the team must have been sent, rejected, or skipped. It may be sent twice only if the process crashed or
 * lost the mail server's response after the mail server had accepted it.
 */
async function findTeamEmailViolations({ realDb, world }: SimulatedApp): Promise<string[]> {
  const { emails: acceptCounts, unconfirmedEmails, sendsReceiptEmails, restoredAt, crashCount } = world();
  if (!sendsReceiptEmails) return [];
  const emails = await realDb.kysely
    .selectFrom('team_emails')
    .select(['user_id', 'kind', 'subject', 'status'])
    .execute();
  return emails.flatMap(({ user_id, kind, subject, status }) => {
    const key = `team-${kind}-${subject}-${ORG.orgId}-${user_id}`;
    const times = acceptCounts.get(key) ?? 0;
    const allowedRepeats = (unconfirmedEmails.get(key) ?? 0) + crashCount;
    return [
      ...(status === 'sending' ? [`The email ${key} was not sent.`] : []),
      ...(status === 'sent' && times === 0 && restoredAt === 0
        ? [`The email ${key} is marked as sent, but wasn't.`]
        : []),
      ...(times > 1 + allowedRepeats && restoredAt === 0 ? [`The email ${key} was sent ${times} times.`] : []),
    ];
  });
}

const PAID_STATUSES: readonly string[] = ['paid', 'refunded', 'disputed'];

function findCheckoutViolations({ provider: { store } }: World, { checkouts, entries }: Books): string[] {
  return store.sessions.all().flatMap((session) => {
    const checkout = checkouts.get(session.metadata?.checkoutId ?? '');
    if (!checkout || session.metadata?.installation !== INSTALLATION) return [];
    const isCounted = entries.has(buildFact('checkout-session', session.id));
    const isPaid = PAID_STATUSES.includes(checkout.payment_status);
    return isCounted && !isPaid
      ? [`Checkout ${checkout.id} is ${checkout.payment_status}, but its payment is counted.`]
      : [];
  });
}
