/** Number of new recovery codes. Each works once. */
export const RECOVERY_CODE_COUNT = 10;
/** Users with this many codes or fewer are warned. */
export const LOW_RECOVERY_CODE_COUNT = 2;
/** Time limit for the second step, in minutes after the first. */
export const SECOND_STEP_MINUTES = 10;
/** Hours a user with a role has to object after an admin removes their second factor. */
export const REMOVAL_OBJECTION_HOURS = 24;
/** In characters. */
export const MAX_PASSKEY_NAME_LENGTH = 60;
/** Per user. */
export const MAX_PASSKEYS = 20;

/** Letters and digits that are hard to confuse, 5 bits each. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
export const RECOVERY_CODE_LENGTH = 24;

/**
 * Creates a recovery code, "k3mp-w2xa-9rtq-hb5c-7ndu-e4sg". Its 120 bits make a plain hash safe to store.
 * @param randomBytes 24 numbers from 0 to 255
 */
export function createRecoveryCode(randomBytes: readonly number[]): string {
  const characters = randomBytes.slice(0, RECOVERY_CODE_LENGTH).map((byte) => ALPHABET[byte % ALPHABET.length]);
  return characters.join('').replace(/.{4}(?=.)/g, '$&-');
}

/** Converts an entered code to its stored form: lowercase, without spaces or dashes; undefined if malformed. */
export function parseRecoveryCode(input: string): string | undefined {
  const plain = removeSeparators(input).toLowerCase();
  return plain.length === RECOVERY_CODE_LENGTH ? plain : undefined;
}

/** Parses a six-digit code from an authenticator app, with or without spaces; undefined if malformed. */
export function parseAuthenticatorCode(input: string): string | undefined {
  const digits = removeSeparators(input);
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

function removeSeparators(text: string): string {
  return text.replaceAll(/[\s-]/g, '');
}
