import type { Transaction } from 'kysely';
import { receivedDayFailure } from '#domain/check.ts';
import { type Day, dayOf, dayText } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { formatCents } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { addField } from '#server/http/problems.ts';
import {
  deleteDeposit,
  deleteMark,
  findChecks,
  findDepositDay,
  findDepositDayOfCheck,
  hasBouncedCheck,
  insertDeposit,
  listDepositedChecks,
  lockBankLines,
} from './bank.store.ts';
import { isClosed } from './read-bank-month.ts';

type Deposit = {
  readonly id: string;
  readonly depositedOn: Day;
  readonly entryIds: readonly string[];
  readonly userId: UserId;
};

/**
 * Groups checks that were taken to the bank together. The caller chooses the id, so repeating the call doesn't add a second
 * deposit.
 *
 * @returns Failure deposit-recorded if the id was used for other content, pledge-not-found, check-deposited,
 * deposit-before-check, month-closed, deposit-not-found, or for an invalid day
 */
export async function saveDeposit(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { id: orgId, timeZone }: OrgWithTimeZone,
  { id, depositedOn, entryIds, userId }: Deposit,
): Promise<Record<string, never> | Failure> {
  const failure = addField('on', receivedDayFailure(depositedOn, dayOf(now(), timeZone)));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    await lockBankLines(tx, orgId);
    const uniqueIds = [...new Set(entryIds)];
    const recordedDay = await findDepositDay(tx, orgId, id);
    if (recordedDay !== undefined) {
      const recordedChecks = await listDepositedChecks(tx, [id]);
      const hasSameChecks =
        recordedChecks.length === uniqueIds.length &&
        recordedChecks.every(({ entry_id: entryId }) => uniqueIds.includes(entryId));
      if (recordedDay === depositedOn && hasSameChecks) return {};
      return new Failure('deposit-recorded', {
        amount: formatCents(recordedChecks.reduce((total, { cents }) => total + cents, 0)),
        day: (options) => dayText(recordedDay, options),
      });
    }
    const checks = await findChecks(tx, orgId, uniqueIds);
    if (checks.length < uniqueIds.length) return new Failure('pledge-not-found');
    if (!checks.every(({ isUndeposited }) => isUndeposited)) return new Failure('check-deposited');
    const arrivalDays = checks.map(({ receivedAt }) => dayOf(receivedAt, timeZone));
    const lastDay = arrivalDays.reduce((a, b) => (a > b ? a : b), depositedOn);
    if (lastDay > depositedOn)
      return new Failure('deposit-before-check', { day: (options) => dayText(lastDay, options), field: 'on' });
    if (await isClosed(tx, orgId, depositedOn)) return new Failure('month-closed', { field: 'on' });
    const deposit = { orgId, id, depositedOn, entryIds: uniqueIds };
    const isSaved = await insertDeposit(tx, deposit, { userId, stampedAt: now() });
    return isSaved ? {} : new Failure('deposit-not-found');
  });
}

/**
 * Undoes a deposit, so that its checks can be deposited again. A bounced check can't, although the bank received it.
 * @returns Failure deposit-not-found, month-closed, deposit-bounced
 */
export async function removeDeposit(
  { db }: Pick<AppDeps, 'db'>,
  { orgId, depositId }: { readonly orgId: string; readonly depositId: string },
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    await lockBankLines(tx, orgId);
    const day = await findDepositDay(tx, orgId, depositId);
    if (day === undefined) return new Failure('deposit-not-found');
    if (await isClosed(tx, orgId, day)) return new Failure('month-closed');
    if (await hasBouncedCheck(tx, depositId)) return new Failure('deposit-bounced');
    await deleteMark(tx, { orgId, kind: 'deposit', id: depositId });
    await deleteDeposit(tx, orgId, depositId);
    return {};
  });
}

/**
 * Rejects changes to a check that is in a deposit, unless the deposit's month is closed and can no longer change. The
 * check can't be deposited before the transaction ends.
 * @returns Failure check-in-deposit
 */
export async function depositedCheckFailure(
  tx: Transaction<Tables>,
  orgId: OrgId,
  entryId: string,
): Promise<Failure | undefined> {
  await lockBankLines(tx, orgId);
  const depositedOn = await findDepositDayOfCheck(tx, orgId, entryId);
  if (depositedOn === undefined || (await isClosed(tx, orgId, depositedOn))) return undefined;
  return new Failure('check-in-deposit', { day: (options) => dayText(depositedOn, options) });
}
