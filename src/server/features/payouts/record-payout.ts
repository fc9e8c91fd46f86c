import type { Insertable, Transaction } from 'kysely';
import { payoutLines } from '#domain/books.ts';
import { startOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { splitReturned } from '#domain/payout.ts';
import type { PayoutMovementsTable, Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { needsAttention } from '#server/features/checkouts/attention.ts';
import { recordCharge } from '#server/features/checkouts/record-charge.ts';
import type { RecordDeps } from '#server/features/checkouts/record-session.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { askEach } from '#server/gateways/payments/ask-each.ts';
import type { PayoutFacts, PayoutMovement } from '#server/gateways/payments/balance-facts.ts';
import { accountFeeParts, type FeePart } from './account-fees.store.ts';
import {
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
 * Asks the provider about a payout and what is in it, and posts each organization's share of what arrived at the bank; if
 * it failed, the share goes back. Safe to repeat, in any order: each time the books are brought to what the provider says.
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

/** Records the payments and account fees that were not reported yet, and the payouts whose money came back. */
async function recordContents(
  deps: RecordDeps,
  { payoutId, currency, livemode, contents = [] }: PayoutFacts,
): Promise<Failure | undefined> {
  const { kysely } = deps.db;
  const returned = contents.flatMap(({ kind, sourceId }) => (kind === 'returned-payout' && sourceId ? [sourceId] : []));
  const complete = new Set((await payoutsById(kysely, returned)).filter((each) => each.complete).map(({ id }) => id));
  for (const id of new Set(returned)) {
    const recorded = complete.has(id) || (await recordPayout(deps, id));
    if (recorded instanceof Failure) return recorded;
  }
  const chargeIds = contents.flatMap(({ chargeId, isForeign }) => (chargeId && !isForeign ? [chargeId] : []));
  const settled = (await knownCharges(kysely, chargeIds)).filter(({ fee_cents }) => fee_cents !== null);
  // Whose they are was asked when the payout was recorded first. If they are recorded later, the reconciler notices.
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
  await recordAccountFees(
    deps,
    fees.map(({ movementId: id, net, description, at }) => ({ id, amount: -net, currency, description, at })),
    livemode,
  );
  return undefined;
}

async function recordFacts(tx: Transaction<Tables>, deps: RecordDeps, facts: PayoutFacts): Promise<void> {
  const payout = await savePayout(tx, facts);
  const { payoutId, contents, byHand } = facts;
  if (contents) {
    await replaceMovements(tx, payoutId, await assignedMovements(tx, facts, contents));
    await namePayout(tx, payoutId);
  }
  for (const share of await sharesOfPayout(tx, payoutId)) await postShare(tx, deps, payout, share);
  if (!byHand || payout.status !== 'paid') return;
  const { amount, currency, livemode, createdAt: occurredAt } = facts;
  const subject = `payout:${payoutId}`;
  const about = { subject, reason: 'payout made by hand', orgId: '', checkoutId: '' };
  await needsAttention(tx, { ...about, amount, currency, livemode, occurredAt });
}

async function assignedMovements(
  tx: Transaction<Tables>,
  { payoutId, currency }: PayoutFacts,
  contents: readonly PayoutMovement[],
): Promise<Insertable<PayoutMovementsTable>[]> {
  const chargeIds = contents.flatMap(({ chargeId }) => chargeId ?? []);
  const charges = new Map((await knownCharges(tx, chargeIds)).map((charge) => [charge.charge_id, charge]));
  const feeIds = contents.flatMap(({ kind, movementId }) => (kind === 'fee' ? [movementId] : []));
  const feeParts = Map.groupBy(await accountFeeParts(tx, feeIds), ({ feeId }) => feeId);
  const movements: Insertable<PayoutMovementsTable>[] = [];
  for (const movement of contents) {
    const parts = feeParts.get(movement.movementId);
    if (movement.kind === 'returned-payout') movements.push(...(await returnedMovements(tx, payoutId, movement)));
    else if (parts) movements.push(...feeMovements(payoutId, movement, parts));
    else movements.push(movementRow(payoutId, movement, charges.get(movement.chargeId ?? ''), currency));
  }
  return movements;
}

function movementRow(
  payoutId: string,
  movement: PayoutMovement,
  charge: KnownCharge | undefined,
  currency: string,
): Insertable<PayoutMovementsTable> {
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
): Insertable<PayoutMovementsTable>[] {
  const row = movementRow(payoutId, movement, undefined, '');
  return parts.map(({ orgId, cents }) => ({
    ...row,
    org_id: orgId,
    gross_cents: 0,
    fee_cents: cents,
    net_cents: -cents,
  }));
}

async function returnedMovements(
  tx: Transaction<Tables>,
  payoutId: string,
  movement: PayoutMovement,
): Promise<Insertable<PayoutMovementsTable>[]> {
  const before = movement.sourceId === undefined ? [] : await movementsOf(tx, movement.sourceId);
  const parts = splitReturned(
    movement.net,
    before.map(({ org_id, net_cents }) => ({ orgId: org_id, cents: net_cents })),
  );
  const row = movementRow(payoutId, { ...movement, fee: 0 }, undefined, '');
  return parts.map(({ orgId, cents }) => ({ ...row, org_id: orgId, gross_cents: cents, net_cents: cents }));
}

/** Posts what is missing in an organization's books. The caller holds the lock on the payout. */
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
