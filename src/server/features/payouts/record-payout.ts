import type { Insertable, Transaction } from 'kysely';
import { attentionSubject } from '#domain/attention-subjects.ts';
import { payoutLines } from '#domain/books.ts';
import { startOfDay } from '#domain/days.ts';
import { buildFact } from '#domain/facts.ts';
import { Failure } from '#domain/failures.ts';
import { splitCents, splitReturnedPayout, sumSharesByOrg } from '#domain/payout.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { reportForAttention, resolveAttentionAutomatically } from '#server/features/attention/attention.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import type { RecordDeps, RecordOptions, RecordResult } from '#server/features/payments/record-result.ts';
import type { PayoutFacts, PayoutMovement } from '#server/gateways/payments/balance-facts.ts';
import { forEachConcurrently } from '#server/process/for-each-concurrently.ts';
import { type FeePart, listAccountFeeParts } from './account-fees.store.ts';
import {
  findPayouts,
  findRecordedCharges,
  isPayoutResolved,
  linkEntry,
  linkToPayout,
  listPayoutMovements,
  listPayoutShares,
  type PayoutRow,
  type PayoutShare,
  type RecordedCharge,
  readProviderBalances,
  replaceMovements,
  savePayout,
} from './payouts.store.ts';
import { recordAccountFees } from './record-account-fees.ts';

/**
 * Reads a payout and its contents from the provider and posts each organization's share of the bank transfer. If the
 * payout failed, reverses the shares. The provider doesn't list the contents of a manual payout, so the payout is split
 * by the organizations' balances at the provider. Safe to repeat, in any order.
 * @returns Failure payment-unavailable
 */
export async function recordPayout(
  deps: RecordDeps,
  payoutId: string,
  options: RecordOptions = {},
): Promise<RecordResult | Failure> {
  const facts = await deps.payments.readPayout(payoutId);
  if (facts instanceof Failure) return facts;
  if (facts === 'unknown') return { outcome: 'unknown' };
  const failure = await recordUnreportedContents(deps, facts, options);
  if (failure) return failure;
  await inTransaction(deps.db, (tx) => recordInTransaction(tx, deps, facts));
  return { outcome: 'recorded' };
}

/** Records unreported payments, account fees, and other payouts in the contents of a payout. */
async function recordUnreportedContents(
  deps: RecordDeps,
  { payoutId, currency, livemode, fee, contents = [] }: PayoutFacts,
  options: RecordOptions,
): Promise<Failure | undefined> {
  const { kysely } = deps.db;
  const payoutIds = contents.flatMap(({ kind, sourceId }) => (sourceId && isPayoutKind(kind) ? [sourceId] : []));
  const completePayouts = (await findPayouts(kysely, payoutIds)).filter(({ has_all_movements }) => has_all_movements);
  const completeIds = new Set(completePayouts.map(({ id }) => id));
  for (const id of new Set(payoutIds)) {
    const result = completeIds.has(id) || (await recordPayout(deps, id, options));
    if (result instanceof Failure) return result;
  }
  const chargeIds = contents.flatMap(({ chargeId, isFromOtherInstallation }) =>
    chargeId && !isFromOtherInstallation ? [chargeId] : [],
  );
  const settledCharges = (await findRecordedCharges(kysely, chargeIds)).filter(({ fee_cents }) => fee_cents !== null);
  // Charges that an earlier run already read. If one of them is recorded later, the next pass over the provider's
  // payout list records this payout again.
  const alreadyReadChargeIds = (await listPayoutMovements(kysely, payoutId)).map(({ charge_id }) => charge_id);
  const knownIds = new Set([...settledCharges.map(({ charge_id }) => charge_id), ...alreadyReadChargeIds]);
  const newChargeIds = [...new Set(chargeIds)].filter((id) => !knownIds.has(id));
  const failure = await forEachConcurrently(newChargeIds, (id) => recordCharge(deps, id, options));
  if (failure) return failure;
  const feeMovements = contents.filter(({ kind }) => kind === 'fee');
  const fees = feeMovements.map(({ movementId: id, net, ...movement }) => ({
    ...movement,
    id,
    amount: -net,
    currency,
  }));
  await recordAccountFees(deps, fee ? [...fees, fee] : fees, livemode);
  return undefined;
}

function isPayoutKind(kind: PayoutMovement['kind']): boolean {
  return kind === 'returned-payout' || kind === 'manual';
}

async function recordInTransaction(tx: Transaction<Tables>, deps: RecordDeps, facts: PayoutFacts): Promise<void> {
  const payout = await savePayout(tx, facts);
  const { payoutId, contents, isManual } = facts;
  if (contents) {
    await replaceMovements(tx, payoutId, await createMovementRows(tx, facts, contents));
    await linkToPayout(tx, payoutId);
  }
  const isSplit = !isManual || (await splitManualPayout(tx, payout));
  for (const share of await listPayoutShares(tx, payoutId)) await postShare(tx, deps, payout, share);
  if (!isManual) return;
  const { amount, currency, livemode, createdAt: occurredAt } = facts;
  const subject = attentionSubject('payout', payoutId);
  if (isSplit) {
    await resolveAttentionAutomatically(tx, subject, deps.now());
  } else if (payout.status === 'paid') {
    await reportForAttention(tx, { subject, reason: 'manual-payout', amount, currency, livemode, occurredAt });
  }
}

/**
 * Splits a manual payout once, by the organizations' balances at the provider. A failed manual payout is split, too,
 * because later payouts list its withdrawal and its return. If the balances are too low, a payment may be unreported,
 * or the payout may contain another program's money. The split is then delayed until the balances cover the payout or a
 * person resolves it.
 * @returns whether the payout is split
 */
