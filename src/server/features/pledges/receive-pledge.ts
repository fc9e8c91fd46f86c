import type { Transaction } from 'kysely';
import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import { CHECK_NUMBER_MAXIMUM, momentOf, NOTE_MAXIMUM, receivedFailure } from '#domain/check.ts';
import { Failure } from '#domain/failures.ts';
import { chargeOf } from '#domain/money.ts';
import { isEmail, lengthOf } from '#domain/profile.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { aboutField } from '#server/http/field-failure.ts';
import { presentPledge } from './pledges.present.ts';
import { changePledge, countedPledge, lockedPledge, type PledgeKey, type PledgeRow } from './pledges.store.ts';

export type ReceiveDeps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;

/** What came, and which editor says so. */
export type Receiving = { readonly check: ReceivedCheck; readonly actorId: string };

/**
 * Marks a pledged check as received: it counts in the ledger, once however often it is pressed, and is receipted as a
 * gift by card is (decisions §3).
 * @returns Failure pledge-not-found, pledge-received, pledge-withdrawn, or what is wrong with a field
 */
export async function receivePledge(
  deps: ReceiveDeps,
  key: PledgeKey,
  receiving: Receiving,
): Promise<Pledge | Failure> {
  const wrong = checkFailure(receiving.check, deps.now());
  if (wrong) return wrong;
  return inTransaction(deps.db, async (tx) => {
    const pledge = await lockedPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    if (pledge.status === 'received') return new Failure('pledge-received');
    if (pledge.status === 'withdrawn') return new Failure('pledge-withdrawn');
    await count(tx, deps, pledge, receiving);
    return present(tx, key);
  });
}

/** Why what is written on a check cannot be taken, beside its field: of its day, its number or its note. */
export function checkFailure(check: Omit<ReceivedCheck, 'amount'>, now: Date): Failure | undefined {
  const { receivedOn, checkNumber, note } = check;
  return (
    aboutField('receivedOn', receivedFailure(receivedOn, now)) ??
    tooLong('checkNumber', checkNumber, CHECK_NUMBER_MAXIMUM) ??
    tooLong('note', note, NOTE_MAXIMUM)
  );
}

function tooLong(field: 'checkNumber' | 'note', text: string, most: number): Failure | undefined {
  if (lengthOf(text) <= most) return undefined;
  return new Failure(field === 'note' ? 'note-too-long' : 'check-number-too-long', { most, field });
}

/** Posts what came, and receipts it. The pledge is locked, and waits to be received. */
export async function count(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<ReceiveDeps, 'jobs' | 'now'>,
  { id: pledgeId, org_id: orgId, email, name }: PledgeRow,
  { check, actorId }: Receiving,
): Promise<void> {
  const occurredAt = momentOf(check.receivedOn, now());
  const amount = chargeOf(check.amount);
  await changePledge(
    tx,
    { orgId, pledgeId },
    {
      status: 'received',
      received_at: occurredAt,
      received_cents: amount,
      check_number: check.checkNumber.trim() || null,
      note: check.note.trim() || null,
    },
  );
  const ledgerEntryId = await postEntry(tx, {
    orgId,
    pledgeId,
    kind: 'check',
    fact: `check:${pledgeId}`,
    amount,
    carbon: 0,
    currency: 'usd',
    actorId,
    occurredAt,
  });
  if (ledgerEntryId === undefined) throw new Error('A check that waits to be received is in the ledger already.');
  const receiptNumber = await issueReceipt(tx, {
    orgId,
    ledgerEntryId,
    email: email ?? undefined,
    name: name ?? undefined,
    amount,
    issuedAt: occurredAt,
    nextChargeAt: undefined,
  });
  if (email && isEmail(email)) await jobs.enqueue(tx, 'mail-receipt', { orgId, receiptNumber });
}

/** A pledge as it is now in this transaction. */
export async function present(tx: Transaction<Tables>, key: PledgeKey): Promise<Pledge | Failure> {
  const row = await countedPledge(tx, key);
  return row ? presentPledge(row) : new Failure('pledge-not-found');
}
