import { createHash } from 'node:crypto';
import type { Failure } from '#domain/failures.ts';
import { tooManyRequests } from '#domain/refusals.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import type { AppDeps } from '#server/deps.ts';
import { networksOf, WIDER_SHARE } from '#server/http/network.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { type Count, type CountedBy, LIMITS, type Limit, type LimitedAction } from './limits.ts';
import {
  countRequest,
  deleteEndedWindows,
  uncountRequest,
  type Window,
  windowAfterRequest,
} from './rate-limits.store.ts';

/** Who asks, and what for. */
export type Asker = {
  /** IP address by the connection or a trusted proxy, never by what the client claims; or its stored key. */
  readonly client?: string | ClientKey;
  /** The email address that the request is about, if it names one. */
  readonly email?: string | undefined;
  /** The browser, if the owner of the address has logged in there. */
  readonly device?: string | undefined;
  readonly person?: string;
  readonly thing?: string;
};

/** A client as stored. */
export class ClientKey {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

/** Hashes of the client's networks, the narrowest first. */
export function clientKey(client: string): string {
  return networksOf(client)
    .map((network) => hashed('client', network))
    .join(' ');
}

type Deps = Pick<AppDeps, 'db' | 'now'>;

/** For so long a refusal is repeated without asking the database, which a flood would keep busy. */
const REPEATED_MS = 1000;
const MOST_REPEATED = 10_000;

type Refusal = { readonly repeatedUntil: number; readonly endsAt: number };
/** By what was counted, in this process. */
const refusals = new WeakMap<AppDeps['db'], Map<string, Refusal>>();

/**
 * Counts a request, and refuses it if there were too many. Call it before anything is looked up, so that known and unknown
 * addresses are treated alike. A refused request does not prolong the wait.
 * @returns Failure too-many-requests with the seconds to wait
 */
export async function checkRateLimit(
  { db, now }: Deps,
  action: LimitedAction,
  asker: Asker,
): Promise<Failure | undefined> {
  const time = now();
  const counts = countsOf(action, asker);
  const recent = refusals.get(db) ?? new Map<string, Refusal>();
  refusals.set(db, recent);
  const repeated = counts.map(({ subject }) => waitAsSaid(recent.get(subject), time));
  if (repeated.some((seconds) => seconds > 0)) return tooManyRequests(Math.max(...repeated));
  let wait = 0;
  for (const { subject, most, windowMs } of counts) {
    const endsAt = new Date(time.getTime() + windowMs);
    const window =
      wait > 0
        ? await windowAfterRequest(db.kysely, subject, time)
        : await countRequest(db.kysely, subject, time, endsAt);
    const ownWait = secondsToWait(window, most, time);
    if (ownWait > 0) remember(recent, subject, time.getTime(), ownWait);
    wait = Math.max(wait, ownWait);
  }
  return wait > 0 ? tooManyRequests(wait) : undefined;
}

function waitAsSaid(refusal: Refusal | undefined, now: Date): number {
  return refusal && refusal.repeatedUntil > now.getTime() ? secondsUntil(refusal.endsAt, now) : 0;
}

function remember(recent: Map<string, Refusal>, subject: string, from: number, wait: number): void {
  if (recent.size >= MOST_REPEATED) recent.clear();
  recent.set(subject, { repeatedUntil: from + REPEATED_MS, endsAt: from + wait * 1000 });
}

/** Whether a request would be refused, without counting it. @returns the seconds to wait, or 0 */
export async function waitOf({ db, now }: Deps, action: LimitedAction, asker: Asker): Promise<number> {
  const waits = countsOf(action, asker).map(async ({ subject, most }) =>
    secondsToWait(await windowAfterRequest(db.kysely, subject, now()), most, now()),
  );
  return Math.max(0, ...(await Promise.all(waits)));
}

/** Gives a counted request back: it was what the limit is not meant for. */
export async function releaseRateLimit({ db, now }: Deps, action: LimitedAction, asker: Asker): Promise<void> {
  for (const { subject } of countsOf(action, asker)) {
    await uncountRequest(db.kysely, subject, now());
    refusals.get(db)?.delete(subject);
  }
}

/** Deletes counts whose window has ended. */
export async function sweepRateLimits({ db, now }: Deps): Promise<void> {
  await deleteEndedWindows(db.kysely, now());
}

type SubjectCount = Count & { readonly subject: string };

function countsOf(action: LimitedAction, asker: Asker): SubjectCount[] {
  const { counts, inKnownDevice }: Limit = LIMITS[action];
  const isKnown = asker.device !== undefined && inKnownDevice !== undefined;
  const counted = isKnown ? inKnownDevice : counts;
  return counted.flatMap(({ by, most, windowMs }) => {
    const networks = by.includes('client') ? networkKeys(asker) : [undefined];
    return networks.flatMap((network, width) => {
      const values = by.map((name) => (name === 'client' ? network : countedValue(name, asker)));
      if (values.includes(undefined)) return [];
      const subject = hashed(action, isKnown ? 'known' : 'any', by.join('+'), ...values);
      return [{ by, most: most * WIDER_SHARE ** width, windowMs, subject }];
    });
  });
}

/** Keys of the client's networks, the narrowest first. */
function networkKeys({ client }: Asker): string[] {
  if (client === undefined) return [];
  const { key } = client instanceof ClientKey ? client : new ClientKey(clientKey(client));
  return key.split(' ');
}

function countedValue(by: Exclude<CountedBy, 'client'>, asker: Asker): string | undefined {
  return by === 'email' ? asker.email?.trim().toLowerCase() : asker[by];
}

function secondsToWait(window: Window | undefined, limit: number, now: Date): number {
  if (!window || window.count <= limit) return 0;
  return secondsUntil(window.ends_at.getTime(), now);
}

function secondsUntil(moment: number, now: Date): number {
  return Math.max(1, Math.ceil((moment - now.getTime()) / 1000));
}

/** The table reveals nobody. */
export function hashed(...parts: readonly (string | undefined)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

export const rateLimitSweep = defineRecurringJob({
  name: 'sweep-rate-limits',
  firstMs: 60_000,
  everyMs: 60 * 60_000,
  isExclusive: false,
  run: (deps: Deps) => withLongTimeout(() => sweepRateLimits(deps)),
});
