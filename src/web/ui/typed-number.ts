/** What somebody typed into a number field: a number, nothing at all, or something that is not a number. */
export type TypedNumber = number | 'blank' | 'unclear';

/** Digits, plain or in groups of three that a comma or a blank parts ("3,450"), with a decimal point if need be. */
const NUMBER = /^([-−]?)(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:[\s\u00a0\u202f]\d{3})+|(?=\.\d))(\.\d*)?$/;

/**
 * The number that a text means. "3,450" is three thousand four hundred and fifty; "3,45" could mean two things, so it
 * is unclear. Digits without end are Infinity, which every limit refuses.
 */
export function typedNumber(text: string): TypedNumber {
  const typed = text.trim();
  if (typed === '') return 'blank';
  const match = NUMBER.exec(typed);
  if (!match) return 'unclear';
  const [, sign = '', whole = '', fraction = ''] = match;
  const size = Number(`${whole.replace(/\D/g, '')}${fraction}`);
  return sign && size !== 0 ? -size : size;
}
