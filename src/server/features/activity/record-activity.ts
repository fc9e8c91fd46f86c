import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import type { Actor } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { FileResponse } from '#server/http/call-route.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { eraseIpAddresses, insertActivity } from './activity.store.ts';

type Caller = { readonly actor: Actor; readonly request: { readonly ip: string } };

/** Records the download of a file with personal data, unless the call failed. @returns the result unchanged */
export async function recordExport<Result>(
  { kysely }: Database,
  { actor, request, org }: Caller & { readonly org?: { readonly id: string } | undefined },
  result: Result,
): Promise<Result> {
  if (result instanceof Failure) return result;
  const userId = actor.kind === 'user' ? actor.userId : undefined;
  const isFile = result instanceof FileResponse;
  await insertActivity(kysely, {
    kind: 'export',
    orgId: org?.id,
    actorId: userId,
    affectedUserId: org ? undefined : userId,
    ipAddress: request.ip,
    after: isFile ? { file: result.file.name } : {},
  });
  return result;
}

/** Records that a user read the details of many donors in a day. */
export function recordBulkRead(
  { kysely }: Database,
  { orgId, userId, ipAddress }: { readonly orgId: OrgId; readonly userId: UserId; readonly ipAddress: string },
): Promise<void> {
  return insertActivity(kysely, { kind: 'donors', orgId, actorId: userId, ipAddress });
}

export type Claim = {
  readonly orgId: OrgId;
  readonly userId: UserId;
  readonly ipAddress: string;
  readonly isAccepted: boolean;
};

/**
 * Records whether the owner of an email address claimed or declined a story or gifts. A declined claim isn't recorded for
 * the organization, so that its editors don't see a person who isn't involved.
 */
export function recordClaim(tx: Transaction<Tables>, { orgId, userId, ipAddress, isAccepted }: Claim): Promise<void> {
  return insertActivity(tx, {
    kind: 'claim',
    orgId: isAccepted ? orgId : undefined,
    actorId: userId,
    affectedUserId: userId,
    ipAddress,
    after: { answer: isAccepted ? 'It’s mine' : 'Not me' },
  });
}

export type GiftRequest = {
  readonly orgId: OrgId;
  readonly subscriptionId: string;
  readonly request: 'stop' | 'pause' | 'resume' | 'change' | 'card';
};

/** Records a request made through a recurring gift's link. Stripe may report the change before the program does. */
export function recordGiftRequest(
  { kysely }: Database,
  { actor, request: { ip: ipAddress } }: Caller,
  { orgId, subscriptionId, request }: GiftRequest,
): Promise<void> {
  const actorId = actor.kind === 'user' ? actor.userId : undefined;
  return insertActivity(kysely, {
    kind: 'gift',
    orgId,
    actorId,
    subject: subscriptionId,
    ipAddress,
    after: { request },
  });
}

/** Records a failed login, even for an unknown address, so that the response time doesn't reveal whether it has an account. */
export function recordFailedLogin({ kysely }: Database, userId: UserId | undefined, ipAddress: string): Promise<void> {
  return insertActivity(kysely, { kind: 'login-failed', affectedUserId: userId, ipAddress });
}

const IP_ADDRESS_RETENTION_MS = 90 * 24 * 60 * 60_000;

/** Erases IP addresses after 90 days. */
export function sweepActivity({ kysely }: Database, now: Date): Promise<void> {
  return eraseIpAddresses(kysely, new Date(now.getTime() - IP_ADDRESS_RETENTION_MS));
}

export const sweepActivityJob = defineRecurringJob({
  name: 'sweep-activity',
  initialDelayMs: 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: false,
  isLong: true,
  run: ({ db, now }: Pick<AppDeps, 'db' | 'now'>) => sweepActivity(db, now()),
});
