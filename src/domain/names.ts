import { takeCharacters } from './characters.ts';
import type { Failure } from './failures.ts';
import { MAX_NAME_LENGTH, nameFailure, visibleLength } from './profile.ts';
import { profileFailure } from './profile-failures.ts';
import { DOMAIN_ENDINGS, makePrintable, textFailure } from './safe-text.ts';

/**
 * Validates a name that a user enters. Names appear in emails to others, so they can't contain addresses.
 * @returns Failure as nameFailure, text-unprintable, text-with-address, text-like-address
 */
export function chosenNameFailure(name: string): Failure | undefined {
  return nameFailure(name) ?? textFailure(name.normalize().trim());
}

/** Like chosenNameFailure, for a name that can be empty or a single letter. */
export function optionalNameFailure(name: string): Failure | undefined {
  if (visibleLength(name) > MAX_NAME_LENGTH) return profileFailure('name-too-long', { max: MAX_NAME_LENGTH });
  return textFailure(name.normalize().trim());
}

/** Makes a name from any source, such as the payment page, safe for display: short, and without links. */
export function makeDisplaySafe(name: string): string {
  const line = makePrintable(name);
  return shorten(textFailure(line) === undefined ? line : line.replace(/[.:@/\\。｡․．]+(?=\S)/gu, '$& '));
}

/** Makes a name from any source, such as the payment page, safe for email: '' if it contains an address. */
export function makeEmailSafe(name: string | null | undefined): string {
  const line = makePrintable((name ?? '').slice(0, MAX_CHECKED_LENGTH));
  const spacedLine = line.replace(INITIAL_DOT_PATTERN, (dot: string, next: string) =>
    DOMAIN_ENDING_PATTERN.test(next) ? dot : `${dot} `,
  );
  return textFailure(spacedLine) === undefined ? shorten(spacedLine) : '';
}

/** Characters of a name beyond this limit are ignored. */
const MAX_CHECKED_LENGTH = 1000;
/** Matches the dots in "J.R.Smith" and "Dr.Smith", but not in "Evil.Com". */
const INITIAL_DOT_PATTERN = /(?<=[\p{L}\p{M}])\.(?=(\p{Lu}[\p{L}\p{M}-]+))/gu;
const DOMAIN_ENDING_PATTERN = new RegExp(`^(?:${DOMAIN_ENDINGS})$`, 'i');

function shorten(line: string): string {
  return visibleLength(line) <= MAX_NAME_LENGTH ? line : `${takeCharacters(line, MAX_NAME_LENGTH - 1).trimEnd()}…`;
}
