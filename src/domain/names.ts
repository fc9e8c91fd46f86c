import { m } from '#messages';
import { firstCharacters } from './characters.ts';
import { Failure, type Words } from './failures.ts';
import { lengthOf, NAME_MAXIMUM, nameFailure } from './profile.ts';
import { ENDINGS, printable, textFailure } from './safe-text.ts';

/**
 * What is wrong with a name that someone chooses. Names stand in mails to others, so they take no addresses that a
 * reader could be lured to.
 * @returns Failure as nameFailure, text-unprintable, text-with-address, text-like-address
 */
export function chosenNameFailure(name: string): Failure | undefined {
  return nameFailure(name) ?? textFailure(name.normalize().trim());
}

/** The same for a name that can be left out or be of one letter. */
export function optionalNameFailure(name: string): Failure | undefined {
  if (lengthOf(name) > NAME_MAXIMUM) return new Failure('name-too-long', { most: NAME_MAXIMUM });
  return textFailure(name.normalize().trim());
}

const thePlace: Words = (options) => m.thePlace({}, options);

/** What is wrong with the name of the city that an organization serves, which can be left out. */
export function placeFailure(place: string): Failure | undefined {
  if (lengthOf(place) > NAME_MAXIMUM) return new Failure('place-too-long', { most: NAME_MAXIMUM });
  return textFailure(place.normalize().trim(), thePlace);
}

/** A name of any origin, such as the payment page's, as a page may show it: short, and with nothing to click on. */
export function harmlessName(name: string): string {
  const line = printable(name);
  return shortened(textFailure(line) === undefined ? line : line.replace(/[.:@/\\。｡․．]+(?=\S)/gu, '$& '));
}

/** A name of any origin, such as the payment page's, as a mail may say it: '' if it holds an address. */
export function mailedName(name: string | null | undefined): string {
  const line = printable((name ?? '').slice(0, READ));
  const spaced = line.replace(INITIAL, (dot: string, next: string) => (ENDING.test(next) ? dot : `${dot} `));
  return textFailure(spaced) === undefined ? shortened(spaced) : '';
}

/** As much of a name as is looked at. */
const READ = 1000;
/** The dots of "J.R.Smith" and "Dr.Smith", but not that of "Evil.Com". */
const INITIAL = /(?<=[\p{L}\p{M}])\.(?=(\p{Lu}[\p{L}\p{M}-]+))/gu;
const ENDING = new RegExp(`^(?:${ENDINGS})$`, 'i');

function shortened(line: string): string {
  return lengthOf(line) <= NAME_MAXIMUM ? line : `${firstCharacters(line, NAME_MAXIMUM - 1).trimEnd()}…`;
}
