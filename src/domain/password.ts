import { charactersOf } from './characters.ts';
import { Failure } from './failures.ts';

/** At least this many characters (§5). */
export const PASSWORD_MINIMUM = 6;
/** As many as the form advises (decisions §4). */
export const PASSWORD_ADVISED = 12;
/** Longer than any passphrase; more would only cost the server time. */
export const PASSWORD_MAXIMUM = 256;

/** Why a new password is refused by its length, or nothing. Whether it is a common one, only the server knows. */
export function passwordFailure(password: string): Failure | undefined {
  const length = charactersOf(password).length;
  if (length < PASSWORD_MINIMUM) return new Failure('password-too-short', { least: PASSWORD_MINIMUM });
  return length > PASSWORD_MAXIMUM ? new Failure('password-too-long', { most: PASSWORD_MAXIMUM }) : undefined;
}
