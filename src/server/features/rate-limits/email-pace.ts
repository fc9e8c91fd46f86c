import type { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit, hashSubject, type Requester } from './check-rate-limit.ts';
import { countRequest } from './rate-limits.store.ts';

/** Interval between emails of one kind to an address that is being flooded. Links are valid for twice as long. */
const PACE_MS = 5 * 60_000;

/** When to send an email. Requests for the same later time share one email. */
export type EmailSlot = {
  /** If undefined, the email is sent now. */
  readonly sendAt: Date | undefined;
  /** True if an earlier request has already queued the email. */
  readonly isQueued: boolean;
};

/**
 * Counts a request for an email, and returns when to send it.
 *
 * One network can't flood a mailbox. Many networks together only delay its emails. Requests from the owner's browser are
 * never delayed, so that strangers can't lock the owner out.
 * @returns Failure too-many-requests
 */
export async function reserveEmailSlot(
  deps: Pick<AppDeps, 'db' | 'now'>,
  kind: string,
  requester: Requester & { readonly email: string },
): Promise<EmailSlot | Failure> {
  const failure = await checkRateLimit(deps, 'mail', requester);
  if (failure) return failure;
  const isImmediate = requester.device !== undefined || !(await checkRateLimit(deps, 'mailbox', requester));
  return isImmediate ? { sendAt: undefined, isQueued: false } : reserveNextSlot(deps, kind, requester.email);
}

async function reserveNextSlot(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  kind: string,
  email: string,
): Promise<EmailSlot> {
  const sendAt = new Date((Math.floor(now().getTime() / PACE_MS) + 1) * PACE_MS);
  const { count } = await countRequest(db.kysely, hashSubject('turn', kind, email), now(), sendAt);
  return { sendAt, isQueued: count > 1 };
}
