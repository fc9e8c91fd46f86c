import { firstCharacters } from './characters.ts';
import type { Failure } from './failures.ts';
import { lengthOf, NAME_MAXIMUM, nameFailure } from './profile.ts';
import { profileFailure } from './profile-failures.ts';
import { ENDINGS, printable, textFailure } from './safe-text.ts';

/**
 * Checks a name that someone chooses. Names appear in emails to others, so they can't contain addresses.
 * @returns Failure as nameFailure, text-unprintable, text-with-address, text-like-address
 */
export function chosenNameFailure(name: string): Failure | undefined {
  return nameFailure(name) ?? textFailure(name.normalize().trim());
}

/** Same as chosenNameFailure, for a name that may be empty or have one letter. */
export function optionalNameFailure(name: string): Failure | undefined {
  if (lengthOf(name) > NAME_MAXIMUM) return profileFailure('name-too-long', { most: NAME_MAXIMUM });
  return textFailure(name.normalize().trim());
}

/** Makes a name from any source, such as the payment page, safe for display: short, and without links. */
export function harmlessName(name: string): string {
  const line = printable(name);
  return shorten(textFailure(line) === undefined ? line : line.replace(/[.:@/\\。｡․．]+(?=\S)/gu, '$& '));
}

/** Makes a name from any source, such as the payment page, safe for email: '' if it contains an address. */
export function emailSafeName(name: string | null | undefined): string {
  const line = printable((name ?? '').slice(0, READ_MAXIMUM));
  const spacedLine = line.replace(INITIAL, (dot: string, next: string) => (ENDING.test(next) ? dot : `${dot} `));
  return textFailure(spacedLine) === undefined ? shorten(spacedLine) : '';
}

/** Characters of a name to read. */
const READ_MAXIMUM = 1000;
/** The dots of "J.R.Smith" and "Dr.Smith", but not of "Evil.Com". */
const INITIAL = /(?<=[\p{L}\p{M}])\.(?=(\p{Lu}[\p{L}\p{M}-]+))/gu;
const ENDING = new RegExp(`^(?:${ENDINGS})$`, 'i');

function shorten(line: string): string {
  return lengthOf(line) <= NAME_MAXIMUM ? line : `${firstCharacters(line, NAME_MAXIMUM - 1).trimEnd()}…`;
}
