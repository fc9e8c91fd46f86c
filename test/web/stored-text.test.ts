import { expect, test } from 'vitest';
import { sharedText } from '#test/support/shared-text.ts';
import { perKey } from '#web/browser/per-key.ts';
import { parsedText } from '#web/browser/stored-text.ts';

test('a parsed text stays the same object until the text changes', () => {
  const storage = sharedText('1,2').tab();
  const read = parsedText(storage, (text) => (text ?? '').split(','));
  const numbers = read();
  expect(numbers).toEqual(['1', '2']);
  expect(read()).toBe(numbers);
  storage.write('1,2,3');
  expect(read()).toEqual(['1', '2', '3']);
});

test('a value is created once per key', () => {
  const storeOf = perKey((orgId: string) => ({ orgId }));
  expect(storeOf('ithaca')).toBe(storeOf('ithaca'));
  expect(storeOf('valley')).toEqual({ orgId: 'valley' });
});
