import { randomBytes } from 'node:crypto';

/**
 * Creates a random 128-bit id. It must be unguessable, because a checkout's id gives access to its page (decisions §6). It
 * never begins with "-", which a spreadsheet would read as a formula.
 */
export function newId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newId() : id;
}
