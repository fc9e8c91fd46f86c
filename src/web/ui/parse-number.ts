export type ParsedNumber = number | 'blank' | 'unclear';

/** Digits, plain or in groups of three ("3,450" or "3 450"), with an optional decimal point. */
const NUMBER = /^([-−]?)(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:[\s\u00a0\u202f]\d{3})+|(?=\.\d))(\.\d*)?$/;

/**
 * "3,450" is 3450; "3,45" is ambiguous, so the result is 'unclear'. A number with too many digits is Infinity, above
 * every limit.
 */
export function parseNumber(text: string): ParsedNumber {
  const trimmedText = text.trim();
  if (trimmedText === '') return 'blank';
  const match = NUMBER.exec(trimmedText);
  if (!match) return 'unclear';
  const [, sign = '', integerPart = '', fraction = ''] = match;
  const magnitude = Number(`${integerPart.replace(/\D/g, '')}${fraction}`);
  return sign && magnitude !== 0 ? -magnitude : magnitude;
}

/** A number that may follow a dollar sign. */
export function parseDollars(text: string): ParsedNumber {
  return parseNumber(text.trim().replace(/^\$\s*/, ''));
}
