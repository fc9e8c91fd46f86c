import { randomFillSync } from 'node:crypto';

const BYTES = 16;
/** Asking for random bytes takes longer than all else about an id, and every request has one: they are asked for in advance. */
const ahead = Buffer.alloc(BYTES * 256);
let used = ahead.length;

/**
 * A random id of 128 bits that cannot be guessed: a checkout's id opens its page (decisions §6). None begins with "-",
 * which a spreadsheet would read as a formula.
 */
export function newId(): string {
  if (used === ahead.length) {
    randomFillSync(ahead);
    used = 0;
  }
  const id = ahead.toString('base64url', used, used + BYTES);
  // No id can be read in memory by its bytes once it is given out.
  ahead.fill(0, used, used + BYTES);
  used += BYTES;
  return id.startsWith('-') ? newId() : id;
}
