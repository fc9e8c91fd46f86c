import { readFileSync } from 'node:fs';
import { Failure } from '#domain/failures.ts';
import { passwordFailure } from '#domain/password.ts';

const COMMON_FILE = new URL('./common-passwords.txt', import.meta.url);
let common: ReadonlySet<string> | undefined;

/** Why a password cannot be chosen, or nothing: too short, too long, or one that many people use (decisions §4). */
export function newPasswordFailure(password: string): Failure | undefined {
  return passwordFailure(password) ?? (isCommon(password) ? new Failure('password-too-common') : undefined);
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
