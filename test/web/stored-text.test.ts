import { expect, test } from 'vitest';
import { createSharedText } from '#test/support/shared-text.ts';
import { memoizeByKey } from '#web/browser/memoize-by-key.ts';
import { createCachedParser } from '#web/browser/stored-text.ts';

test('a parsed text stays the same object until the text changes', () => {
  const storage = createSharedText('1,2').tab();
  const read = createCachedParser(storage, (text) => (text ?? '').split(','));
  const numbers = read();
  expect(numbers).toEqual(['1', '2']);
  expect(read()).toBe(numbers);
  storage.write('1,2,3');
  expect(read()).toEqual(['1', '2', '3']);
});

test('a value is created once per key', () => {
  const getStore = memoizeByKey((orgId: string) => ({ orgId }));
  expect(getStore('ithaca')).toBe(getStore('ithaca'));
  expect(getStore('valley')).toEqual({ orgId: 'valley' });
});
