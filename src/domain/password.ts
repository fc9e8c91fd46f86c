import { splitCharacters } from './characters.ts';
import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';

/** In characters (§5). */
export const MIN_PASSWORD_LENGTH = 6;
/** Recommended by the form (decisions §4). */
export const RECOMMENDED_PASSWORD_LENGTH = 12;
/** Longer than any passphrase. More characters would only slow down the server. */
export const MAX_PASSWORD_LENGTH = 256;

/** Minimum length when a run, such as "abcd" or "1234", counts as one character. */
const MIN_DISTINCT_CHARACTERS = 4;
const KEYBOARD_ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const RUNS = [...KEYBOARD_ROWS, ...KEYBOARD_ROWS.map((row) => row.split('').toReversed().join(''))];
const MIN_RUN_LENGTH = 3;

/** Words about this site and its users, which an attacker would try first. */
export const SITE_WORDS: readonly string[] = (
  'city climate fund carbon offset emission energy planet donation donate donor ' +
  'gift grant awardee installer receipt admin editor treasurer login password'
).split(' ');
/** Minimum number of letters in a password in addition to the site's words. */
const MIN_OTHER_LETTERS = 4;

/**
 * Validates a new password, except against the list of common passwords, which only the server has.
 * @param email the address of the account, if known
 */
export function passwordFailure(password: string, email?: string): Failure | undefined {
  const { length } = splitCharacters(password);
  if (length < MIN_PASSWORD_LENGTH) return formFailure('password-too-short', { min: MIN_PASSWORD_LENGTH });
  if (length > MAX_PASSWORD_LENGTH) return formFailure('password-too-long', { max: MAX_PASSWORD_LENGTH });
  const normalized = password.trim().toLowerCase();
  if (matchesEmail(normalized, email)) return formFailure('password-is-email');
  return countVariedCharacters(normalized) < MIN_DISTINCT_CHARACTERS || isSiteNameOnly(normalized)
    ? formFailure('password-too-common')
    : undefined;
}

/** @returns whether the password is little more than the site's words, perhaps with a year or an exclamation mark */
function isSiteNameOnly(password: string): boolean {
  const otherText = SITE_WORDS.reduce((text, word) => text.replaceAll(word, ''), password);
  return otherText !== password && otherText.replace(/[^\p{L}]/gu, '').length < MIN_OTHER_LETTERS;
}

/** Compares the password with the email address, and with the part before the @. */
function matchesEmail(password: string, email: string | undefined): boolean {
  const address = email?.trim().toLowerCase();
  return address !== undefined && (password === address || password === address.split('@')[0]);
}

/** Counts characters. Each run ("4321", "qwer", "aaa") counts as one, and a repeated part ("xyxyxy") counts once. */
function countVariedCharacters(password: string): number {
  const repeatedPart = /^(.+?)\1+$/su.exec(password)?.[1];
  const characters = splitCharacters(repeatedPart ?? password);
  let count = 0;
  for (let index = 0; index < characters.length; index += measureRun(characters.slice(index))) count += 1;
  return count;
}

/** Length of the run at the start; 1 if there is no run. */
function measureRun(characters: readonly string[]): number {
  let length = 1;
  while (length < characters.length && isRun(characters.slice(0, length + 1))) length += 1;
  return length < MIN_RUN_LENGTH ? 1 : length;
}

function isRun(characters: readonly string[]): boolean {
  return new Set(characters).size === 1 || RUNS.some((run) => run.includes(characters.join('')));
}
