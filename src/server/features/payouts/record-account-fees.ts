import type { Transaction } from 'kysely';
import { feeLines } from '#domain/books.ts';
import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { splitCents } from '#domain/payout.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { firstOrgAddedAt } from '#server/features/ledger/compare-with-provider.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import type { AccountFee } from '#server/gateways/payments/balance-facts.ts';
import { addAccountFee, type ChargeVolume, chargeVolumes, knownAccountFees } from './account-fees.store.ts';

/** The charges before a fee that decide each organization's part of it. */
const VOLUME_DAYS = 30;

/**
 * Reads the movements on the provider's balance and posts the fees for the account itself.
 * @param since by default when the first organization was added: earlier fees are not the fund's
 * @returns Failure payment-unavailable
 */
export async function readAccountFees(
  deps: Pick<AppDeps, 'db' | 'payments' | 'livemode' | 'now'>,
  since?: Date,
): Promise<'read' | Failure> {
  const from = since ?? (await firstOrgAddedAt(deps.db.kysely));
  if (!from) return 'read';
  const fees: AccountFee[] = [];
  const listed = await deps.payments.listMovements(async (movements) => {
    for (const { kind, amount, fee, ...movement } of movements) {
      if (kind === 'fee') fees.push({ ...movement, amount: fee - amount });
      if (kind === 'payout' && fee !== 0) fees.push({ ...movement, amount: fee });
    }
  }, from);
  if (listed instanceof Failure) return listed;
  await recordAccountFees(deps, fees, deps.livemode);
  return 'read';
}

/** Posts each fee once, in parts for the organizations. */
export async function recordAccountFees(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  fees: readonly AccountFee[],
  livemode: boolean,
): Promise<void> {
  if (fees.length === 0) return;
  const ids = fees.map(({ id }) => id);
  const postedFees = await knownAccountFees(db.kysely, ids);
  const beginning = await firstOrgAddedAt(db.kysely);
  if (!beginning) return;
  for (const fee of fees.toReversed())
    if (!postedFees.has(fee.id) && fee.at >= beginning)
      await inTransaction(db, (tx) => recordFee(tx, fee, livemode, now()));
}

async function recordFee(tx: Transaction<Tables>, fee: AccountFee, livemode: boolean, knownAt: Date): Promise<void> {
  const { id, amount, currency, description: reason, at } = fee;
  const since = new Date(at.getTime() - VOLUME_DAYS * DAY_MS);
  const volumes = await chargeVolumes(tx, { at, since, currency, livemode });
  if (volumes.length === 0) return;
  const row = { id, amount_cents: amount, currency, livemode, occurred_at: at };
  if (!(await addAccountFee(tx, row))) return;
  const parts = splitCents(amount, weightsOf(volumes));
  for (const [index, { org_id: orgId }] of volumes.entries()) {
    const cents = parts[index] ?? 0;
    if (cents === 0) continue;
    await postEntry(tx, {
      orgId,
      kind: 'fee',
      fact: `account-fee:${id}:${orgId}`,
      amount: 0,
      carbon: 0,
      lines: feeLines(cents),
      currency,
      livemode,
      reason,
      occurredAt: at,
      knownAt,
    });
  }
}

/** Weights by recent charges, or by all charges if there are no recent ones. */
function weightsOf(volumes: readonly ChargeVolume[]): number[] {
  const recent = volumes.map(({ recent_cents }) => recent_cents);
  return recent.some((cents) => cents > 0) ? recent : volumes.map(({ all_cents }) => all_cents);
}
