import type { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { type Asker, checkRateLimit, hashed } from './check-rate-limit.ts';
import { countRequest } from './rate-limits.store.ts';

/** How often each kind of mail goes to an address that is being flooded. A link lives twice as long. */
const PACE_MS = 5 * 60_000;

/** When a mail goes: now, or later, once for all who asked for it meanwhile. */
export type Turn = { readonly at: Date | undefined; readonly isQueued: boolean };

/**
 * Counts a request for a mail. One network cannot flood a mailbox; many together only slow its mails down, and the
 * owner's own browser is spared, so that nobody is locked out of an account by others.
 * @returns Failure too-many-requests
 */
export async function mailTurn(
  deps: Pick<AppDeps, 'db' | 'now'>,
  kind: string,
  asker: Asker & { readonly email: string },
): Promise<Turn | Failure> {
  const refused = await checkRateLimit(deps, 'mail', asker);
  if (refused) return refused;
  const isNow = asker.device !== undefined || !(await checkRateLimit(deps, 'mailbox', asker));
  return isNow ? { at: undefined, isQueued: false } : nextTurn(deps, kind, asker.email);
}

async function nextTurn({ db, now }: Pick<AppDeps, 'db' | 'now'>, kind: string, email: string): Promise<Turn> {
  const at = new Date((Math.floor(now().getTime() / PACE_MS) + 1) * PACE_MS);
  const { count } = await countRequest(db.kysely, hashed('turn', kind, email), now(), at);
  return { at, isQueued: count > 1 };
}
