import type { Transaction } from 'kysely';
import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import { CHECK_NUMBER_MAXIMUM, momentOf, NOTE_MAXIMUM, receivedFailure } from '#domain/check.ts';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { chargeOf } from '#domain/money.ts';
import { lengthOf } from '#domain/profile.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { type IssueDeps, issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { aboutField } from '#server/http/problems.ts';
import {
  changePledge,
  checksOf,
  lockedPledge,
  type PledgeKey,
  type PledgeRow,
  pledgeWithReceipt,
} from './pledges.store.ts';
import { presentPledge } from './read-pledges.ts';

export type ReceiveDeps = Pick<AppDeps, 'db'> & IssueDeps;

/** The editor who marks a check received, and where its day is one. */
export type Receiver = { readonly actorId: string; readonly timeZone: TimeZone };
type Receiving = Receiver & { readonly check: ReceivedCheck };

/**
 * Marks a pledged check received: posts it to the ledger once and issues a receipt, as for a card gift (decisions §3).
 * @returns Failure pledge-not-found, pledge-received, pledge-withdrawn, or for an invalid field
 */
export async function receivePledge(
  deps: ReceiveDeps,
  key: PledgeKey,
  receiving: Receiving,
): Promise<Pledge | Failure> {
  const failure = checkFailure(receiving.check, dayOf(deps.now(), receiving.timeZone));
  if (failure) return failure;
  return inTransaction(deps.db, async (tx) => {
    const pledge = await lockedPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    if (pledge.status === 'received') return new Failure('pledge-received');
    if (pledge.status === 'withdrawn') return new Failure('pledge-withdrawn');
    await postCheck(tx, deps, pledge, receiving);
    return readPledge(tx, key);
  });
}

export function checkFailure(check: Omit<ReceivedCheck, 'amount'>, today: Day): Failure | undefined {
  const { receivedOn, checkNumber, note } = check;
  return (
    aboutField('receivedOn', receivedFailure(receivedOn, today)) ??
    tooLong('checkNumber', checkNumber, CHECK_NUMBER_MAXIMUM) ??
    tooLong('note', note, NOTE_MAXIMUM)
  );
}

function tooLong(field: 'checkNumber' | 'note', text: string, most: number): Failure | undefined {
  if (lengthOf(text) <= most) return undefined;
  return new Failure(field === 'note' ? 'note-too-long' : 'check-number-too-long', { most, field });
}

/** Posts a check and issues its receipt. The pledge must be locked and not yet received. */
export async function postCheck(
  tx: Transaction<Tables>,
  deps: IssueDeps,
  { id: pledgeId, org_id: orgId, email, name, language }: PledgeRow,
  { check, actorId, timeZone }: Receiving,
): Promise<void> {
  const occurredAt = momentOf(check.receivedOn, timeZone, deps.now());
  const amount = chargeOf(check.amount);
  await changePledge(
    tx,
    { orgId, pledgeId },
    {
      status: 'received',
      unlikely: false,
      bounced: false,
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
    fact: await checkFact(tx, { orgId, pledgeId }),
    amount,
    carbon: 0,
    currency: 'usd',
    actorId,
    occurredAt,
    knownAt: deps.now(),
  });
  if (ledgerEntryId === undefined) throw new Error('A pledge that is not received yet is in the ledger already.');
  await issueReceipt(tx, deps, {
    orgId,
    ledgerEntryId,
    language,
    email: email ?? undefined,
    name: name ?? undefined,
    amount,
    currency: 'usd',
    means: { kind: 'check', checkNumber: check.checkNumber.trim() || null },
    givenAt: occurredAt,
  });
}

/** A check that was recorded by mistake can come after all, as a separate fact. */
async function checkFact(tx: Transaction<Tables>, key: PledgeKey): Promise<string> {
  const before = await checksOf(tx, key);
  return before === 0 ? `check:${key.pledgeId}` : `check:${key.pledgeId}:${before + 1}`;
}

export async function readPledge(tx: Transaction<Tables>, key: PledgeKey): Promise<Pledge | Failure> {
  const row = await pledgeWithReceipt(tx, key);
  return row ? presentPledge(row) : new Failure('pledge-not-found');
}

/**
 * Cancels a pledge, or undoes that: a pledge that was unlikely is kept.
 * @returns Failure pledge-not-found, pledge-received, pledge-withdrawn
 */
export async function withdrawPledge(
  { db }: Pick<AppDeps, 'db'>,
  key: PledgeKey,
  withdrawn: boolean,
): Promise<Pledge | Failure> {
  return inTransaction(db, async (tx) => {
    const pledge = await lockedPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    if (pledge.status === 'received') return new Failure('pledge-received');
    // What bounced stays so; another check of the donor is recorded anew.
    if (pledge.bounced) return new Failure('pledge-withdrawn');
    await changePledge(tx, key, withdrawn ? { status: 'withdrawn' } : { status: 'pledged', unlikely: false });
    return readPledge(tx, key);
  });
}
