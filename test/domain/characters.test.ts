import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCharacters, takeCharacters } from '#domain/characters.ts';
import { pickRunCount } from '#test/support/run-count.ts';

/** Text with plain letters, combining marks, and characters outside the basic plane. */
const anyText = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 0x2fff }) }, fc.integer({ min: 0, max: 0xfffff })),
    {
      maxLength: 12,
    },
  )
  .map((codePoints) => String.fromCodePoint(...codePoints).toWellFormed());

const segmentGraphemes = (text: string) =>
  Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);

test('characters match Intl.Segmenter, with and without the fast path', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(splitCharacters(text)).toEqual(segmentGraphemes(text));
    }),
    { numRuns: pickRunCount(500, 3000) },
  );
});

test('every plain letter counts as one character regardless of what follows', () => {
  const letters = Array.from({ length: 0x2028 }, (_, unit) => String.fromCharCode(unit)).filter(
    (letter) => splitCharacters(letter + letter).length === 2 && segmentGraphemes(letter).length === 1,
  );
  const text = letters.flatMap((letter) => ['a', letter, '\u00E9', letter, letter, '\u2019']).join('');
  expect(splitCharacters(text)).toEqual(segmentGraphemes(text));
});

test('takeCharacters returns whole characters up to the limit', () => {
  fc.assert(
    fc.property(anyText, fc.nat({ max: 14 }), (text, maximum) => {
      expect(takeCharacters(text, maximum)).toBe(segmentGraphemes(text).slice(0, maximum).join(''));
    }),
    { numRuns: pickRunCount(500, 3000) },
  );
});

test('an accent after the last plain letter belongs to that letter', () => {
  expect(takeCharacters('cafe\u0301s', 4)).toBe('cafe\u0301');
  expect(splitCharacters('e\u0301\n')).toEqual(['e\u0301', '\n']);
});
