import { expect, test } from 'vitest';
import { printableText } from '#server/gateways/share-images/image-text.ts';

const LETTERS = new Set('ABCabcÉé0129 .,-’&'.split(''));

test.each([
  ['supported characters are printed', 'Abba, 12 & A-9.', 'Abba, 12 & A-9.'],
  ['whitespace becomes one space', ' a\n\n b\tc ', 'a b c'],
  ['an unsupported symbol is left out', 'Abba 🌱 & bab!', 'Abba & bab'],
  ['so are a flag, a family and a direction mark', 'a 🇺🇸 👨‍👩‍👧 \u202eb', 'a b'],
  ['a letter with a combining accent is composed', 'Be\u0301a'.replace('B', 'A'), 'Aéa'],
  ['a partly supported name is not printed', 'Abba Zed', ''],
  ['nor is a name in another script', 'Мария', ''],
  ['nor is half a number', 'A 123', ''],
  ['nor is a letter without its accent', 'a\u0323', ''],
  ['empty text stays empty', '', ''],
])('%s', (_what, text, expected) => {
  expect(printableText(text, LETTERS)).toBe(expected);
});
