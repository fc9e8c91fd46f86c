import type { Transaction } from 'kysely';
import { feeLines } from '#domain/books.ts';
import { DAY_MS } from '#domain/days.ts';
import { buildFact } from '#domain/facts.ts';
import { Failure } from '#domain/failures.ts';
import { splitCents } from '#domain/payout.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { findFirstOrgDate } from '#server/entities/find-org.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import type { AccountFee } from '#server/gateways/payments/balance-facts.ts';
import { type ChargeVolume, findPostedFees, insertAccountFee, readChargeVolumes } from './account-fees.store.ts';

/** Each organization's share of a fee depends on its charges in the days before the fee. */
const VOLUME_DAYS = 30;

/**
 * Reads the movements of the provider balance and posts the account fees.
 * @param since by default, the time when the first organization was added, because earlier fees don't belong to the
 * fund
 * @returns Failure payment-unavailable
 */
export async function readAccountFees(
  deps: Pick<AppDeps, 'db' | 'payments' | 'livemode' | 'now'>,
  since?: Date,
): Promise<'complete' | Failure> {
  const startTime = since ?? (await findFirstOrgDate(deps.db));
  if (!startTime) return 'complete';
  const fees: AccountFee[] = [];
  const listResult = await deps.payments.listMovements(async (movements) => {
    for (const { kind, amount, fee, ...movement } of movements) {
      if (kind === 'fee') fees.push({ ...movement, amount: fee - amount });
      if (kind === 'payout' && fee !== 0) fees.push({ ...movement, amount: fee });
    }
  }, startTime);
  if (listResult instanceof Failure) return listResult;
  await recordAccountFees(deps, fees, deps.livemode);
  return 'complete';
}

/** Posts each fee once, split among the organizations. */
export async function recordAccountFees(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  fees: readonly AccountFee[],
  livemode: boolean,
): Promise<void> {
  if (fees.length === 0) return;
  const ids = fees.map(({ id }) => id);
  const postedFees = await findPostedFees(db.kysely, ids);
  const fundStart = await findFirstOrgDate(db);
  if (!fundStart) return;
  for (const fee of fees.toReversed())
    if (!postedFees.has(fee.id) && fee.occurredAt >= fundStart)
      await inTransaction(db, (tx) => recordFee(tx, fee, livemode, now()));
}

async function recordFee(tx: Transaction<Tables>, fee: AccountFee, livemode: boolean, reportedAt: Date): Promise<void> {
  const { id, amount, currency, description: reason, occurredAt } = fee;
  const since = new Date(occurredAt.getTime() - VOLUME_DAYS * DAY_MS);
  const volumes = await readChargeVolumes(tx, { since, until: occurredAt, currency, livemode });
  if (volumes.length === 0) return;
  const row = { id, amount_cents: amount, currency, livemode, occurred_at: occurredAt };
  if (!(await insertAccountFee(tx, row))) return;
  const parts = splitCents(amount, toVolumeWeights(volumes));
  for (const [index, { org_id: orgId }] of volumes.entries()) {
    const cents = parts[index] ?? 0;
    if (cents === 0) continue;
    await postEntry(tx, {
      orgId,
      kind: 'fee',
      fact: buildFact('account-fee', id, orgId),
      balanceTransactionId: id,
      amount: 0,
      carbon: 0,
      lines: feeLines(cents),
      currency,
      livemode,
      reason,
      occurredAt,
      reportedAt,
    });
  }
}

/** Weighs organizations by recent charges, or by all charges if none are recent. */
function toVolumeWeights(volumes: readonly ChargeVolume[]): number[] {
  const recentVolumes = volumes.map(({ recent_cents }) => recent_cents);
  return recentVolumes.some((cents) => cents > 0) ? recentVolumes : volumes.map(({ all_cents }) => all_cents);
}
