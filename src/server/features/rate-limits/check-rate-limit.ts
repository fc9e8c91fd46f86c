import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Failure } from '#domain/failures.ts';
import { tooManyRequests } from '#domain/refusals.ts';
import type { AppDeps } from '#server/deps.ts';
import { LIMITS, type Limit, type LimitedAction } from './limits.ts';
import { countRequest, deleteEndedWindows, type Window, windowAfterRequest } from './rate-limits.store.ts';

export type RateLimited = {
  /** The email address that the request is about, if it names one. */
  readonly email?: string | undefined;
  /** IP address by the connection or a trusted proxy, never by what the client claims. */
  readonly client: string;
};

/**
 * Counts a request per client and per email address, and refuses it if there were too many. Call it before anything is
 * looked up, so that known and unknown addresses are treated alike. A refused request does not prolong the wait.
 * @returns Failure too-many-requests with the seconds to wait
 */
export async function checkRateLimit(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  action: LimitedAction,
  { email, client }: RateLimited,
): Promise<Failure | undefined> {
  const { perClient, perAddress, windowMs }: Limit = LIMITS[action];
  const time = now();
  const endsAt = new Date(time.getTime() + windowMs);
  const ofClient = await countRequest(db.kysely, clientSubject(action, client), time, endsAt);
  const waits = [secondsToWait(ofClient, perClient, time)];
  if (email !== undefined && perAddress !== undefined) {
    const subject = addressSubject(action, email);
    // A client over its own limit cannot use up the limit of an address.
    const ofAddress =
      ofClient.count > perClient
        ? await windowAfterRequest(db.kysely, subject, time)
        : await countRequest(db.kysely, subject, time, endsAt);
    waits.push(secondsToWait(ofAddress, perAddress, time));
  }
  const wait = Math.max(...waits);
  return wait > 0 ? tooManyRequests(wait) : undefined;
}

/** Deletes counts whose window has ended. */
export async function sweepRateLimits({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteEndedWindows(db.kysely, now());
}

function secondsToWait(window: Window | undefined, limit: number, now: Date): number {
  if (!window || window.count <= limit) return 0;
  return Math.max(1, Math.ceil((window.ends_at.getTime() - now.getTime()) / 1000));
}

function addressSubject(action: LimitedAction, email: string): string {
  return hashed(action, 'address', email.trim().toLowerCase());
}

function clientSubject(action: LimitedAction, client: string): string {
  return hashed(action, 'client', networkOf(client));
}

/** The table reveals nobody. */
function hashed(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

/** An IPv4 address, also if written as IPv6; the first 64 bits of any other IPv6 address, which one household shares. */
function networkOf(client: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(client)?.[1];
  if (mapped) return mapped;
  const [address = client] = client.split('%');
  return isIPv6(address) ? firstHalf(address) : client;
}

function firstHalf(address: string): string {
  const [before = '', after] = address.toLowerCase().split('::');
  const left = groupsOf(before);
  const right = groupsOf(after ?? '');
  const zeros = after === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function groupsOf(text: string): string[] {
  // An IPv4 address at the end counts as two groups.
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
