import { type Failure, tooManyRequests } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { countTry, type Window, windowAfterTry } from './attempts.store.ts';
import { type AttemptKind, LIMITS, type Limit } from './limits.ts';
import { addressSubject, clientSubject } from './subject.ts';

export type Attempt = {
  /** The address that it is about, where one was named. */
  readonly email?: string | undefined;
  /** The address of the client, as the connection or a trusted proxy has it; never what a client says of itself. */
  readonly client: string;
};

/**
 * Counts a try, and refuses it where there were too many: per client and per email address. Ask before anything is
 * looked up, so that known and unknown addresses cost the same. A refused try does not prolong the waiting.
 * @returns Failure too-many-requests, with the seconds after which there is room again
 */
export async function limitAttempts(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  kind: AttemptKind,
  { email, client }: Attempt,
): Promise<Failure | undefined> {
  const { perClient, perAddress, windowMs }: Limit = LIMITS[kind];
  const moment = now();
  const endsAt = new Date(moment.getTime() + windowMs);
  const ofClient = await countTry(db.kysely, clientSubject(kind, client), moment, endsAt);
  const waits = [waitIn(ofClient, perClient, moment)];
  if (email !== undefined && perAddress !== undefined) {
    const subject = addressSubject(kind, email);
    // Nobody can use an address up by tries that were refused anyway: these are told of its window, and not counted.
    const ofAddress =
      ofClient.count > perClient
        ? await windowAfterTry(db.kysely, subject, moment)
        : await countTry(db.kysely, subject, moment, endsAt);
    waits.push(waitIn(ofAddress, perAddress, moment));
  }
  const wait = Math.max(...waits);
  return wait > 0 ? tooManyRequests(wait) : undefined;
}

/** Seconds until there is room again: none while there is. */
function waitIn(window: Window | undefined, most: number, now: Date): number {
  if (!window || window.count <= most) return 0;
  return Math.max(1, Math.ceil((window.ends_at.getTime() - now.getTime()) / 1000));
}
