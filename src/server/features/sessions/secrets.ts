import { createHash, randomBytes } from 'node:crypto';

/** A random text of 192 bits that nobody can guess: a session's secret, or the code of a mailed link. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** What is kept of a secret: who reads the database cannot use it. It is random, so that a plain hash is enough. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
