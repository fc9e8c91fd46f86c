import { readFileSync } from 'node:fs';
import { Failure } from '#domain/failures.ts';
import { passwordFailure } from '#domain/password.ts';

const COMMON_FILE = new URL('./common-passwords.txt', import.meta.url);
let common: ReadonlySet<string> | undefined;

/**
 * Why a password cannot be chosen, or nothing: too short, too long, the address itself, or one that many people use
 * (decisions §4).
 * @param email the address that it is for, where it is known
 */
export function newPasswordFailure(password: string, email?: string): Failure | undefined {
  const refused = passwordFailure(password);
  if (refused) return refused;
  if (isAddress(password, email)) return new Failure('password-is-address');
  return isCommon(password) ? new Failure('password-too-common') : undefined;
}

/** The address, or what stands before its @. */
function isAddress(password: string, email: string | undefined): boolean {
  const typed = password.trim().toLowerCase();
  const address = email?.trim().toLowerCase();
  return address !== undefined && (typed === address || typed === address.split('@')[0]);
}

/** However its letters are written. */
function isCommon(password: string): boolean {
  common ??= readCommon();
  return common.has(password.trim().toLowerCase());
}

function readCommon(): ReadonlySet<string> {
  const lines = readFileSync(COMMON_FILE, 'utf8').split('\n');
  return new Set(lines.filter((line) => !line.startsWith('#')));
}
