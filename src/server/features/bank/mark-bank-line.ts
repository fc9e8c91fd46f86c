import type { ActionStamp } from '#contract/schemas/bank.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { findArrival } from '#server/features/payouts/read-payouts.ts';
import { deleteMark, findDepositDay, insertMark, type LineKind, listMarks, lockBankLines } from './bank.store.ts';
import { isClosed, presentStamp } from './read-bank-month.ts';

type MarkRequest = { readonly kind: LineKind; readonly id: string; readonly isSeen: boolean; readonly userId: UserId };

/**
 * Records that a payout or deposit is on the bank's statement, or removes that mark. If two people mark the same line, the
 * first one is recorded.
 *
 * @returns Failure payout-not-found, deposit-not-found, month-closed
 */
export async function markBankLine(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { id: orgId, timeZone }: OrgWithTimeZone,
  { kind, id, isSeen, userId }: MarkRequest,
): Promise<{ seen: ActionStamp | null } | Failure> {
  return inTransaction(db, async (tx) => {
    await lockBankLines(tx, orgId);
    const isPayout = kind === 'payout';
    const day = isPayout ? await findArrival(tx, { orgId, payoutId: id }) : await findDepositDay(tx, orgId, id);
    if (day === undefined) return new Failure(isPayout ? 'payout-not-found' : 'deposit-not-found');
    if (await isClosed(tx, orgId, day)) return new Failure('month-closed');
    const line = { orgId, kind, id };
    await (isSeen ? insertMark(tx, line, { userId, stampedAt: now() }) : deleteMark(tx, line));
    const [mark] = await listMarks(tx, orgId, [id]);
    return { seen: presentStamp(mark, timeZone) };
  });
}
