import type { Transaction } from 'kysely';
import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import { calculateLedgerTime, MAX_CHECK_NUMBER_LENGTH, MAX_NOTE_LENGTH, receivedDayFailure } from '#domain/check.ts';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import { buildFact } from '#domain/facts.ts';
import { Failure } from '#domain/failures.ts';
import { CURRENCY, toChargedCents } from '#domain/money.ts';
import { visibleLength } from '#domain/profile.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { type IssueDeps, issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { addField } from '#server/http/problems.ts';
import {
  changePledge,
  countChecks,
  findPledgeWithReceipt,
  hasDuplicateCheck,
  lockPledge,
  type PledgeKey,
  type PledgeRow,
} from './pledges.store.ts';
import { presentPledge } from './read-pledges.ts';

export type ReceiveDeps = Pick<AppDeps, 'db'> & IssueDeps;

/** The editor, and the organization's time zone. */
export type CheckContext = { readonly actorId: string; readonly timeZone: TimeZone };
type NewCheck = CheckContext & { readonly check: ReceivedCheck; readonly recordedAt: Date };

/**
 * Marks a pledged check as received: posts it to the ledger once and issues a receipt, as for a card gift (decisions §3).
 * @returns Failure pledge-not-found, pledge-received, pledge-withdrawn, check-recorded, or for an invalid field
 */
export async function receivePledge(
  deps: ReceiveDeps,
  key: PledgeKey,
  newCheck: Omit<NewCheck, 'recordedAt'>,
): Promise<Pledge | Failure> {
  const recordedAt = deps.now();
  const failure = receivedCheckFailure(newCheck.check, dayOf(recordedAt, newCheck.timeZone));
  if (failure) return failure;
  return inTransaction(deps.db, async (tx) => {
    const pledge = await lockPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    if (pledge.status === 'received') return new Failure('pledge-received');
    if (pledge.status === 'withdrawn') return new Failure('pledge-withdrawn');
    const duplicateFailure = await duplicateCheckFailure(tx, key, newCheck.check);
    if (duplicateFailure) return duplicateFailure;
    await changePledge(tx, key, toReceivedColumns(newCheck.check, newCheck.timeZone, recordedAt));
    await postCheck(tx, deps, pledge, { ...newCheck, recordedAt });
    return readPledge(tx, key);
  });
}

export function receivedCheckFailure(
  check: Pick<ReceivedCheck, 'receivedOn' | 'checkNumber' | 'note'>,
  today: Day,
): Failure | undefined {
  const { receivedOn, checkNumber, note } = check;
  return (
    addField('receivedOn', receivedDayFailure(receivedOn, today)) ??
    lengthFailure('checkNumber', checkNumber, MAX_CHECK_NUMBER_LENGTH) ??
    lengthFailure('note', note, MAX_NOTE_LENGTH)
  );
}

function lengthFailure(field: 'checkNumber' | 'note', text: string, max: number): Failure | undefined {
  if (visibleLength(text) <= max) return undefined;
  return new Failure(field === 'note' ? 'note-too-long' : 'check-number-too-long', { max, field });
}

/** @returns Failure check-recorded if another check has this number and amount, unless the editor confirmed it */
export async function duplicateCheckFailure(
  tx: Transaction<Tables>,
  key: PledgeKey,
  { allowDuplicate, amount, checkNumber }: ReceivedCheck,
): Promise<Failure | undefined> {
  const number = checkNumber.trim();
  if (allowDuplicate || number === '' || !(await hasDuplicateCheck(tx, key, { number, cents: toChargedCents(amount) })))
    return undefined;
  return new Failure('check-recorded', { field: 'allowDuplicate' });
}

/** Returns the columns of a pledge whose check has arrived. */
export function toReceivedColumns(check: ReceivedCheck, timeZone: TimeZone, now: Date) {
  return {
    status: 'received',
    suspicious: false,
    bounced: false,
    received_at: calculateLedgerTime(check.receivedOn, timeZone, now),
    received_cents: toChargedCents(check.amount),
    check_number: check.checkNumber.trim() || null,
    note: check.note.trim() || null,
  } as const;
}

/** Posts a check and issues its receipt. The caller must hold the lock on the pledge and save the received columns. */
export async function postCheck(
  tx: Transaction<Tables>,
  deps: IssueDeps,
  { id: pledgeId, org_id: orgId, email, name, language }: PledgeRow,
  { check, actorId, timeZone, recordedAt }: NewCheck,
): Promise<void> {
  const occurredAt = calculateLedgerTime(check.receivedOn, timeZone, recordedAt);
  const amount = toChargedCents(check.amount);
  const ledgerEntryId = await postEntry(tx, {
    orgId,
    pledgeId,
    kind: 'check',
    fact: await createCheckFact(tx, { orgId, pledgeId }),
    amount,
    carbon: 0,
    currency: CURRENCY,
    actorId,
    occurredAt,
    reportedAt: recordedAt,
  });
  if (ledgerEntryId === undefined) throw new Error('The ledger already has this check.');
  await issueReceipt(tx, deps, {
    orgId,
    ledgerEntryId,
    language,
    email: email ?? undefined,
    name: name ?? undefined,
    amount,
    currency: CURRENCY,
    paymentMethod: { kind: 'check', checkNumber: check.checkNumber.trim() || null },
    givenAt: occurredAt,
  });
}

/** Numbers the fact, because the real check can arrive after a mistaken entry was reversed. */
async function createCheckFact(tx: Transaction<Tables>, key: PledgeKey): Promise<string> {
  const earlierChecks = await countChecks(tx, key);
  return buildFact('check', key.pledgeId, ...(earlierChecks === 0 ? [] : [earlierChecks + 1]));
}

export async function readPledge(tx: Transaction<Tables>, key: PledgeKey): Promise<Pledge | Failure> {
  const row = await findPledgeWithReceipt(tx, key);
  return row ? presentPledge(row) : new Failure('pledge-not-found');
}

/**
 * Cancels a pledge or, if `isWithdrawn` is false, restores it. Restoring a suspicious pledge confirms it.
 * @returns Failure pledge-not-found, pledge-received, pledge-withdrawn
 */
export async function withdrawPledge(
  { db }: Pick<AppDeps, 'db'>,
  key: PledgeKey,
  isWithdrawn: boolean,
): Promise<Pledge | Failure> {
  return inTransaction(db, async (tx) => {
    const pledge = await lockPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    if (pledge.status === 'received') return new Failure('pledge-received');
    // A bounced check can't be restored; the donor's next check is a new pledge.
    if (pledge.bounced) return new Failure('pledge-withdrawn');
    await changePledge(tx, key, isWithdrawn ? { status: 'withdrawn' } : { status: 'pledged', suspicious: false });
    return readPledge(tx, key);
  });
}
