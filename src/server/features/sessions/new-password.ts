import { readFileSync } from 'node:fs';
import { Failure } from '#domain/failures.ts';
import { passwordFailure } from '#domain/password.ts';

const COMMON_PASSWORDS_FILE = new URL('./common-passwords.txt', import.meta.url);
let commonPasswords: ReadonlySet<string> | undefined;

/**
 * Checks a new password (decisions §4).
 * @param email the address of the account, if known
 * @returns Failure password-too-short, password-too-long, password-is-email, password-too-common
 */
export function newPasswordFailure(password: string, email?: string): Failure | undefined {
  return passwordFailure(password, email) ?? (isCommon(password) ? new Failure('password-too-common') : undefined);
}

function isCommon(password: string): boolean {
  commonPasswords ??= readCommonPasswords();
  return commonPasswords.has(password.trim().toLowerCase());
}

function readCommonPasswords(): ReadonlySet<string> {
  const lines = readFileSync(COMMON_PASSWORDS_FILE, 'utf8').split('\n');
  return new Set(lines.filter((line) => !line.startsWith('#')));
}
