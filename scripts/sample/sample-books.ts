import type { Transaction } from 'kysely';
import { calculateCardFee, DEFAULT_CARD_FEE, NO_COVERED_FEE } from '#domain/card-fee.ts';
import { type CartItem, cartCarbon, cartTotal } from '#domain/cart.ts';
import { DAY_MS, dayOf } from '#domain/days.ts';
import { buildFact } from '#domain/facts.ts';
import { toDollars } from '#domain/money.ts';
import { createCaches } from '#server/db/caches.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { CheckoutRow } from '#server/entities/find-checkout.ts';
import { readAllocation } from '#server/features/allocation/read-allocation.ts';
import { queueOrgGrantEmails } from '#server/features/allocation/send-grant-email.job.ts';
import { payGrant, promiseGrant } from '#server/features/grants/pay-grant.ts';
import { recordGrantWork, saveGrant } from '#server/features/grants/save-grant.ts';
import { type NewGift, postGift } from '#server/features/payments/post-gift.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import { SAMPLE_CHARGE_PREFIX } from '#server/features/payments/refund-payment.ts';
import { recordPayout } from '#server/features/payouts/record-payout.ts';
import { receivePledge } from '#server/features/pledges/receive-pledge.ts';
import type { PayoutFacts, PayoutMovement } from '#server/gateways/payments/balance-facts.ts';
import type { ChargeFacts, Settlement } from '#server/gateways/payments/payment-facts.ts';
import { valueOrThrow } from '../value-or-throw.ts';
import { compareWithBank } from './sample-bank.ts';
import { createSampleGrants, type SampleGrant, subtractDays } from './sample-data.ts';
import { createSampleRecurringGifts, type SampleGift } from './sample-gifts.ts';
import { sampleOrg } from './sample-org.ts';
import { insertSubscriptions } from './sample-subscriptions.ts';

type Tx = Transaction<Tables>;

/** Editor and time for the sample's records. */
export type SampleContext = { readonly deps: AppDeps; readonly editorId: string; readonly now: Date };

/** Posts gifts, recurring gifts, a refund, payouts, and grants through the same use cases as real ones. */
export async function postSampleBooks(tx: Tx, context: SampleContext, gifts: readonly SampleGift[]): Promise<void> {
  const deps = { ...context.deps, db: joinTransaction(context.deps.db, tx), jobs: NO_EMAILS, sandbox: true };
  const txContext = { ...context, deps };
  const checkouts = await insertCheckouts(tx, gifts);
  for (const gift of gifts) {
    if (gift.kind === 'check') await receiveCheck(tx, txContext, gift);
    else await postCharge(tx, txContext, gift, gift.kind, checkouts);
  }
  const recurringGifts = createSampleRecurringGifts(gifts, context.now);
  await insertSubscriptions(
    tx,
    txContext,
    recurringGifts.map((gift) => ({ ...gift, checkoutId: toCheckoutId(gift.payment) })),
  );
  await tx.updateTable('receipts').set({ delivery: 'sent' }).where('org_id', '=', sampleOrg.id).execute();
  for (const gift of gifts) if (gift.refund) await refund(txContext, gift, gift.refund);
  for (const payout of createSamplePayouts(context, gifts)) {
    const payments = { ...deps.payments, readPayout: async () => payout };
    valueOrThrow(await recordPayout({ ...deps, payments }, payout.payoutId));
  }
  for (const grant of createSampleGrants(context.now)) await postGrant(txContext, grant);
  await markGrantEmailsSent(tx, txContext);
  await compareWithBank(tx, txContext);
}

/** Marks all grant emails as sent. Otherwise they would all be sent an hour after the first start. */
async function markGrantEmailsSent(tx: Tx, { deps, now }: SampleContext): Promise<void> {
  const jobs = { enqueue: async () => {} };
  const getTomorrow = () => new Date(now.getTime() + DAY_MS);
  const allocation = await readAllocation(deps.db, sampleOrg.id);
  await queueOrgGrantEmails({ db: deps.db, now: getTomorrow, jobs }, sampleOrg.id, allocation);
  const sentEmail = { status: 'sent' as const, last_attempt_at: now };
  await tx
    .updateTable('grant_emails')
    .set(sentEmail)
    .where('org_id', '=', sampleOrg.id)
    .where('status', '=', 'sending')
    .execute();
}

