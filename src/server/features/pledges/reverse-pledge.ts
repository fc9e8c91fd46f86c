import type { Pledge } from '#contract/schemas/pledges.ts';
import type { ReceivedBody } from '#contract/schemas.ts';
import { checkLines, reasonFailure } from '#domain/books.ts';
import { Failure } from '#domain/failures.ts';
import { formatCents } from '#domain/money.ts';
import { returnNotes } from '#domain/receipt.ts';
import type { InLanguage } from '#messages';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { noteOnReceipt } from '#server/features/receipts/note-on-receipt.ts';
import { aboutField } from '#server/http/problems.ts';
import { changePledge, lockedPledge, type PledgeKey, receivedEntry, reversalFact } from './pledges.store.ts';
import { readPledge } from './receive-pledge.ts';

/**
 * Takes a received check out of the ledger and the totals: it bounced, or was recorded by mistake. Its receipt gets a
 * note. A bounced check is done with; one that was recorded by mistake is expected again, and can be canceled.
 * @returns Failure pledge-not-found, pledge-not-received, no-reason, reason-too-long
 */
export async function reversePledge(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  key: PledgeKey,
  { entryid, because, reason }: ReceivedBody<'reversePledge'>,
  actorId: string,
): Promise<Pledge | Failure> {
  const failure = aboutField('reason', reasonFailure(reason));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    const pledge = await lockedPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    const entry = await receivedEntry(tx, key, entryid);
    if (!entry) return new Failure('pledge-not-received');
    if (entry.isReversed) return readPledge(tx, key);
    const at = now();
    const isBounced = because === 'bounced';
    await changePledge(tx, key, {
      status: isBounced ? 'withdrawn' : 'pledged',
      bounced: isBounced,
      reversal_reason: reason.trim(),
    });
    await postEntry(tx, {
      orgId: key.orgId,
      pledgeId: key.pledgeId,
      kind: 'reversal',
      fact: reversalFact(entryid),
      actorId,
      amount: -entry.amount_cents,
      carbon: 0,
      currency: entry.currency,
      occurredAt: at,
      knownAt: at,
      lines: checkLines(-entry.amount_cents),
    });
    const note = returnNotes[isBounced ? 'checkBounced' : 'checkMistaken'];
    const text = (options: InLanguage) => note({ amount: formatCents(entry.amount_cents) }, options);
    await noteOnReceipt(tx, { orgId: key.orgId, entryId: entryid, fact: reversalFact(entryid), at, text });
    return readPledge(tx, key);
  });
}
