import { expect, test } from 'vitest';
import { settable } from '#server/gateways/share-images/glyphs.ts';

const LETTERS = new Set('ABCabcÉé0129 .,-’&'.split(''));

test.each([
  ['what the typeface has is set', 'Abba, 12 & A-9.', 'Abba, 12 & A-9.'],
  ['lines and blanks become one blank', ' a\n\n b\tc ', 'a b c'],
  ['a sign that it does not have is left out', 'Abba 🌱 & bab!', 'Abba & bab'],
  ['a flag, a family and a sign of direction too', 'a 🇺🇸 👨‍👩‍👧 \u202eb', 'a b'],
  ['a letter with its accent beside it is one that it has', 'Be\u0301a'.replace('B', 'A'), 'Aéa'],
  ['but half a name is not set', 'Abba Zed', ''],
  ['nor a name of another script', 'Мария', ''],
  ['nor half a number', 'A 123', ''],
  ['nor a letter without its accent', 'a\u0323', ''],
  ['nothing stays nothing', '', ''],
])('%s', (_what, text, expected) => {
  expect(settable(text, LETTERS)).toBe(expected);
});