/** The same database, except that each transaction becomes part of this one. */
function joinTransaction(db: Database, tx: Tx): Database {
  const transaction = () => ({
    setIsolationLevel: () => ({ execute: <Result>(work: (inner: Tx) => Promise<Result>) => work(tx) }),
  });
  const changes = { ...db.changes, announce: async () => {} };
  return { ...db, caches: createCaches(), changes, kysely: Object.assign(tx, { transaction }) };
}

/** Queues nothing, since the sample's donors are fictional. */
const NO_EMAILS = { enqueue: async () => {}, enqueueAll: async () => {} };

function toCheckoutId({ key, renewalOf }: SampleGift): string {
  return `sample-${renewalOf ?? key}`;
}

async function insertCheckouts(tx: Tx, gifts: readonly SampleGift[]): Promise<ReadonlyMap<string, CheckoutRow>> {
  const payments = gifts.filter(({ kind }) => kind === 'payment');
  const rows = payments.map((gift) => ({
    id: toCheckoutId(gift),
    org_id: sampleOrg.id,
    cart: JSON.stringify(gift.items),
    total_cents: cartTotal(gift.items),
    carbon: cartCarbon(gift.items),
    payment_status: 'paid' as const,
    completed: true,
    display_name: gift.payerName,
    email: gift.payerEmail,
    offsetter_id: gift.offsetterKey ?? null,
    paid_at: gift.givenAt,
    created_at: gift.givenAt,
  }));
  const newRows = await tx.insertInto('checkouts').values(rows).returningAll().execute();
  return new Map(newRows.map((row) => [row.id, row]));
}

async function postCharge(
  tx: Tx,
  { deps }: SampleContext,
  gift: SampleGift,
  kind: NewGift['kind'],
  checkouts: ReadonlyMap<string, CheckoutRow>,
): Promise<void> {
  const checkout = checkouts.get(toCheckoutId(gift));
  if (!checkout) throw new Error(`The sample gift ${gift.key} has no checkout`);
  await postGift(
    tx,
    { ...deps, now: () => gift.givenAt },
    {
      checkout,
      kind,
      fact: buildFact('sample', gift.key),
      items: gift.items,
      occurredAt: gift.givenAt,
      amount: cartTotal(gift.items),
      carbon: cartCarbon(gift.items),
      coveredFee: NO_COVERED_FEE,
      livemode: deps.livemode,
      charge: toCharge(gift),
      payer: { email: gift.payerEmail, name: gift.payerName },
      invoiceId: undefined,
      subscriptionId: undefined,
      nextChargeAt: undefined,
      isRecovery: false,
    },
  );
}

function toCharge(gift: SampleGift): ChargeFacts & { readonly settlement: Settlement } {
  const id = SAMPLE_CHARGE_PREFIX + gift.key;
  const settlement = { id, settledAt: gift.givenAt, ...calculateFeeAndNet(gift.items) };
  return { chargeId: id, intentId: undefined, invoiceId: undefined, chargedAt: gift.givenAt, settlement };
}

function calculateFeeAndNet(items: readonly CartItem[]): Pick<Settlement, 'fee' | 'net'> {
  const amount = cartTotal(items);
  const fee = calculateCardFee(amount, DEFAULT_CARD_FEE);
  return { fee, net: amount - fee };
}

async function receiveCheck(tx: Tx, { deps, editorId }: SampleContext, gift: SampleGift): Promise<void> {
  const key = { orgId: sampleOrg.id, pledgeId: `sample-${gift.key}` };
  const amount = cartTotal(gift.items);
  const pledge = { id: key.pledgeId, org_id: key.orgId, amount_cents: amount, created_at: gift.givenAt };
  await tx
    .insertInto('pledges')
    .values({ ...pledge, name: gift.payerName, email: gift.payerEmail })
    .execute();
  const receivedOn = dayOf(gift.givenAt, sampleOrg.time_zone);
  const check = { receivedOn, amount: toDollars(amount), checkNumber: gift.checkNumber ?? '', note: '' };
  const receipt = { check, actorId: editorId, timeZone: sampleOrg.time_zone };
  valueOrThrow(await receivePledge({ ...deps, now: () => gift.givenAt }, key, receipt));
}

