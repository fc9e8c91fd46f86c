/** "November 21, 2026", by the clock of UTC, as a receipt has it. */
export function dayText(time: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));
}

/**
 * Things in a row, as a sentence of American English names them: "a, b, and c". The language's own list format says the
 * same, and takes a browser a hundred times longer to make than a page has for it.
 */
export function listed(things: readonly string[]): string {
  const [last = '', ...others] = things.toReversed();
  if (others.length === 0) return last;
  return `${others.toReversed().join(', ')}${others.length > 1 ? ',' : ''} and ${last}`;
}

/** What somebody typed into a number field: a number, nothing at all, or something that is not a number. */
type TypedNumber = number | 'blank' | 'unclear';

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
