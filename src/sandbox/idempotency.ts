import { createHash } from 'node:crypto';
import { StripeApiError } from './api-error.ts';
import type { Store } from './store.ts';

const KEPT_SECONDS = 24 * 60 * 60;

/**
 * Does a request once for its key: the same request again gets the first answer, in which nothing is done.
 * A refusal is not kept, as nothing was begun. Call it inside a transaction, so that the work and its key are kept together.
 * @throws StripeApiError idempotency_error when the key was used for another request
 */
export function doOnce(
  store: Store,
  key: string,
  request: string,
  now: number,
  work: () => string,
): { answer: string; replayed: boolean } {
  const fingerprint = createHash('sha256').update(request).digest('hex');
  const known = store.db.prepare('SELECT fingerprint, answer FROM idempotency_keys WHERE key = ?').get(key);
  if (known?.fingerprint === fingerprint) return { answer: String(known.answer), replayed: true };
  if (known) throw otherRequest(key);
  const answer = work();
  const insert = store.db.prepare(
    'INSERT INTO idempotency_keys (key, fingerprint, answer, created) VALUES (?, ?, ?, ?)',
  );
  insert.run(key, fingerprint, answer, now);
  return { answer, replayed: false };
}

function otherRequest(key: string): StripeApiError {
  const message =
    'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
    `Try using a key other than '${key}' if you meant to execute a different request.`;
  return new StripeApiError(400, message, { type: 'idempotency_error' });
}

/** As at Stripe, a key counts for a day. @param now in seconds */
export function forgetOldKeys({ db }: Store, now: number): void {
  db.prepare('DELETE FROM idempotency_keys WHERE created < ?').run(now - KEPT_SECONDS);
}
