import { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import { tooManyRequests } from '#domain/server-failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { recordBulkRead } from '#server/features/activity/record-activity.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { ListPage } from '#server/http/list-page.ts';
import { checkRateLimit, hashSubject } from './check-rate-limit.ts';
import { LIMITS } from './limits.ts';
import { countRequest } from './rate-limits.store.ts';

/** Rows a user can read in a day before the organization's activity log reports it. Screens show 10 rows at a time. */
export const BULK_READ_THRESHOLD = 500;

type Deps = Pick<AppDeps, 'db' | 'now'>;
type ReadCall = {
  readonly actor: Actor;
  readonly org: { readonly id: string };
  readonly request: { readonly ip: string };
};

/**
 * Reads donors' details within the user's limits. The activity log reports bulk reading once a day.
 * @returns the read result; Failure too-many-requests
 */
export async function limitDonorReads<Read>(
  deps: Deps,
  { actor, org, request }: ReadCall,
  read: () => Promise<Read | Failure>,
): Promise<Read | Failure> {
  const { userId } = requireSignedIn(actor);
  const failure = await checkRateLimit(deps, 'donor-list', { userId });
  if (failure) return failure;
  const result = await read();
  if (result instanceof Failure) return result;
  const rowCount = result instanceof ListPage && Array.isArray(result.items) ? result.items.length : 1;
  const [{ max, windowMs }] = LIMITS['donor-rows'].counts;
  const now = deps.now();
  const endsAt = new Date(now.getTime() + windowMs);
  const window = await countRequest(deps.db.kysely, hashSubject('donor-rows', userId, org.id), now, endsAt, rowCount);
  if (window.count > BULK_READ_THRESHOLD && window.count - rowCount <= BULK_READ_THRESHOLD) {
    await recordBulkRead(deps.db, { orgId: org.id, userId, ipAddress: request.ip });
  }
  if (window.count <= max) return result;
  return tooManyRequests(Math.ceil((window.ends_at.getTime() - now.getTime()) / 1000));
}
