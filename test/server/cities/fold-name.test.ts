import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldName, searchKey } from '#server/gateways/places/fold-name.ts';
import { arbitraryText } from '#test/support/arbitrary-text.ts';
import { pickRunCount } from '#test/support/run-count.ts';

test.for([
  ['São Paulo', 'sao paulo'],
  ['MÜNCHEN', 'munchen'],
  ['Łódź', 'lodz'],
  ['Großenhain', 'grossenhain'],
  ['İstanbul', 'istanbul'],
  ['St. Louis', 'saint louis'],
  ['Sault Ste. Marie', 'sault sainte marie'],
  ['Mt Vernon', 'mount vernon'],
  ['Billings MT', 'billings mt'],
  ['East St Louis', 'east saint louis'],
  ['Stow', 'stow'],
  ["Coeur d'Alene", 'coeur dalene'],
  ['Washington, D.C.', 'washington dc'],
  ['Winston-Salem', 'winston salem'],
] as const)('"%s" is compared as "%s"', ([name, folded]) => {
  expect(foldName(name)).toBe(folded);
});

test('a key contains only letters and digits, and the key of a key is the same', () => {
  fc.assert(
    fc.property(arbitraryText(), (text) => {
      const key = searchKey(text);
      expect(key).toMatch(/^[\p{L}\p{N}]*$/u);
      expect(searchKey(key)).toBe(key);
    }),
    { numRuns: pickRunCount(100, 500) },
  );
});