async function refund(
  { deps, editorId }: SampleContext,
  gift: SampleGift,
  { refundedAt, reason }: NonNullable<SampleGift['refund']>,
): Promise<void> {
  const refundFacts = {
    refundId: toRefundId(gift),
    status: 'succeeded',
    failedRefundCredit: undefined,
    occurredAt: refundedAt,
    reason,
    actorId: editorId,
  } as const;
  const amount = cartTotal(gift.items);
  const charge = toCharge(gift);
  const movement = { id: toRefundId(gift), amount: -amount, fee: 0, settledAt: refundedAt };
  const report = {
    origin: 'ours' as const,
    orgId: sampleOrg.id,
    checkoutId: toCheckoutId(gift),
    amount,
    currency: 'usd',
    livemode: deps.livemode,
    charge,
    refunds: [{ ...refundFacts, amount, withdrawal: movement }],
    disputes: [],
  };
  const payments = { ...deps.payments, readCharge: async () => report };
  valueOrThrow(await recordCharge({ ...deps, payments, now: () => refundedAt }, charge.chargeId));
}

function toRefundId({ key }: SampleGift): string {
  return `sample-${key}-refund`;
}

const PAYOUT_INTERVAL_DAYS = 14;
/** Minimum days from the charge to the bank. */
const TRANSIT_DAYS = 2;

/** The card processor's payouts to the bank, every two weeks. */
function createSamplePayouts({ deps, now }: SampleContext, gifts: readonly SampleGift[]): PayoutFacts[] {
  const movements = gifts.filter(({ kind }) => kind !== 'check').flatMap(toMovements);
  const payoutsByAge = Map.groupBy(movements, ({ occurredAt }) =>
    Math.floor(((now.getTime() - occurredAt.getTime()) / 86_400_000 - TRANSIT_DAYS) / PAYOUT_INTERVAL_DAYS),
  );
  return [...payoutsByAge]
    .filter(([age]) => age >= 0)
    .toSorted(([a], [b]) => b - a)
    .map(([age, contents]) => {
      const createdAt = subtractDays(now, age * PAYOUT_INTERVAL_DAYS + TRANSIT_DAYS);
      return {
        payoutId: `sample-payout-${age}`,
        amount: contents.reduce((sum, { net }) => sum + net, 0),
        contents,
        currency: 'usd',
        livemode: deps.livemode,
        status: 'paid',
        isManual: false,
        fee: undefined,
        createdAt,
        failedAt: undefined,
        arrivesOn: dayOf(subtractDays(now, age * PAYOUT_INTERVAL_DAYS), sampleOrg.time_zone),
      };
    });
}

function toMovements(gift: SampleGift): PayoutMovement[] {
  const { chargeId } = toCharge(gift);
  const gross = cartTotal(gift.items);
  const { fee, net } = calculateFeeAndNet(gift.items);
  const commonFields = { chargeId, isFromOtherInstallation: false, description: '' };
  const payment = {
    ...commonFields,
    movementId: chargeId,
    kind: 'payment',
    sourceId: chargeId,
    gross,
    fee,
    net,
  } as const;
  if (!gift.refund) return [{ ...payment, occurredAt: gift.givenAt }];
  const id = toRefundId(gift);
  const refundMovement = {
    ...commonFields,
    movementId: id,
    kind: 'refund',
    sourceId: id,
    gross: -gross,
    fee: 0,
    net: -gross,
  } as const;
  return [
    { ...payment, occurredAt: gift.givenAt },
    { ...refundMovement, occurredAt: gift.refund.refundedAt },
  ];
}

/** Performs each step as the editor, on its own day. */
async function postGrant({ deps, editorId, now }: SampleContext, grant: SampleGrant): Promise<void> {
  const { key, facts, stepAges: daysAgo } = grant;
  const grantKey = { orgId: sampleOrg.id, grantId: key };
  const zone = sampleOrg.time_zone;
  const toDay = (days: number) => dayOf(subtractDays(now, days), zone);
  const createDeps = (days: number) => ({ ...deps, now: () => subtractDays(now, days) });
  const editContext = { actorId: editorId, timeZone: zone };
  valueOrThrow(
    await saveGrant(createDeps(daysAgo.applied), grantKey, { ...facts, appliedOn: toDay(daysAgo.applied) }, zone),
  );
  if (daysAgo.promised === undefined) return;
  valueOrThrow(
    await promiseGrant(createDeps(daysAgo.promised), grantKey, { on: toDay(daysAgo.promised) }, editContext),
  );
  if (daysAgo.paid !== undefined) {
    const body = { on: toDay(daysAgo.paid), amount: facts.amount };
    valueOrThrow(await payGrant(createDeps(daysAgo.paid), grantKey, body, editContext));
  }
  if (daysAgo.done === undefined) return;
  const inspectedOn = daysAgo.inspected === undefined ? null : toDay(daysAgo.inspected);
  valueOrThrow(await recordGrantWork(deps, grantKey, { doneOn: toDay(daysAgo.done), inspectedOn }, zone));
}
