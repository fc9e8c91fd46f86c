import { foldName } from './fold-name.ts';
import { MAX_SEARCH_LENGTH } from './places.ts';

/** Folded parts of a search. "St. Louis, MO 63101" has the words "saint", "louis" and the qualifiers "mo", "63101". */
export type SearchText = {
  words: readonly string[];
  qualifiers: readonly string[];
  /** True for "LOS", which is typed like a code, and not the start of a name. */
  isInCapitals: boolean;
};

const ZIP_PLUS_FOUR = /(?<!\d)(\d{5})-\d{4}(?!\d)/g;
/** Maximum number of words in a state or province name, such as "prince edward island". */
const MAX_STATE_WORDS = 3;

export const isZipCode = (folded: string): boolean => /^\d{5}$/.test(folded);

export function parseSearch(text: string): SearchText {
  const parts = text.slice(0, MAX_SEARCH_LENGTH).replace(ZIP_PLUS_FOUR, '$1').split(',');
  const [firstPart = [], ...otherParts] = parts.map(splitWords).filter((words) => words.length > 0);
  // A ZIP Code next to a name is a qualifier. A ZIP Code alone is the search text itself.
  const isName = (word: string) => !isZipCode(word);
  const words = firstPart.some(isName) ? firstPart.filter(isName) : firstPart;
  const zipCodes = [...firstPart.filter((word) => !words.includes(word)), ...otherParts.flat().filter(isZipCode)];
  const regions = otherParts.map((part) => part.filter(isName).join(' ')).filter(Boolean);
  return { words, qualifiers: [...regions, ...zipCodes], isInCapitals: isInCapitals(text) };
}

export const isInCapitals = (text: string): boolean => text === text.toUpperCase();

const splitWords = (part: string): string[] => foldName(part).split(' ').filter(Boolean);

/** Lists the ways to split off the last words as a state or country: "portland maine" → portland | maine. */
export function listWordSplits(words: readonly string[]): { head: readonly string[]; tail: string }[] {
  const maxTailWords = Math.max(0, Math.min(MAX_STATE_WORDS, words.length - 1));
  return Array.from({ length: maxTailWords }, (_, index) => {
    const headLength = words.length - 1 - index;
    return { head: words.slice(0, headLength), tail: words.slice(headLength).join(' ') };
  });
}
