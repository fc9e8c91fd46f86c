import type { ActionStamp } from '#contract/schemas/bank.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { deleteMark, insertMark, type LineKind, listMarks, lockBankLines } from './bank.store.ts';
import { findLineDay, isClosed, presentStamp } from './read-bank-month.ts';

type MarkRequest = { readonly kind: LineKind; readonly id: string; readonly isSeen: boolean; readonly userId: UserId };

const NOT_FOUND = {
  payout: 'payout-not-found',
  deposit: 'deposit-not-found',
  'bounced-check': 'pledge-not-found',
} as const;

/**
 * Records that a line is on the bank's statement, or removes that mark. If two people mark the same line, the
 * first one is recorded.
 *
 * @returns Failure payout-not-found, deposit-not-found, pledge-not-found, month-closed
 */
export async function markBankLine(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { id: orgId, timeZone }: OrgWithTimeZone,
  { kind, id, isSeen, userId }: MarkRequest,
): Promise<{ seen: ActionStamp | null } | Failure> {
  return inTransaction(db, async (tx) => {
    await lockBankLines(tx, orgId);
    const day = await findLineDay(tx, { id: orgId, timeZone }, kind, id);
    if (day === undefined) return new Failure(NOT_FOUND[kind]);
    if (await isClosed(tx, orgId, day)) return new Failure('month-closed');
    const line = { orgId, kind, id };
    await (isSeen ? insertMark(tx, line, { userId, stampedAt: now() }) : deleteMark(tx, line));
    const [mark] = await listMarks(tx, orgId, [id]);
    return { seen: presentStamp(mark, timeZone) };
  });
}
