import { expect, test } from 'vitest';
import { toPrintableText } from '#server/gateways/share-images/image-text.ts';

const LETTERS = new Set('ABCabcÉé0129 .,-’&'.split(''));

test.each([
  ['supported characters are printed', 'Abba, 12 & A-9.', 'Abba, 12 & A-9.'],
  ['whitespace becomes one space', ' a\n\n b\tc ', 'a b c'],
  ['an unsupported symbol is left out', 'Abba 🌱 & bab!', 'Abba & bab'],
  ['a flag, a family, and a direction mark are left out', 'a 🇺🇸 👨‍👩‍👧 \u202eb', 'a b'],
  ['a letter with a combining accent is composed', 'Be\u0301a'.replace('B', 'A'), 'Aéa'],
  ['a partly supported name is not printed', 'Abba Zed', ''],
  ['a name in another script is not printed', 'Мария', ''],
  ['a partly supported number is not printed', 'A 123', ''],
  ['a letter with an unsupported accent is not printed', 'a\u0323', ''],
  ['empty text stays empty', '', ''],
])('%s', (_what, text, expected) => {
  expect(toPrintableText(text, LETTERS)).toBe(expected);
});
