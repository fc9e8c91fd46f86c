import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listed } from '#web/ui/text.ts';

test.each([
  [[], ''],
  [['a name'], 'a name'],
  [['a name', 'a photo'], 'a name and a photo'],
  [['a name', 'a story', 'a photo'], 'a name, a story, and a photo'],
])('%j is said as %j', (things, said) => {
  expect(listed(things)).toBe(said);
});

test('things are named as the list format of the language names them', () => {
  const format = new Intl.ListFormat('en');
  fc.assert(
    fc.property(fc.array(fc.string()), (things) => {
      expect(listed(things)).toBe(format.format(things));
    }),
  );
});
