// @spec decisions.5
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts } from '#web/routes/editor/comparison.tsx';

/** "same [-removed-] {+added+}" */
const diffText = (before: string, after: string) =>
  compareTexts(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind])
    .join('');

test.each([
  ['the same', 'One\ntwo', 'One\ntwo', 'One\ntwo'],
  ['nothing before', '', 'One', '{+One+}'],
  ['nothing after', 'One', '', '[-One-]'],
  ['another word', 'We warm homes.', 'We warm all homes.', 'We warm {+all +}homes.'],
  ['a word for another', 'Give $25 a ton', 'Give $40 a ton', 'Give $[-25-]{+40+} a ton'],
  [
    'consecutive words',
    'Our first words stay',
    'Our second text stays here',
    'Our [-first words stay-]{+second text stays here+}',
  ],
  ['one more line', 'a\nc\n', 'a\nb\nc\n', 'a\n{+b\n+}c\n'],
  ['one line fewer', 'a\nb\nc', 'a\nc', 'a\n[-b\n-]c'],
])('%s', (_what, before, after, expected) => {
  expect(diffText(before, after)).toBe(expected);
});

const text = fc
  .array(fc.constantFrom('a', 'b', 'word', ' ', '\n', '.', '**', 'é'), { maxLength: 40 })
  .map((words) => words.join(''));

test('removed and unchanged parts form the old text; added and unchanged parts form the new one', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = compareTexts(before, after);
      const textExcept = (excluded: string) =>
        parts.flatMap(({ kind, text: part }) => (kind === excluded ? [] : [part])).join('');
      expect([textExcept('added'), textExcept('removed')]).toEqual([before, after]);
    }),
  );
});

test('adjacent parts differ in kind, and positions are unique', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = compareTexts(before, after);
      for (const [index, { kind }] of parts.entries()) expect(parts[index + 1]?.kind).not.toBe(kind);
      expect(new Set(parts.map(({ position }) => position)).size).toBe(parts.length);
    }),
  );
});

test('long, very different text is replaced entirely', () => {
  const lines = (word: string) => Array.from({ length: 600 }, (_, index) => `${word}${index}\nthe same\n`).join('');
  expect(compareTexts(lines('old'), lines('new')).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});
