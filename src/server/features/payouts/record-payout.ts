import type { Insertable, Transaction } from 'kysely';
import { payoutLines } from '#domain/books.ts';
import { startOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { sharesOf, splitCents, splitReturned } from '#domain/payout.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { closeAttentionItem, reportForAttention } from '#server/features/attention/attention.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import type { RecordDeps } from '#server/features/payments/record-result.ts';
import { askEach } from '#server/gateways/payments/ask-each.ts';
import type { PayoutFacts, PayoutMovement } from '#server/gateways/payments/balance-facts.ts';
import { accountFeeParts, type FeePart } from './account-fees.store.ts';
import {
  balancesAtProvider,
  isSettledByHand,
  type KnownCharge,
  knownCharges,
  linkEntry,
  movementsOf,
  namePayout,
  type PayoutRow,
  payoutsById,
  replaceMovements,
  type Share,
  savePayout,
  sharesOfPayout,
} from './payouts.store.ts';
import { recordAccountFees } from './record-account-fees.ts';

export type RecordedPayout = { readonly outcome: 'recorded' | 'unknown'; readonly checkoutId?: undefined };

/**
 * Reads a payout and its contents from the provider and posts each organization's share of the bank transfer; if the
 * payout failed, reverses the share. The provider doesn't list the contents of a manual payout, so it is split by the
 * organizations' balances at the provider. Safe to repeat, in any order: each run makes the books match the provider.
 * @returns Failure payment-unavailable
 */
export async function recordPayout(deps: RecordDeps, payoutId: string): Promise<RecordedPayout | Failure> {
  const facts = await deps.payments.readPayout(payoutId);
  if (facts instanceof Failure) return facts;
  if (facts === 'unknown') return { outcome: 'unknown' };
  const failure = await recordContents(deps, facts);
  if (failure) return failure;
  await inTransaction(deps.db, (tx) => recordFacts(tx, deps, facts));
  return { outcome: 'recorded' };
}

/** Records the payments, account fees and other payouts that are in a payout and were not reported yet. */
async function recordContents(
  deps: RecordDeps,
  { payoutId, currency, livemode, fee, contents = [] }: PayoutFacts,
): Promise<Failure | undefined> {
  const { kysely } = deps.db;
  const others = contents.flatMap(({ kind, sourceId }) => (sourceId && isOfPayout(kind) ? [sourceId] : []));
  const complete = new Set((await payoutsById(kysely, others)).filter((each) => each.complete).map(({ id }) => id));
  for (const id of new Set(others)) {
    const recorded = complete.has(id) || (await recordPayout(deps, id));
    if (recorded instanceof Failure) return recorded;
  }
  const chargeIds = contents.flatMap(({ chargeId, isForeign }) => (chargeId && !isForeign ? [chargeId] : []));
  const settled = (await knownCharges(kysely, chargeIds)).filter(({ fee_cents }) => fee_cents !== null);
  // The first recording already read these charges. If they are recorded later, the reconciler notices.
  const asked = (await movementsOf(kysely, payoutId)).map(({ charge_id }) => charge_id);
  const known = new Set([...settled.map(({ charge_id }) => charge_id), ...asked]);
  const waiting = [...new Set(chargeIds)].filter((id) => !known.has(id));
  const failures: Failure[] = [];
  await askEach(waiting, async (id) => {
    if (failures.length > 0) return;
    const recorded = await recordCharge(deps, id);
    if (recorded instanceof Failure) failures.push(recorded);
  });
  if (failures[0]) return failures[0];
  const fees = contents.filter(({ kind }) => kind === 'fee');
  const ofContents = fees.map(({ movementId: id, net, ...movement }) => ({ ...movement, id, amount: -net, currency }));
  await recordAccountFees(deps, fee ? [...ofContents, fee] : ofContents, livemode);
  return undefined;
}

function isOfPayout(kind: PayoutMovement['kind']): boolean {
  return kind === 'returned-payout' || kind === 'by-hand';
}

async function recordFacts(tx: Transaction<Tables>, deps: RecordDeps, facts: PayoutFacts): Promise<void> {
  const payout = await savePayout(tx, facts);
  const { payoutId, contents, byHand } = facts;
  if (contents) {
    await replaceMovements(tx, payoutId, await assignedMovements(tx, facts, contents));
    await namePayout(tx, payoutId);
  }
  const isShared = !byHand || (await shareByHand(tx, payout));
  for (const share of await sharesOfPayout(tx, payoutId)) await postShare(tx, deps, payout, share);
  if (!byHand || payout.status !== 'paid') return;
  const { amount, currency, livemode, createdAt: occurredAt } = facts;
  const subject = `payout:${payoutId}`;
  const about = { subject, reason: 'payout made by hand', orgId: '', checkoutId: '' };
  if (isShared) await closeAttentionItem(tx, subject, deps.now());
  else await reportForAttention(tx, { ...about, amount, currency, livemode, occurredAt });
}

/**
 * Splits a payout made by hand, once, by what each organization has at the provider. If that is less, a payment may not be
 * reported yet, or another program's money was paid out: then it waits until it is enough, or a person has settled it.
 * @returns whether it is split
 */
async function shareByHand(tx: Transaction<Tables>, payout: PayoutRow): Promise<boolean> {
  const { id, amount_cents: amount, status, created_at } = payout;
  if ((await movementsOf(tx, id)).length > 0) return true;
  if (status === 'failed') return false;
  const balances = await balancesAtProvider(tx, payout);
  const sum = balances.reduce((total, { cents }) => total + Math.max(0, cents), 0);
  if (balances.length === 0 || (sum < amount && !(await isSettledByHand(tx, id)))) return false;
  const parts = splitCents(
    amount,
    balances.map(({ cents }) => cents),
  );
  const about = { movement_id: id, payout_id: id, kind: 'by-hand', source_id: id, occurred_at: created_at } as const;
  const rows = balances.map(({ org_id }, index) => {
    const cents = parts[index] ?? 0;
    return { ...about, charge_id: null, org_id, entry_id: null, gross_cents: cents, fee_cents: 0, net_cents: cents };
  });
  await replaceMovements(
    tx,
    id,
    rows.filter(({ net_cents }) => net_cents !== 0),
  );
  return true;
}

async function assignedMovements(
  tx: Transaction<Tables>,
  { payoutId, currency }: PayoutFacts,
  contents: readonly PayoutMovement[],
): Promise<Insertable<Tables['payout_movements']>[]> {
  const chargeIds = contents.flatMap(({ chargeId }) => chargeId ?? []);
  const charges = new Map((await knownCharges(tx, chargeIds)).map((charge) => [charge.charge_id, charge]));
  const feeIds = contents.flatMap(({ kind, movementId }) => (kind === 'fee' || isOfPayout(kind) ? [movementId] : []));
  const feeParts = Map.groupBy(await accountFeeParts(tx, feeIds), ({ feeId }) => feeId);
  const movements: Insertable<Tables['payout_movements']>[] = [];
  for (const movement of contents) {
    const parts = feeParts.get(movement.movementId) ?? [];
    if (isOfPayout(movement.kind)) movements.push(...(await otherPayout(tx, payoutId, movement, parts)));
    else if (parts.length > 0) movements.push(...feeMovements(payoutId, movement, parts));
    else movements.push(movementRow(payoutId, movement, charges.get(movement.chargeId ?? ''), currency));
  }
  return movements;
}

function movementRow(
  payoutId: string,
  movement: PayoutMovement,
  charge: KnownCharge | undefined,
  currency: string,
): Insertable<Tables['payout_movements']> {
  const { movementId, kind, sourceId, chargeId, gross, fee, net, at } = movement;
  const payment = charge?.currency === currency ? charge : undefined;
  return {
    movement_id: movementId,
    payout_id: payoutId,
    kind,
    source_id: sourceId ?? null,
    charge_id: chargeId ?? null,
    org_id: payment?.org_id ?? null,
    entry_id: payment?.entry_id ?? null,
    gross_cents: gross,
    fee_cents: fee,
    net_cents: net,
    occurred_at: at,
  };
}

function feeMovements(
  payoutId: string,
  movement: PayoutMovement,
  parts: readonly FeePart[],
): Insertable<Tables['payout_movements']>[] {
  const row = movementRow(payoutId, movement, undefined, '');
  return parts.map(({ orgId, cents }) => ({
    ...row,
    org_id: orgId,
    gross_cents: 0,
    fee_cents: cents,
    net_cents: -cents,
  }));
}

/** Money of another payout, which came back or was paid out by hand before: each organization's part, with its fee. */
async function otherPayout(
  tx: Transaction<Tables>,
  payoutId: string,
  movement: PayoutMovement,
  feeParts: readonly FeePart[],
): Promise<Insertable<Tables['payout_movements']>[]> {
  const before = movement.sourceId === undefined ? [] : await movementsOf(tx, movement.sourceId);
  const sign = movement.kind === 'by-hand' ? -1 : 1;
  const shares = before.map(({ org_id, net_cents }) => ({ orgId: org_id, cents: sign * net_cents }));
  const grossOf = sharesOf(splitReturned(movement.gross, shares));
  const feeOf = sharesOf(splitReturned(movement.fee, feeParts));
  const row = movementRow(payoutId, movement, undefined, '');
  return [...new Set([...grossOf.keys(), ...feeOf.keys()])].map((orgId) => {
    const [gross, fee] = [grossOf.get(orgId) ?? 0, feeOf.get(orgId) ?? 0];
    return { ...row, org_id: orgId, gross_cents: gross, fee_cents: fee, net_cents: gross - fee };
  });
}

/** Posts the missing entries to an organization's books. The caller holds the lock on the payout. */
async function postShare(tx: Transaction<Tables>, { now }: RecordDeps, payout: PayoutRow, share: Share): Promise<void> {
  const { id, status, currency, livemode, arrives_on, failed_at } = payout;
  const { org_id: orgId, time_zone, cents, posted_cents, entries } = share;
  const missing = (status === 'paid' ? cents : 0) - posted_cents;
  if (missing === 0) return;
  const failed = status === 'failed';
  const entryId = await postEntry(tx, {
    orgId,
    kind: 'payout',
    fact: `payout:${id}:${orgId}:${entries + 1}`,
    amount: 0,
    carbon: 0,
    lines: payoutLines(missing),
    currency,
    livemode,
    reason: failed ? `The bank sent back payout ${id}.` : `Payout ${id}`,
    occurredAt: failed ? (failed_at ?? now()) : startOf(arrives_on, time_zone),
    knownAt: now(),
  });
  if (entryId !== undefined) await linkEntry(tx, id, entryId);
}
