/** How many are given at a time; each works once. */
export const RECOVERY_CODES = 10;
/** From here on a person hears that few are left. */
export const FEW_RECOVERY_CODES = 2;
/** Who has proven the first step has this long for the second. */
export const SECOND_STEP_MINUTES = 10;
/** How long the owner can object when an admin removes the second step of a person with a role. */
export const REMOVAL_HOURS = 24;
/** In characters. */
export const PASSKEY_NAME_MAXIMUM = 60;
/** Of one person. */
export const PASSKEYS_MAXIMUM = 20;

/** Letters and digits that are not mistaken for each other: 5 bits each. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
export const RECOVERY_CODE_LENGTH = 24;

/**
 * A recovery code, "k3mp-w2xa-9rtq-hb5c-7ndu-e4sg": 120 bits, so many that a plain hash of it can be kept.
 * @param random one number from 0 to 255 for each of its 24 characters
 */
export function recoveryCode(random: readonly number[]): string {
  const characters = random.slice(0, RECOVERY_CODE_LENGTH).map((each) => ALPHABET[each % ALPHABET.length]);
  return characters.join('').replace(/.{4}(?=.)/g, '$&-');
}

/** What was typed, as the code is stored: spaces, dashes and capitals don't matter; undefined if that can be none. */
export function plainRecoveryCode(typed: string): string | undefined {
  const plain = withoutGaps(typed).toLowerCase();
  return plain.length === RECOVERY_CODE_LENGTH ? plain : undefined;
}

/** Six digits of an authenticator app, typed with or without spaces; undefined if that can be none. */
export function plainAuthenticatorCode(typed: string): string | undefined {
  const digits = withoutGaps(typed);
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

function withoutGaps(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '');
}
