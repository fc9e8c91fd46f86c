import { expect, test, vi } from 'vitest';
import { createSharedText } from '#test/support/shared-text.ts';
import { memoizeByKey } from '#web/browser/memoize-by-key.ts';
import { readStorage, writeStorage } from '#web/browser/safe-storage.ts';
import { createStoredValue } from '#web/browser/stored-value.ts';

test('reading returns the same object until the text changes', () => {
  const storage = createSharedText('1,2').tab();
  const { read } = createStoredValue(storage, (text) => (text ?? '').split(','));
  const numbers = read();
  expect(numbers).toEqual(['1', '2']);
  expect(read()).toBe(numbers);
  storage.write('1,2,3');
  expect(read()).toEqual(['1', '2', '3']);
});

test.each(['localStorage', 'sessionStorage'] as const)('an inaccessible %s causes no error', (storage) => {
  vi.stubGlobal('window', {
    get [storage]() {
      throw new Error('denied');
    },
  });
  expect([readStorage(storage, 'cart'), writeStorage(storage, 'cart', '[]')]).toEqual([null, false]);
  vi.unstubAllGlobals();
});

test('a value is created once per key', () => {
  const getStore = memoizeByKey((orgId: string) => ({ orgId }));
  expect(getStore('ithaca')).toBe(getStore('ithaca'));
  expect(getStore('valley')).toEqual({ orgId: 'valley' });
});
