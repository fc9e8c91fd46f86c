import { createHash } from 'node:crypto';
import type { Failure } from '#domain/failures.ts';
import { tooManyRequests } from '#domain/server-failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { getNetworks, WIDER_NETWORK_FACTOR } from '#server/http/network.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { type CountedBy, type CountLimit, LIMITS, type Limit, type LimitedAction } from './limits.ts';
import {
  type CountWindow,
  countRequest,
  decrementCount,
  deleteEndedWindows,
  previewWindow,
} from './rate-limits.store.ts';

/** Properties of a request that its limits can count. */
export type Requester = {
  /** IP address from the connection or a trusted proxy, never from the client's own headers; or its stored key. */
  readonly client?: string | ClientKey;
  /** Email address in the request, if any. */
  readonly email?: string | undefined;
  /** Id of the browser, if the owner of the address has logged in with it. */
  readonly device?: string | undefined;
  readonly userId?: string;
  readonly resource?: string;
};

/** A client's stored key. */
export class ClientKey {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

/** Hashes the client's networks, narrowest first, for storage. */
export function hashClient(client: string): string {
  return getNetworks(client)
    .map((network) => hashSubject('client', network))
    .join(' ');
}

type Deps = Pick<AppDeps, 'db' | 'now'>;

/** Time for which a rejection is cached in memory, so that a flood of requests doesn't overload the database. */
const CACHE_MS = 1000;
const CACHE_SIZE = 10_000;

type Rejection = { readonly cachedUntil: number; readonly endsAt: number };
/** Creates a cache of this process's recent rejections, by subject. */
const createRejectionCache = () => new Map<string, Rejection>();

/**
 * Counts a request, and rejects it if there were too many. Call this before looking anything up, so that known and unknown
 * addresses are treated alike. A rejected request doesn't extend the wait.
 * @returns Failure too-many-requests with the seconds to wait
 */
export async function checkRateLimit(
  { db, now }: Deps,
  action: LimitedAction,
  requester: Requester,
): Promise<Failure | undefined> {
  const time = now();
  const limits = findApplicableLimits(action, requester);
  const cache = db.caches.getOrCreate(createRejectionCache);
  const cachedWaits = limits.map(({ subject }) => getCachedWait(cache.get(subject), time));
  if (cachedWaits.some((seconds) => seconds > 0)) return tooManyRequests(Math.max(...cachedWaits));
  let wait = 0;
  for (const { subject, max, windowMs } of limits) {
    const endsAt = new Date(time.getTime() + windowMs);
    const window =
      wait > 0 ? await previewWindow(db.kysely, subject, time) : await countRequest(db.kysely, subject, time, endsAt);
    const subjectWait = computeWaitSeconds(window, max, time);
    if (subjectWait > 0) cacheRejection(cache, subject, time.getTime(), subjectWait);
    wait = Math.max(wait, subjectWait);
  }
  return wait > 0 ? tooManyRequests(wait) : undefined;
}

function getCachedWait(rejection: Rejection | undefined, now: Date): number {
  return rejection && rejection.cachedUntil > now.getTime() ? computeSecondsUntil(rejection.endsAt, now) : 0;
}

function cacheRejection(cache: Map<string, Rejection>, subject: string, now: number, waitSeconds: number): void {
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(subject, { cachedUntil: now + CACHE_MS, endsAt: now + waitSeconds * 1000 });
}

/** Checks a limit without counting a request. @returns the seconds to wait, or 0 */
export async function findWaitSeconds({ db, now }: Deps, action: LimitedAction, requester: Requester): Promise<number> {
  const waits = findApplicableLimits(action, requester).map(async ({ subject, max }) =>
    computeWaitSeconds(await previewWindow(db.kysely, subject, now()), max, now()),
  );
  return Math.max(0, ...(await Promise.all(waits)));
}

/** Subtracts a legitimate request, such as a correct password, from the counts. */
export async function refundRateLimit({ db, now }: Deps, action: LimitedAction, requester: Requester): Promise<void> {
  for (const { subject } of findApplicableLimits(action, requester)) {
    await decrementCount(db.kysely, subject, now());
    db.caches.getOrCreate(createRejectionCache).delete(subject);
  }
}

/** Deletes expired counts. */
export async function sweepRateLimits({ db, now }: Deps): Promise<void> {
  await deleteEndedWindows(db.kysely, now());
}

type SubjectLimit = CountLimit & { readonly subject: string };

function findApplicableLimits(action: LimitedAction, requester: Requester): SubjectLimit[] {
  const { counts, knownBrowserCounts }: Limit = LIMITS[action];
  const isKnown = requester.device !== undefined && knownBrowserCounts !== undefined;
  const applicableCounts = isKnown ? knownBrowserCounts : counts;
  return applicableCounts.flatMap(({ keys, max, windowMs }) => {
    const networks = keys.includes('client') ? toNetworkKeys(requester) : [undefined];
    return networks.flatMap((network, level) => {
      const values = keys.map((name) => (name === 'client' ? network : getCountedValue(name, requester)));
      if (values.includes(undefined)) return [];
      const subject = hashSubject(action, isKnown ? 'known' : 'any', keys.join('+'), ...values);
      return [{ keys, max: max * WIDER_NETWORK_FACTOR ** level, windowMs, subject }];
    });
  });
}

/** Keys of the client's networks, narrowest first. */
function toNetworkKeys({ client }: Requester): string[] {
  if (client === undefined) return [];
  const { key } = client instanceof ClientKey ? client : new ClientKey(hashClient(client));
  return key.split(' ');
}

function getCountedValue(name: Exclude<CountedBy, 'client'>, requester: Requester): string | undefined {
  return name === 'email' ? requester.email?.trim().toLowerCase() : requester[name];
}

function computeWaitSeconds(window: CountWindow | undefined, limit: number, now: Date): number {
  if (!window || window.count <= limit) return 0;
  return computeSecondsUntil(window.ends_at.getTime(), now);
}

function computeSecondsUntil(timeMs: number, now: Date): number {
  return Math.max(1, Math.ceil((timeMs - now.getTime()) / 1000));
}

/** Hashes the subject of a count, so that the table doesn't reveal any addresses. */
export function hashSubject(...parts: readonly (string | undefined)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

export const sweepRateLimitsJob = defineRecurringJob({
  name: 'sweep-rate-limits',
  initialDelayMs: 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: false,
  isLong: true,
  run: sweepRateLimits,
});
