import { reasonFailure } from '#domain/books.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { findClosing, isReadyToClose, lastClosedMonth } from '#domain/month-closing.ts';
import type { Month } from '#domain/statement.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { listMonthChanges } from '#server/features/ledger/months.ts';
import { addField } from '#server/http/problems.ts';
import { insertMonthChange, lockBooks } from './bank.store.ts';
import { type BankDeps, readBankMonth } from './read-bank-month.ts';

type Deps = BankDeps & Pick<AppDeps, 'db'>;
type MonthRequest = { readonly month: Month; readonly userId: UserId };

/**
 * Closes a month and all earlier months. Their amounts never change again, because entries recorded from now on are booked
 * in a later month. Closing a closed month changes nothing.
 *
 * @returns Failure month-not-found, month-not-ready
 */
export async function closeMonth(
  deps: Deps,
  org: OrgWithTimeZone,
  { month, userId }: MonthRequest,
): Promise<Record<string, never> | Failure> {
  return inTransaction(deps.db, async (tx) => {
    await lockBooks(tx, org.id);
    if (findClosing(await listMonthChanges(tx, org.id), month)) return {};
    const bankMonth = await readBankMonth(tx, deps, org, { month });
    if (bankMonth instanceof Failure) return bankMonth;
    if (!isReadyToClose(bankMonth)) return new Failure('month-not-ready');
    const change = { orgId: org.id, month, action: 'closed', reason: null } as const;
    await insertMonthChange(tx, change, { userId, stampedAt: deps.now() });
    return {};
  });
}

/**
 * Reopens the last closed month. Entries that were booked in a later month because it was closed stay there.
 *
 * @returns Failure month-not-last, no-reason, reason-too-long
 */
export async function reopenMonth(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { id: orgId }: OrgWithTimeZone,
  { month, userId, reason }: MonthRequest & { readonly reason: string },
): Promise<Record<string, never> | Failure> {
  const failure = addField('reason', reasonFailure(reason));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    await lockBooks(tx, orgId);
    const changes = await listMonthChanges(tx, orgId);
    if (!findClosing(changes, month)) return {};
    if (month !== lastClosedMonth(changes)) return new Failure('month-not-last');
    const change = { orgId, month, action: 'reopened', reason: reason.trim() } as const;
    await insertMonthChange(tx, change, { userId, stampedAt: now() });
    return {};
  });
}