async function splitManualPayout(tx: Transaction<Tables>, payout: PayoutRow): Promise<boolean> {
  const { id, amount_cents: amount, created_at } = payout;
  if ((await listPayoutMovements(tx, id)).length > 0) return true;
  const balances = await readProviderBalances(tx, payout);
  const sum = balances.reduce((total, { cents }) => total + Math.max(0, cents), 0);
  if (balances.length === 0 || (sum < amount && !(await isPayoutResolved(tx, id)))) return false;
  const parts = splitCents(
    amount,
    balances.map(({ cents }) => cents),
  );
  const rows = balances.map(({ org_id }, index) => ({
    movement_id: id,
    payout_id: id,
    kind: 'manual' as const,
    source_id: id,
    charge_id: null,
    org_id,
    entry_id: null,
    gross_cents: parts[index] ?? 0,
    fee_cents: 0,
    net_cents: parts[index] ?? 0,
    occurred_at: created_at,
  }));
  await replaceMovements(
    tx,
    id,
    rows.filter(({ net_cents }) => net_cents !== 0),
  );
  return true;
}

async function createMovementRows(
  tx: Transaction<Tables>,
  { payoutId, currency }: PayoutFacts,
  contents: readonly PayoutMovement[],
): Promise<Insertable<Tables['payout_movements']>[]> {
  const chargeIds = contents.flatMap(({ chargeId }) => chargeId ?? []);
  const charges = new Map((await findRecordedCharges(tx, chargeIds)).map((charge) => [charge.charge_id, charge]));
  const feeIds = contents.flatMap(({ kind, movementId }) => (kind === 'fee' || isPayoutKind(kind) ? [movementId] : []));
  const feeParts = Map.groupBy(await listAccountFeeParts(tx, feeIds), ({ feeId }) => feeId);
  const movements: Insertable<Tables['payout_movements']>[] = [];
  for (const movement of contents) {
    const parts = feeParts.get(movement.movementId) ?? [];
    if (isPayoutKind(movement.kind)) movements.push(...(await createPayoutRows(tx, payoutId, movement, parts)));
    else if (parts.length > 0) movements.push(...createFeeRows(payoutId, movement, parts));
    else movements.push(createMovementRow(payoutId, movement, charges.get(movement.chargeId ?? ''), currency));
  }
  return movements;
}

function createMovementRow(
  payoutId: string,
  movement: PayoutMovement,
  charge: RecordedCharge | undefined,
  currency: string,
): Insertable<Tables['payout_movements']> {
  const { movementId, kind, sourceId, chargeId, gross, fee, net, occurredAt } = movement;
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
    occurred_at: occurredAt,
  };
}

function createFeeRows(
  payoutId: string,
  movement: PayoutMovement,
  parts: readonly FeePart[],
): Insertable<Tables['payout_movements']>[] {
  const row = createMovementRow(payoutId, movement, undefined, '');
  return parts.map(({ orgId, cents }) => ({
    ...row,
    org_id: orgId,
    gross_cents: 0,
    fee_cents: cents,
    net_cents: -cents,
  }));
}

/** Splits the money and the fee of another payout, which failed or was an earlier manual payout, by organization. */
async function createPayoutRows(
  tx: Transaction<Tables>,
  payoutId: string,
  movement: PayoutMovement,
  feeParts: readonly FeePart[],
): Promise<Insertable<Tables['payout_movements']>[]> {
  const sourceMovements = movement.sourceId === undefined ? [] : await listPayoutMovements(tx, movement.sourceId);
  const sign = movement.kind === 'manual' ? -1 : 1;
  const shares = sourceMovements.map(({ org_id, net_cents }) => ({ orgId: org_id, cents: sign * net_cents }));
  const grossByOrg = sumSharesByOrg(splitReturnedPayout(movement.gross, shares));
  const feeByOrg = sumSharesByOrg(splitReturnedPayout(movement.fee, feeParts));
  const row = createMovementRow(payoutId, movement, undefined, '');
  return [...new Set([...grossByOrg.keys(), ...feeByOrg.keys()])].map((orgId) => {
    const [gross, fee] = [grossByOrg.get(orgId) ?? 0, feeByOrg.get(orgId) ?? 0];
    return { ...row, org_id: orgId, gross_cents: gross, fee_cents: fee, net_cents: gross - fee };
  });
}

/** Posts the missing part of an organization's share. The caller must hold the lock on the payout. */
async function postShare(
  tx: Transaction<Tables>,
  { now }: RecordDeps,
  payout: PayoutRow,
  share: PayoutShare,
): Promise<void> {
  const { id, status, currency, livemode, arrives_on, failed_at } = payout;
  const { org_id: orgId, time_zone, cents, posted_cents, entries } = share;
  const missingCents = (status === 'paid' ? cents : 0) - posted_cents;
  if (missingCents === 0) return;
  const isFailed = status === 'failed';
  const entryId = await postEntry(tx, {
    orgId,
    kind: 'payout',
    fact: buildFact('payout', id, orgId, entries + 1),
    amount: 0,
    carbon: 0,
    lines: payoutLines(missingCents),
    currency,
    livemode,
    reason: isFailed ? `The bank returned payout ${id}.` : `Payout ${id}`,
    occurredAt: isFailed ? (failed_at ?? now()) : startOfDay(arrives_on, time_zone),
    reportedAt: now(),
  });
  if (entryId !== undefined) await linkEntry(tx, id, entryId);
}
