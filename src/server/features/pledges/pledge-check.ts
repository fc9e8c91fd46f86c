import type { ReceivedBody } from '#contract/schemas.ts';
import type { Failure } from '#domain/failures.ts';
import { emailFailure, nameFailure } from '#domain/profile.ts';
import type { AppDeps } from '#server/deps.ts';
import { aboutField } from '#server/http/field-failure.ts';
import { newId } from '#server/ids.ts';
import { insertPledge } from './pledges.store.ts';

/**
 * Keeps that somebody means to send a check. A pledge is a promise: nothing counts until an editor has the check in
 * hand (decisions §3).
 * @returns Failure: what is wrong with a field
 */
export async function pledgeCheck(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  orgId: string,
  { name, email, amount }: ReceivedBody<'pledgeCheck'>,
): Promise<{ id: string; amount: number } | Failure> {
  const failure = aboutField('name', nameFailure(name)) ?? aboutField('email', emailFailure(email));
  if (failure) return failure;
  const id = newId();
  await insertPledge(db.kysely, {
    id,
    org_id: orgId,
    name: name.trim(),
    email: email.trim(),
    amount_cents: amount * 100,
    created_at: now(),
  });
  return { id, amount };
}
