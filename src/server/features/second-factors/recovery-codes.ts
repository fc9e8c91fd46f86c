import { createHash, randomBytes } from 'node:crypto';
import {
  createRecoveryCode,
  parseRecoveryCode,
  RECOVERY_CODE_COUNT,
  RECOVERY_CODE_LENGTH,
} from '#domain/second-factor.ts';

type NewRecoveryCodes = { readonly codes: readonly string[]; readonly hashes: readonly string[] };

/** Generates recovery codes. The user sees them once; only their hashes are stored. */
export function generateRecoveryCodes(): NewRecoveryCodes {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    createRecoveryCode([...randomBytes(RECOVERY_CODE_LENGTH)]),
  );
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** Hashes a code as entered by the user. Codes are random, so a plain hash is enough. */
export function hashRecoveryCode(enteredCode: string): string {
  return createHash('sha256')
    .update(parseRecoveryCode(enteredCode) ?? '')
    .digest('base64url');
}
