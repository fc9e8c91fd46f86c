import fc from 'fast-check';
import { expect, test } from 'vitest';
import { truncateText } from '#domain/truncate-text.ts';

const countCharacters = (text: string) => [...new Intl.Segmenter('en').segment(text)].length;
const STORY =
  'I fly to see my parents twice a year. I can’t make the plane cleaner, but I can make sure a family down the street ' +
  'stops burning oil for heat. That trade feels fair to me.';

const TRUNCATION_CASES = [
  ['text that fits is unchanged', 'We give, gladly.', 20, 'We give, gladly.'],
  ['line breaks and spaces become one space', '  We give.\n\n Gladly \t so. ', 30, 'We give. Gladly so.'],
  ['keeps whole sentences if they fill half the limit', STORY, 60, 'I fly to see my parents twice a year.'],
  [
    'keeps as many sentences as fit',
    STORY,
    155,
    'I fly to see my parents twice a year. I can’t make the plane cleaner, but I can make sure a family down the street stops burning oil for heat.',
  ],
  [
    'keeps whole words when no sentence fits',
    STORY,
    100,
    'I fly to see my parents twice a year. I can’t make the plane cleaner, but I can make sure a family…',
  ],
  [
    'drops the conjunction after the last word',
    'A quiet house, warm, and paid for by neighbors',
    21,
    'A quiet house, warm…',
  ],
  ['keeps a word that ends exactly at the limit', 'A quiet house stands here', 14, 'A quiet house…'],
  ['truncates a word longer than the limit', 'a'.repeat(50), 10, `${'a'.repeat(9)}…`],
  ['a family emoji is one character', '👨‍👩‍👧‍👦'.repeat(9), 5, `${'👨‍👩‍👧‍👦'.repeat(4)}…`],
  ['blank text becomes empty', ' \n ', 10, ''],
] as const;

test.each(TRUNCATION_CASES)('%s', (_title, text, maximum, truncatedText) => {
  expect(truncateText(text, maximum)).toBe(truncatedText);
});

test('the result is one line within the limit and a prefix of the text', () => {
  const words = fc.array(fc.stringMatching(/^[a-zé’]{1,12}[.,;!?–]?$/), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 160 }), (parts, maximum) => {
      const text = parts.join(' ');
      const truncatedText = truncateText(text, maximum);
      expect(countCharacters(truncatedText)).toBeLessThanOrEqual(maximum);
      expect(text.startsWith(truncatedText.replace(/…$/, ''))).toBe(true);
      // Truncation happens only at word boundaries.
      const rest = text.slice(truncatedText.replace(/…$/, '').length);
      expect(rest).toMatch(/^(?:$|[\s,;:–-])/);
      if (rest.trim() && !truncatedText.endsWith('…')) expect(truncatedText).toMatch(/[.!?]$/);
    }),
  );
});
