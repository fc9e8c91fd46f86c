import { charactersOf } from './characters.ts';
import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';

/** In characters (§5). */
export const PASSWORD_MINIMUM = 6;
/** What the form recommends (decisions §4). */
export const PASSWORD_ADVISED = 12;
/** Longer than any passphrase; more would only cost the server time. */
export const PASSWORD_MAXIMUM = 256;

/** Counting a run as one character, a password needs at least this many. */
const VARIED_MINIMUM = 4;
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const RUNS = [...ROWS, ...ROWS.map((row) => row.split('').toReversed().join(''))];
const RUN_MINIMUM = 3;

/** What this program is about, and who uses it: the words that somebody would try here first. */
export const OWN_WORDS: readonly string[] = [
  ...['city', 'climate', 'fund', 'carbon', 'offset', 'emission', 'energy', 'planet', 'donation', 'donate', 'donor'],
  ...['gift', 'grant', 'awardee', 'installer', 'receipt', 'admin', 'editor', 'treasurer', 'login', 'password'],
];
/** Letters that a password needs beside them. */
const OTHER_LETTERS = 4;

/**
 * Why a new password is refused, as far as can be told without the list of common ones, which only the server has.
 * @param email the address of the account, if known
 */
export function passwordFailure(password: string, email?: string): Failure | undefined {
  const { length } = charactersOf(password);
  if (length < PASSWORD_MINIMUM) return formFailure('password-too-short', { least: PASSWORD_MINIMUM });
  if (length > PASSWORD_MAXIMUM) return formFailure('password-too-long', { most: PASSWORD_MAXIMUM });
  const typed = password.trim().toLowerCase();
  if (isEmail(typed, email)) return formFailure('password-is-address');
  return variedLength(typed) < VARIED_MINIMUM || isOwnWords(typed) ? formFailure('password-too-common') : undefined;
}

/** Whether it is hardly more than our own words, perhaps with a year or an exclamation mark. */
function isOwnWords(typed: string): boolean {
  const rest = OWN_WORDS.reduce((text, word) => text.replaceAll(word, ''), typed);
  return rest !== typed && rest.replace(/[^\p{L}]/gu, '').length < OTHER_LETTERS;
}

/** The address, or the part before its @. */
function isEmail(typed: string, email: string | undefined): boolean {
  const address = email?.trim().toLowerCase();
  return address !== undefined && (typed === address || typed === address.split('@')[0]);
}

/** The number of characters, with each run ("4321", "qwer", "aaa") as one, of the part that is repeated ("xyxyxy"). */
function variedLength(password: string): number {
  const repeated = /^(.+?)\1+$/su.exec(password)?.[1];
  const characters = charactersOf(repeated ?? password);
  let count = 0;
  for (let at = 0; at < characters.length; at += runLength(characters.slice(at))) count += 1;
  return count;
}

/** How long the run is that some characters start with; 1 where there is none. */
function runLength(characters: readonly string[]): number {
  let length = 1;
  while (length < characters.length && isRun(characters.slice(0, length + 1))) length += 1;
  return length < RUN_MINIMUM ? 1 : length;
}

function isRun(characters: readonly string[]): boolean {
  return new Set(characters).size === 1 || RUNS.some((run) => run.includes(characters.join('')));
}
