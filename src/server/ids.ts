import { randomBytes } from 'node:crypto';

/** 128 random bits: knowing a checkout's id is enough to see it (decisions §6). */
export function newId(): string {
  return randomBytes(16).toString('base64url');
}
