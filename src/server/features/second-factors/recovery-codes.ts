import { createHash, randomBytes } from 'node:crypto';
import { plainRecoveryCode, RECOVERY_CODE_LENGTH, RECOVERY_CODES, recoveryCode } from '#domain/second-factor.ts';

export type NewRecoveryCodes = { readonly codes: readonly string[]; readonly hashes: readonly string[] };

/** Shown once; only their hashes are stored. */
export function newRecoveryCodes(): NewRecoveryCodes {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode([...randomBytes(RECOVERY_CODE_LENGTH)]));
  return { codes, hashes: codes.map(hashOfRecoveryCode) };
}

/** Codes are random, so that a plain hash is enough. */
export function hashOfRecoveryCode(typed: string): string {
  return createHash('sha256')
    .update(plainRecoveryCode(typed) ?? '')
    .digest('base64url');
}
