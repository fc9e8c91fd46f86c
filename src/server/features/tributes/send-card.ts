import type { ResponseBody } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import { emailFailure } from '#domain/profile.ts';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { addField } from '#server/http/problems.ts';
import { sendTributeCard } from './send-tribute-card.job.ts';
import { changeCardAddress, lockTribute } from './tributes.store.ts';

/**
 * Changes a card's address, which the donor may have mistyped, and emails the card to the new address.
 * @returns the new address, or Failure card-not-found, card-not-paid, no-email, or invalid-email
 */
export async function sendCardTo(
  { db, jobs, now }: Pick<AppDeps, 'db' | 'jobs' | 'now'>,
  { orgId, checkoutId }: { readonly orgId: OrgId; readonly checkoutId: CheckoutId },
  address: string,
): Promise<ResponseBody<'sendCardTo'> | Failure> {
  const failure = addField('email', emailFailure(address));
  if (failure) return failure;
  const email = address.trim();
  return inTransaction(db, async (tx) => {
    const tribute = await lockTribute(tx, orgId, checkoutId);
    if (!tribute?.card_status) return new Failure('card-not-found');
    if (tribute.card_status === 'unpaid') return new Failure('card-not-paid');
    const mailingId = newId();
    await changeCardAddress(tx, checkoutId, { email, mailingId, changedAt: now() });
    await jobs.enqueue(tx, sendTributeCard, { checkoutId, mailingId });
    return { email };
  });
}
