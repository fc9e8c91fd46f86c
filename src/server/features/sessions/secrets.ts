import { createHash, randomBytes } from 'node:crypto';

/** 192 random bits: a session secret, or the code of a mailed link. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** What is stored of a secret. Secrets are random, so that a plain hash is enough. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
