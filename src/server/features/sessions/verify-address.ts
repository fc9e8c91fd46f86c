import { Failure } from '#domain/failures.ts';
import type { Bearer } from '#domain/permissions.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { limitAttempts } from '#server/features/rate-limits/limit-attempts.ts';
import { redeemCode } from './mailed-codes.store.ts';
import { lockedPerson } from './people.store.ts';
import { proveAddress } from './prove-address.ts';
import { hashOfSecret } from './secrets.ts';
import type { SessionDeps } from './session-deps.ts';

/**
 * Proves the address of the account that somebody is signed in to, with the code of a mailed link. The code alone does
 * nothing: else its owner could be made to confirm what somebody else has signed up for.
 * @returns Failure link-invalid, too-many-requests
 */
export async function verifyAddress(
  deps: Pick<SessionDeps, 'db' | 'adminEmails' | 'now'>,
  { userId, sessionId }: Bearer,
  code: string,
  client: string,
): Promise<undefined | Failure> {
  const refused = await limitAttempts(deps, 'code', { client });
  if (refused) return refused;
  const { db, adminEmails, now } = deps;
  return inTransaction(db, async (tx) => {
    const redeemed = await redeemCode(tx, { purpose: 'verify', hash: hashOfSecret(code), userId }, now());
    const person = redeemed && (await lockedPerson(tx, { id: userId }));
    if (!person || person.email !== redeemed.email) return new Failure('link-invalid');
    await proveAddress(tx, { person, ownSession: sessionId, adminEmails });
    return undefined;
  });
}
