import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import { takingLong } from '#server/db/limits.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { FileAnswer } from '#server/http/call-route.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { addActivity, forgetClients } from './activity.store.ts';

type Who = { readonly actor: Actor; readonly request: { readonly ip: string } };

/** Records that someone takes a file with people's data, if they get it. @returns the answer */
export async function recordExport<Answer>(
  { kysely }: Database,
  { actor, request, org }: Who & { readonly org?: { readonly id: string } | undefined },
  answer: Answer,
): Promise<Answer> {
  if (answer instanceof Failure) return answer;
  const userId = actor.kind === 'user' ? actor.userId : undefined;
  const isFile = answer instanceof FileAnswer;
  await addActivity(kysely, {
    kind: 'export',
    orgId: org?.id,
    actorId: userId,
    personId: org ? undefined : userId,
    client: request.ip,
    after: isFile ? { file: answer.file.name } : {},
  });
  return answer;
}

/** Records that someone read the details of many donors in a day. */
export function recordBulkRead(
  { kysely }: Database,
  { orgId, userId, client }: { readonly orgId: string; readonly userId: string; readonly client: string },
): Promise<void> {
  return addActivity(kysely, { kind: 'donors', orgId, actorId: userId, client });
}

export type Claim = {
  readonly orgId: string;
  readonly userId: string;
  /** IP address. */
  readonly client: string;
  readonly isMine: boolean;
};

/** Records what the owner of an address said of a story. Who has nothing to do with it stays unknown to its editors. */
export function recordClaim(tx: Transaction<Tables>, { orgId, userId, client, isMine }: Claim): Promise<void> {
  return addActivity(tx, {
    kind: 'claim',
    orgId: isMine ? orgId : undefined,
    actorId: userId,
    personId: userId,
    client,
    after: { answer: isMine ? 'It’s mine' : 'Not me' },
  });
}

export type GiftRequest = {
  readonly orgId: string;
  readonly subscriptionId: string;
  readonly request: 'stop' | 'pause' | 'resume' | 'change' | 'card';
};

/** Records that someone used the link of a recurring gift, and from where: the provider may report the change first. */
export function recordGiftRequest(
  { kysely }: Database,
  { actor, request }: Who,
  { orgId, subscriptionId, request: wanted }: GiftRequest,
): Promise<void> {
  const actorId = actor.kind === 'user' ? actor.userId : undefined;
  const after = { request: wanted };
  return addActivity(kysely, { kind: 'gift', orgId, actorId, subject: subscriptionId, client: request.ip, after });
}

/** Also of an unknown address, so that both take as long. */
export function recordFailedLogin({ kysely }: Database, userId: string | undefined, client: string): Promise<void> {
  return addActivity(kysely, { kind: 'login-failed', personId: userId, client });
}

const CLIENTS_ARE_KEPT_MS = 90 * 24 * 60 * 60_000;

/** Forgets from where something was done, 90 days later. */
export function sweepActivity({ kysely }: Database, now: Date): Promise<void> {
  return forgetClients(kysely, new Date(now.getTime() - CLIENTS_ARE_KEPT_MS));
}

export const activitySweep = defineRecurringJob({
  name: 'sweep-activity',
  firstMs: 60_000,
  everyMs: 60 * 60_000,
  isExclusive: false,
  run: ({ db, now }: Pick<AppDeps, 'db' | 'now'>) => takingLong(() => sweepActivity(db, now())),
});
