import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from '#domain/cut-text.ts';

const characters = (text: string) => [...new Intl.Segmenter('en').segment(text)].length;
const STORY =
  'I fly to see my parents twice a year. I can’t make the plane cleaner, but I can make sure a family down the street ' +
  'stops burning oil for heat. That trade feels fair to me.';

const CUT = [
  ['what fits is whole', 'We give, gladly.', 20, 'We give, gladly.'],
  ['lines and blanks become one blank', '  We give.\n\n Gladly \t so. ', 30, 'We give. Gladly so.'],
  ['whole sentences, where they fill half of the room', STORY, 60, 'I fly to see my parents twice a year.'],
  [
    'as many of them as fit',
    STORY,
    155,
    'I fly to see my parents twice a year. I can’t make the plane cleaner, but I can make sure a family down the street stops burning oil for heat.',
  ],
  [
    'or whole words',
    STORY,
    100,
    'I fly to see my parents twice a year. I can’t make the plane cleaner, but I can make sure a family…',
  ],
  [
    'without what joins the last one to the next',
    'A quiet house, warm, and paid for by neighbors',
    21,
    'A quiet house, warm…',
  ],
  ['a word that ends just there is whole', 'A quiet house stands here', 14, 'A quiet house…'],
  ['a word without an end is cut', 'a'.repeat(50), 10, `${'a'.repeat(9)}…`],
  ['a family is one character', '👨‍👩‍👧‍👦'.repeat(9), 5, `${'👨‍👩‍👧‍👦'.repeat(4)}…`],
  ['nothing stays nothing', ' \n ', 10, ''],
] as const;

test.each(CUT)('%s', (_what, text, most, cut) => {
  expect(cutText(text, most)).toBe(cut);
});

test('the result is one line, within the limit, and starts like the text', () => {
  const words = fc.array(fc.stringMatching(/^[a-zé’]{1,12}[.,;!?–]?$/), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 160 }), (parts, most) => {
      const text = parts.join(' ');
      const cut = cutText(text, most);
      expect(characters(cut)).toBeLessThanOrEqual(most);
      expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true);
      // The text is cut before a word.
      const rest = text.slice(cut.replace(/…$/, '').length);
      expect(rest).toMatch(/^(?:$|[\s,;:–-])/);
      if (rest.trim() && !cut.endsWith('…')) expect(cut).toMatch(/[.!?]$/);
    }),
  );
});
