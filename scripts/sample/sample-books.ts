import type { Transaction } from 'kysely';
import { cardFeeOf, NOT_COVERED, USUAL_CARD_FEE } from '#domain/card-fee.ts';
import { type CartItem, cartCarbon, cartTotal } from '#domain/cart.ts';
import { DAY_MS, dayOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { dollarsOf } from '#domain/money.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { readAllocation } from '#server/features/allocation/read-allocation.ts';
import type { CheckoutRow } from '#server/features/checkouts/checkouts.store.ts';
import { type NewGift, postGifts } from '#server/features/checkouts/post-gift.ts';
import { recordCharge } from '#server/features/checkouts/record-charge.ts';
import { payGrant, promiseGrant } from '#server/features/grants/pay-grant.ts';
import { noteGrantWork, saveGrant } from '#server/features/grants/save-grant.ts';
import { recordPayout } from '#server/features/payouts/record-payout.ts';
import { receivePledge } from '#server/features/pledges/receive-pledge.ts';
import { announceHomesOf } from '#server/features/receipts/send-home-email.job.ts';
import type { PayoutFacts, PayoutMovement } from '#server/gateways/payments/balance-facts.ts';
import type { ChargeFacts, Settlement } from '#server/gateways/payments/payment-facts.ts';
import { oneByOne } from '#server/jobs/one-by-one.ts';
import { daysBefore } from './ledger/sample-gift.ts';
import { type SampleGrant, sampleGrants } from './sample-grants.ts';
import type { SampleGift } from './sample-ledger.ts';
import { sampleOrg } from './sample-org.ts';

type Tx = Transaction<Tables>;

/** Who records all of it, and when. */
export type SampleMaking = { readonly deps: AppDeps; readonly editorId: string; readonly at: Date };

/** Posts gifts, a refund, payouts and grants by what the program does with real ones, so that the books are as theirs. */
export async function keepSampleBooks(tx: Tx, making: SampleMaking, gifts: readonly SampleGift[]): Promise<void> {
  const deps = { ...making.deps, db: partOf(making.deps.db, tx), jobs: NO_MAILS, sandbox: true };
  const inside = { ...making, deps };
  const checkouts = await insertCheckouts(tx, gifts);
  for (const [first, ...others] of inBatches(gifts)) {
    if (first.kind === 'check') await receiveCheck(tx, inside, first);
    else await postCharges(tx, inside, [first, ...others], checkouts);
  }
  await tx.updateTable('receipts').set({ delivery: 'mailed' }).where('org_id', '=', sampleOrg.id).execute();
  for (const gift of gifts) if (gift.refund) await refund(inside, gift, gift.refund);
  for (const payout of samplePayouts(making, gifts)) {
    const payments = { ...deps.payments, readPayout: async () => payout };
    done(await recordPayout({ ...deps, payments }, payout.payoutId));
  }
  for (const grant of sampleGrants(making.at)) await keepGrant(inside, grant);
  await noteHomesMailed(tx, inside);
}

/** As if each donor had been mailed about the own homes: otherwise all of them would be, an hour after the start. */
async function noteHomesMailed(tx: Tx, { deps, at }: SampleMaking): Promise<void> {
  const jobs = { enqueue: async () => {} };
  const tomorrow = () => new Date(at.getTime() + DAY_MS);
  const allocated = await readAllocation(deps.db, sampleOrg.id);
  while (!(await announceHomesOf({ db: deps.db, now: tomorrow, jobs }, sampleOrg.id, allocated)));
  const mailed = { status: 'mailed' as const, mailed_at: at };
  await tx
    .updateTable('home_mails')
    .set(mailed)
    .where('org_id', '=', sampleOrg.id)
    .where('status', '=', 'sending')
    .execute();
}

/** The same database, of which each transaction is part of this one. */
function partOf(db: Database, tx: Tx): Database {
  const transaction = () => ({
    setIsolationLevel: () => ({ execute: <Result>(work: (own: Tx) => Promise<Result>) => work(tx) }),
  });
  const changes = { ...db.changes, announce: async () => {} };
  return { ...db, changes, kysely: Object.assign(tx, { transaction }) };
}

/** The sample's donors are fictional, so that nothing is mailed. */
const NO_MAILS = oneByOne(async () => {});

function done<Answer>(answer: Answer | Failure): Answer {
  if (answer instanceof Failure) throw answer;
  return answer;
}

function checkoutOf({ key, renewalOf }: SampleGift): string {
  return `sample-${renewalOf ?? key}`;
}

async function insertCheckouts(tx: Tx, gifts: readonly SampleGift[]): Promise<ReadonlyMap<string, CheckoutRow>> {
  const payments = gifts.filter(({ kind }) => kind === 'payment');
  const rows = payments.map((gift) => ({
    id: checkoutOf(gift),
    org_id: sampleOrg.id,
    cart: JSON.stringify(gift.items),
    total_cents: cartTotal(gift.items),
    carbon: cartCarbon(gift.items),
    payment_status: 'paid' as const,
    completed: true,
    display_name: gift.payerName,
    email: gift.payerEmail,
    offsetter_id: gift.offsetterKey ?? null,
    paid_at: gift.at,
    created_at: gift.at,
  }));
  const inserted = await tx.insertInto('checkouts').values(rows).returningAll().execute();
  return new Map(inserted.map((row) => [row.id, row]));
}

type Batch = readonly [SampleGift, ...SampleGift[]];

const BATCH_MS = DAY_MS;

/** Charges of a day at once, with the time of the last one on their receipts, and checks one by one. */
function inBatches(gifts: readonly SampleGift[]): Batch[] {
  const batches: [SampleGift, ...SampleGift[]][] = [];
  for (const gift of gifts) {
    const batch = batches.at(-1);
    const isCharge = gift.kind !== 'check' && batch?.[0].kind !== 'check';
    if (batch && isCharge && gift.at.getTime() - batch[0].at.getTime() < BATCH_MS) batch.push(gift);
    else batches.push([gift]);
  }
  return batches;
}

async function postCharges(
  tx: Tx,
  { deps }: SampleMaking,
  gifts: Batch,
  checkouts: ReadonlyMap<string, CheckoutRow>,
): Promise<void> {
  const posted = gifts.map((gift): NewGift => {
    const checkout = checkouts.get(checkoutOf(gift));
    if (!checkout || gift.kind === 'check') throw new Error(`The sample gift ${gift.key} has no checkout`);
    return {
      ...{ checkout, kind: gift.kind, fact: `sample:${gift.key}`, items: gift.items, occurredAt: gift.at },
      ...{ amount: cartTotal(gift.items), carbon: cartCarbon(gift.items), coveredFee: NOT_COVERED },
      ...{ livemode: deps.livemode, charge: chargeOf(gift), payer: { email: gift.payerEmail, name: gift.payerName } },
      ...{ invoiceId: undefined, subscriptionId: undefined, nextChargeAt: undefined },
    };
  });
  const issuedAt = gifts.at(-1)?.at ?? gifts[0].at;
  await postGifts(tx, { ...deps, now: () => issuedAt }, sampleOrg.id, posted);
}

function chargeOf(gift: SampleGift): ChargeFacts & { readonly settlement: Settlement } {
  const id = `sample-${gift.key}`;
  const settlement = { id, at: gift.at, ...netOf(gift.items) };
  return { chargeId: id, intentId: undefined, invoiceId: undefined, chargedAt: gift.at, settlement };
}

function netOf(items: readonly CartItem[]): Pick<Settlement, 'fee' | 'net'> {
  const amount = cartTotal(items);
  const fee = cardFeeOf(amount, USUAL_CARD_FEE);
  return { fee, net: amount - fee };
}

async function receiveCheck(tx: Tx, { deps, editorId }: SampleMaking, gift: SampleGift): Promise<void> {
  const key = { orgId: sampleOrg.id, pledgeId: `sample-${gift.key}` };
  const amount = cartTotal(gift.items);
  const pledge = { id: key.pledgeId, org_id: key.orgId, amount_cents: amount, created_at: gift.at };
  await tx
    .insertInto('pledges')
    .values({ ...pledge, name: gift.payerName, email: gift.payerEmail })
    .execute();
  const receivedOn = dayOf(gift.at, sampleOrg.time_zone);
  const check = { receivedOn, amount: dollarsOf(amount), checkNumber: '', note: '' };
  const receiving = { check, actorId: editorId, timeZone: sampleOrg.time_zone };
  done(await receivePledge({ ...deps, now: () => gift.at }, key, receiving));
}

async function refund(
  { deps, editorId }: SampleMaking,
  gift: SampleGift,
  { at, reason }: NonNullable<SampleGift['refund']>,
): Promise<void> {
  const refunded = {
    refundId: refundOf(gift),
    status: 'succeeded',
    cameBack: undefined,
    at,
    reason,
    actorId: editorId,
  } as const;
  const amount = cartTotal(gift.items);
  const charge = chargeOf(gift);
  const left = { id: `${refundOf(gift)}-movement`, amount: -amount, fee: 0, at };
  const story = {
    ...({ origin: 'ours', orgId: sampleOrg.id, checkoutId: checkoutOf(gift) } as const),
    ...{ amount, currency: 'usd', livemode: deps.livemode, charge },
    ...{ refunds: [{ ...refunded, amount, left }], disputes: [] },
  };
  const payments = { ...deps.payments, readCharge: async () => story };
  done(await recordCharge({ ...deps, payments, now: () => at }, charge.chargeId));
}

function refundOf({ key }: SampleGift): string {
  return `sample-${key}-refund`;
}

const PAYOUT_EVERY = 14;
/** Days from the charge to the bank, at the least. */
const ON_THE_WAY = 2;

/** What the card processor sent to the bank, every two weeks. */
function samplePayouts({ deps, at: now }: SampleMaking, gifts: readonly SampleGift[]): PayoutFacts[] {
  const movements = gifts.filter(({ kind }) => kind !== 'check').flatMap(movementsOf);
  const ages = Map.groupBy(movements, ({ at }) =>
    Math.floor(((now.getTime() - at.getTime()) / 86_400_000 - ON_THE_WAY) / PAYOUT_EVERY),
  );
  return [...ages]
    .filter(([age]) => age >= 0)
    .toSorted(([a], [b]) => b - a)
    .map(([age, contents]) => {
      const createdAt = daysBefore(now, age * PAYOUT_EVERY + ON_THE_WAY);
      return {
        ...{ payoutId: `sample-payout-${age}`, amount: contents.reduce((sum, { net }) => sum + net, 0), contents },
        ...{ currency: 'usd', livemode: deps.livemode, status: 'paid', byHand: false, createdAt, failedAt: undefined },
        arrivesOn: dayOf(daysBefore(now, age * PAYOUT_EVERY), sampleOrg.time_zone),
      };
    });
}

function movementsOf(gift: SampleGift): PayoutMovement[] {
  const { chargeId } = chargeOf(gift);
  const gross = cartTotal(gift.items);
  const { fee, net } = netOf(gift.items);
  const common = { chargeId, isForeign: false };
  const payment = { ...common, movementId: chargeId, kind: 'payment', sourceId: chargeId, gross, fee, net } as const;
  if (!gift.refund) return [{ ...payment, at: gift.at }];
  const id = refundOf(gift);
  const back = { ...common, movementId: id, kind: 'refund', sourceId: id, gross: -gross, fee: 0, net: -gross } as const;
  return [
    { ...payment, at: gift.at },
    { ...back, at: gift.refund.at },
  ];
}

/** Each step as an editor made it on its day. */
async function keepGrant({ deps, editorId, at }: SampleMaking, grant: SampleGrant): Promise<void> {
  const { key, facts, ago } = grant;
  const of = { orgId: sampleOrg.id, grantId: key };
  const zone = sampleOrg.time_zone;
  const dayAgo = (days: number) => dayOf(daysBefore(at, days), zone);
  const then = (days: number) => ({ ...deps, now: () => daysBefore(at, days) });
  const granting = { actorId: editorId, timeZone: zone };
  done(await saveGrant(then(ago.applied), of, { ...facts, appliedOn: dayAgo(ago.applied) }, zone));
  if (ago.promised === undefined) return;
  done(await promiseGrant(then(ago.promised), of, { on: dayAgo(ago.promised) }, granting));
  if (ago.paid !== undefined) {
    const body = { on: dayAgo(ago.paid), amount: facts.amount };
    done(await payGrant(then(ago.paid), of, body, granting));
  }
  if (ago.done === undefined) return;
  const inspectedOn = ago.inspected === undefined ? null : dayAgo(ago.inspected);
  done(await noteGrantWork(deps, of, { doneOn: dayAgo(ago.done), inspectedOn }, zone));
}
