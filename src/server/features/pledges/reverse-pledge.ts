import type { Pledge } from '#contract/schemas/pledges.ts';
import type { ParsedBody } from '#contract/schemas.ts';
import { checkLines, reasonFailure } from '#domain/books.ts';
import { buildFact } from '#domain/facts.ts';
import { Failure } from '#domain/failures.ts';
import { formatCents } from '#domain/money.ts';
import { returnNotes } from '#domain/receipt.ts';
import type { InLanguage } from '#messages';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { depositedCheckFailure } from '#server/features/bank/save-deposit.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { addNoteToReceipt } from '#server/features/receipts/add-note-to-receipt.ts';
import { sendBouncedCheckEmail } from '#server/features/receipts/send-bounced-check-email.job.ts';
import { addField } from '#server/http/problems.ts';
import { changePledge, findCheckEntry, lockPledge, type PledgeKey } from './pledges.store.ts';
import { readPledge } from './receive-pledge.ts';

/**
 * Reverses a received check that bounced or was recorded by mistake, and adds a note to its receipt. A bounced check ends
 * its pledge, and the donor gets an email. A check recorded by mistake reopens its pledge, which can then be canceled.
 * Such a check can't be in an open month's deposit, because the bank never received it.
 * @returns Failure pledge-not-found, pledge-not-received, check-in-deposit, no-reason, reason-too-long
 */
export async function reversePledge(
  { db, jobs, now }: Pick<AppDeps, 'db' | 'jobs' | 'now'>,
  key: PledgeKey,
  { entryid: entryId, cause, reason }: ParsedBody<'reversePledge'>,
  actorId: string,
): Promise<Pledge | Failure> {
  const failure = addField('reason', reasonFailure(reason));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    const pledge = await lockPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    const entry = await findCheckEntry(tx, key, entryId);
    if (!entry) return new Failure('pledge-not-received');
    if (entry.isReversed) return readPledge(tx, key);
    const time = now();
    const isBounced = cause === 'bounced';
    const depositFailure = isBounced ? undefined : await depositedCheckFailure(tx, key.orgId, entryId);
    if (depositFailure) return depositFailure;
    await changePledge(tx, key, {
      status: isBounced ? 'withdrawn' : 'pledged',
      bounced: isBounced,
      reversal_reason: reason.trim(),
    });
    const fact = buildFact('check-reversal', entryId);
    await postEntry(tx, {
      orgId: key.orgId,
      pledgeId: key.pledgeId,
      kind: 'reversal',
      fact,
      reversedEntryId: entryId,
      actorId,
      amount: -entry.amount_cents,
      carbon: 0,
      currency: entry.currency,
      occurredAt: time,
      reportedAt: time,
      lines: checkLines(-entry.amount_cents),
    });
    const note = returnNotes[isBounced ? 'checkBounced' : 'checkMistaken'];
    const formatText = (options: InLanguage) => note({ amount: formatCents(entry.amount_cents) }, options);
    await addNoteToReceipt(tx, { orgId: key.orgId, entryId, fact, occurredAt: time, formatText });
    if (isBounced) await jobs.enqueue(tx, sendBouncedCheckEmail, { orgId: key.orgId, entryId });
    return readPledge(tx, key);
  });
}
