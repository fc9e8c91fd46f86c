import type { Pledge } from '#contract/schemas/pledges.ts';
import type { ReceivedBody } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import { chargeOf } from '#domain/money.ts';
import { emailFailure, nameFailure } from '#domain/profile.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { aboutField } from '#server/http/field-failure.ts';
import { insertPledgeOnce, lockedPledge, type PledgeKey } from './pledges.store.ts';
import { checkFailure, count, present, type ReceiveDeps } from './receive-pledge.ts';

type Recorded = ReceivedBody<'recordPledge'>;

/**
 * Writes down a check that an editor was told of, or has in hand, which then counts at once. Its id is the caller's:
 * when the same one comes again, after a lost answer say, nothing is written twice.
 * @returns Failure pledge-not-found, or what is wrong with a field
 */
export async function recordPledge(
  deps: ReceiveDeps,
  key: PledgeKey,
  recorded: Recorded,
  actorId: string,
): Promise<Pledge | Failure> {
  const wrong = failureOf(recorded, deps.now());
  if (wrong) return wrong;
  const { name, email, amount, received } = recorded;
  return inTransaction(deps.db, async (tx) => {
    const isNew = await insertPledgeOnce(tx, {
      id: key.pledgeId,
      org_id: key.orgId,
      name: name.trim(),
      email: email.trim() || null,
      amount_cents: chargeOf(amount),
      created_at: deps.now(),
    });
    const pledge = await lockedPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    if (isNew && received) await count(tx, deps, pledge, { check: { ...received, amount }, actorId });
    return present(tx, key);
  });
}

function failureOf({ name, email, received }: Recorded, now: Date): Failure | undefined {
  return (
    aboutField('name', nameFailure(name)) ??
    (email.trim() === '' ? undefined : aboutField('email', emailFailure(email))) ??
    (received && checkFailure(received, now))
  );
}
