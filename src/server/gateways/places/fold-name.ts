/** Letters that Unicode normalization doesn't split into a base letter and a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
};
const SPECIAL_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

const FULL_WORDS: Readonly<Record<string, string>> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' };
/** An abbreviation before another word. The "MT" of "Billings, MT" is Montana. */
const ABBREVIATION = /(?<![\p{L}\p{N}])(ste?|ft|mt)(?=[.\s-]+[\p{L}\p{N}])/gu;

/**
 * Converts a name to a comparable form: plain lowercase letters and digits, single spaces, "St." spelled out.
 * "Coeur d'Alene" → "coeur dalene", "St. Louis" → "saint louis", "München" → "munchen".
 */
export function foldName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(SPECIAL_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(ABBREVIATION, (word) => FULL_WORDS[word] ?? word)
    .replace(/['’‘ʻʼ`´.]+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Folds a name and removes spaces, so that "coeur d alene", "Coeur d'Alene", and "coeurdalene" match. */
export function searchKey(text: string): string {
  return foldName(text).replaceAll(' ', '');
}
