import type { Transaction } from 'kysely';
import type { Grant } from '#contract/schemas/grants.ts';
import type { ParsedBody } from '#contract/schemas.ts';
import { grantPaymentLines, type Lines, promiseLines, reasonFailure, reverseLines } from '#domain/books.ts';
import { calculateLedgerTime } from '#domain/check.ts';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import { buildFact } from '#domain/facts.ts';
import { Failure } from '#domain/failures.ts';
import { grantDayFailure } from '#domain/grant.ts';
import { CURRENCY, toChargedCents } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { addField } from '#server/http/problems.ts';
import {
  countEntries,
  findGrant,
  type GrantKey,
  type GrantRow,
  lockGrant,
  readEntryLines,
  updateGrant,
} from './grants.store.ts';
import { presentGrant } from './read-grants.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;

/** The editor, and the organization's time zone. */
export type GrantContext = { readonly actorId: string; readonly timeZone: TimeZone };

/**
 * Promises a grant, which sets its money aside. Requires the expected savings.
 * @returns Failure grant-not-found, grant-promised, no-saving, or for an invalid day
 */
export function promiseGrant(
  deps: Deps,
  key: GrantKey,
  { on }: ParsedBody<'promiseGrant'>,
  context: GrantContext,
): Promise<Grant | Failure> {
  return withLockedGrant(deps, key, async (tx, grant) => {
    if (grant.promised_entry_id !== null || grant.paid_entry_id !== null) return new Failure('grant-promised');
    if (grant.yearly_carbon === 0) return new Failure('no-saving');
    const failure = checkGrantDay(on, grant.applied_on, deps, context);
    if (failure) return failure;
    const lines = promiseLines(grant.amount_cents);
    const entryId = await postGrantEntry(tx, deps, key, { ...context, kind: 'promise', date: on, lines });
    await updateGrant(tx, key, { promised_on: on, promised_entry_id: entryId });
    return undefined;
  });
}

/**
 * Records that a grant was paid from the bank. The grant doesn't have to be promised first.
 * @returns Failure grant-not-found, grant-paid, no-saving, or for an invalid day
 */
export function payGrant(
  deps: Deps,
  key: GrantKey,
  { on, amount }: ParsedBody<'payGrant'>,
  context: GrantContext,
): Promise<Grant | Failure> {
  return withLockedGrant(deps, key, async (tx, grant) => {
    if (grant.paid_entry_id !== null) return new Failure('grant-paid');
    if (grant.yearly_carbon === 0) return new Failure('no-saving');
    const failure = checkGrantDay(on, grant.promised_on ?? grant.applied_on, deps, context);
    if (failure) return failure;
    const cents = toChargedCents(amount);
    const lines = grantPaymentLines(cents, grant.promised_entry_id === null ? 0 : grant.amount_cents);
    const entryId = await postGrantEntry(tx, deps, key, { ...context, kind: 'grant', date: on, lines });
    await updateGrant(tx, key, { paid_on: on, paid_entry_id: entryId, paid_cents: cents });
    return undefined;
  });
}

/**
 * Reverses a grant's payment, or its promise if it wasn't paid, and records the reason. Reversing the payment of a
 * promised grant restores the promise. Reversing an entry twice changes nothing.
 * @returns Failure grant-not-found, no-reason, reason-too-long
 */
export function reverseGrant(
  deps: Deps,
  key: GrantKey,
  { entryid: entryId, reason }: ParsedBody<'reverseGrant'>,
  context: GrantContext,
): Promise<Grant | Failure> {
  return withLockedGrant(deps, key, async (tx, grant) => {
    const failure = addField('reason', reasonFailure(reason));
    if (failure) return failure;
    const isPaid = grant.paid_entry_id !== null;
    if (entryId !== (grant.paid_entry_id ?? grant.promised_entry_id)) return undefined;
    const lines = reverseLines(await readEntryLines(tx, entryId));
    const date = dayOf(deps.now(), context.timeZone);
    const kind = isPaid ? 'grant' : 'promise';
    await postGrantEntry(tx, deps, key, {
      ...context,
      kind,
      date,
      lines,
      reason: reason.trim(),
      reversedEntryId: entryId,
    });
    const clearedColumns = isPaid
      ? { paid_on: null, paid_entry_id: null, paid_cents: null, done_on: null, inspected_on: null }
      : { promised_on: null, promised_entry_id: null, done_on: null, inspected_on: null };
    await updateGrant(tx, key, clearedColumns);
    return undefined;
  });
}

/** Locks a grant, changes it, and returns the changed grant. */
async function withLockedGrant(
  { db }: Deps,
  key: GrantKey,
  change: (tx: Transaction<Tables>, grant: GrantRow) => Promise<Failure | undefined>,
): Promise<Grant | Failure> {
  return inTransaction(db, async (tx) => {
    const grant = await lockGrant(tx, key);
    if (!grant) return new Failure('grant-not-found');
    return (await change(tx, grant)) ?? presentGrant(await findGrant(tx, key));
  });
}

function checkGrantDay(day: Day, earliestDay: Day, { now }: Deps, { timeZone }: GrantContext): Failure | undefined {
  return addField('on', grantDayFailure(day, earliestDay, dayOf(now(), timeZone)));
}

type GrantPosting = GrantContext & {
  readonly kind: 'promise' | 'grant';
  readonly date: Day;
  readonly lines: Lines;
  readonly reason?: string;
  /** Only for a reversal. Other entries are numbered after the grant's earlier entries. */
  readonly reversedEntryId?: string;
};

async function postGrantEntry(
  tx: Transaction<Tables>,
  { now }: Deps,
  { orgId, grantId }: GrantKey,
  { actorId, timeZone, date, ...entry }: GrantPosting,
): Promise<string> {
  const fact = entry.reversedEntryId
    ? buildFact('grant-reversal', entry.reversedEntryId)
    : buildFact(entry.kind, grantId, (await countEntries(tx, { orgId, grantId })) + 1);
  const id = await postEntry(tx, {
    ...entry,
    orgId,
    grantId,
    actorId,
    fact,
    amount: 0,
    carbon: 0,
    currency: CURRENCY,
    occurredAt: calculateLedgerTime(date, timeZone, now()),
    reportedAt: now(),
  });
  if (id === undefined) throw new Error('The ledger already has this grant entry.');
  return id;
}
