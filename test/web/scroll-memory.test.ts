import { expect, test } from 'vitest';
import { createScrollMemory, idFromHash } from '#web/navigation/use-focus-and-scroll.ts';

function createStorage(content: Record<string, string> = {}) {
  return {
    content,
    getItem: (key: string) => content[key] ?? null,
    setItem: (key: string, value: string) => {
      content[key] = value;
    },
  };
}

test('the scroll position is remembered across documents in the same tab', () => {
  const store = createStorage();
  const memory = createScrollMemory(store);
  memory.save('a', 120);
  memory.save('a', 300);
  memory.save('b', 5);
  memory.persist();
  const restoredMemory = createScrollMemory(store);
  expect([restoredMemory.read('a'), restoredMemory.read('b'), restoredMemory.read('c')]).toEqual([300, 5, undefined]);
});

test.each(['rubbish', '{"a":1}', '[["a","far"],[1,2],null]'])('a store that contains %s counts as empty', (content) => {
  const memory = createScrollMemory(createStorage({ 'scroll-positions': content }));
  expect(memory.read('a')).toBeUndefined();
});

test('an inaccessible store causes no error', () => {
  const inaccessibleStorage = {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('denied');
    },
  };
  const memory = createScrollMemory(inaccessibleStorage);
  memory.save('a', 7);
  memory.persist();
  expect(memory.read('a')).toBe(7);
});

test('the oldest scroll positions are forgotten', () => {
  const memory = createScrollMemory(undefined);
  for (let page = 0; page <= 50; page += 1) memory.save(`p${page}`, page);
  expect([memory.read('p0'), memory.read('p1'), memory.read('p50')]).toEqual([undefined, 1, 50]);
});

test.each([
  ['#questions', 'questions'],
  ['#qu%C3%A9', 'qué'],
  ['#%', '%'],
  ['#50%', '50%'],
  ['#%E0%A4', '%E0%A4'],
])('the hash %s refers to the id %s without errors', (hash, id) => {
  expect(idFromHash(hash)).toBe(id);
});
