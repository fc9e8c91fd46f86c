import { randomBytes } from 'node:crypto';

/** A random id of 128 bits that nobody can guess: whoever holds a checkout's may see it (decisions §6). */
export function newId(): string {
  return randomBytes(16).toString('base64url');
}
