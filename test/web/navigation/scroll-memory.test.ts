import { expect, test } from 'vitest';
import { createSharedText } from '#test/support/shared-text.ts';
import { createScrollMemory, idFromHash } from '#web/navigation/use-focus-and-scroll.ts';

test('the scroll position is remembered across documents in the same tab', () => {
  const store = createSharedText().tab();
  const memory = createScrollMemory(store);
  memory.save('a', 120);
  memory.save('a', 300);
  memory.save('b', 5);
  memory.persist();
  const restoredMemory = createScrollMemory(store);
  expect([restoredMemory.read('a'), restoredMemory.read('b'), restoredMemory.read('c')]).toEqual([300, 5, undefined]);
});

test.each(['rubbish', '{"a":1}', '[["a","far"],[1,2],null]'])('a store that contains %s counts as empty', (content) => {
  const memory = createScrollMemory(createSharedText(content).tab());
  expect(memory.read('a')).toBeUndefined();
});

test('scroll positions last as long as the document if storage is disabled', () => {
  const memory = createScrollMemory({ read: () => null, write: () => {} });
  memory.save('a', 7);
  memory.persist();
  expect(memory.read('a')).toBe(7);
});

test('the oldest scroll positions are forgotten', () => {
  const memory = createScrollMemory(createSharedText().tab());
  for (let page = 0; page <= 50; page += 1) memory.save(`p${page}`, page);
  expect([memory.read('p0'), memory.read('p1'), memory.read('p50')]).toEqual([undefined, 1, 50]);
});

test.each([
  ['#questions', 'questions'],
  ['#qu%C3%A9', 'qué'],
  ['#%', '%'],
  ['#50%', '50%'],
  ['#%E0%A4', '%E0%A4'],
])('the hash %s yields the id %s without errors', (hash, id) => {
  expect(idFromHash(hash)).toBe(id);
});
