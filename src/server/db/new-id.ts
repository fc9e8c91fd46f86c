import { randomBytes } from 'node:crypto';

/**
 * A random id of 128 bits. It must be unguessable, because a checkout's id opens its page (decisions §6). It never begins
 * with "-", which a spreadsheet would read as a formula.
 */
export function newId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newId() : id;
}
