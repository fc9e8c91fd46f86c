import { createHash, randomBytes } from 'node:crypto';

/** Generates a session secret or the code of an emailed link: 192 random bits. */
export function generateSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Hashes a secret for storage. Secrets are random, so a plain hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
