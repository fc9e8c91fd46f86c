import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts } from '#web/ui/compare-texts.ts';

/** "same [-gone-] {+new+}" */
const written = (before: string, after: string) =>
  compareTexts(before, after)
    .map(({ kind, text }) => ({ same: text, gone: `[-${text}-]`, new: `{+${text}+}` })[kind])
    .join('');

test.each([
  ['the same', 'One\ntwo', 'One\ntwo', 'One\ntwo'],
  ['nothing before', '', 'One', '{+One+}'],
  ['nothing after', 'One', '', '[-One-]'],
  ['another word', 'We warm homes.', 'We warm all homes.', 'We warm {+all +}homes.'],
  ['a word for another', 'Give $25 a ton', 'Give $40 a ton', 'Give $[-25-]{+40+} a ton'],
  [
    'words that follow each other',
    'Our first words stay',
    'Our second text stays here',
    'Our [-first words stay-]{+second text stays here+}',
  ],
  ['a line more', 'a\nc\n', 'a\nb\nc\n', 'a\n{+b\n+}c\n'],
  ['a line fewer', 'a\nb\nc', 'a\nc', 'a\n[-b\n-]c'],
])('%s', (_what, before, after, shown) => {
  expect(written(before, after)).toBe(shown);
});

const text = fc
  .array(fc.constantFrom('a', 'b', 'word', ' ', '\n', '.', '**', 'é'), { maxLength: 40 })
  .map((all) => all.join(''));

test('what is gone and the same is the text before, what is new and the same is the text after', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = compareTexts(before, after);
      const without = (left: string) => parts.flatMap(({ kind, text: part }) => (kind === left ? [] : [part])).join('');
      expect([without('new'), without('gone')]).toEqual([before, after]);
    }),
  );
});

test('no two parts of one kind follow each other, and each has a place of its own', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = compareTexts(before, after);
      for (const [index, { kind }] of parts.entries()) expect(parts[index + 1]?.kind).not.toBe(kind);
      expect(new Set(parts.map(({ at }) => at)).size).toBe(parts.length);
    }),
  );
});

test('two long texts that have nothing in common are one part of each, at once', () => {
  const long = (letter: string) => `${letter}\n${letter} ${letter}`.repeat(6_000);
  const begun = performance.now();
  expect(compareTexts(long('a'), long('b')).map(({ kind }) => kind)).toEqual(['gone', 'new']);
  expect(performance.now() - begun).toBeLessThan(5000);
});
