import { expect, test } from 'vitest';
import { idFromHash, scrollMemory } from '#web/navigation/use-arrival.ts';

function storage(content: Record<string, string> = {}) {
  return {
    content,
    getItem: (key: string) => content[key] ?? null,
    setItem: (key: string, value: string) => {
      content[key] = value;
    },
  };
}

test('the scroll position is remembered across documents in the same tab', () => {
  const store = storage();
  const memory = scrollMemory(store);
  memory.save('a', 120);
  memory.save('a', 300);
  memory.save('b', 5);
  memory.store();
  const restoredMemory = scrollMemory(store);
  expect([restoredMemory.read('a'), restoredMemory.read('b'), restoredMemory.read('c')]).toEqual([300, 5, undefined]);
});

test.each(['rubbish', '{"a":1}', '[["a","far"],[1,2],null]'])('a store that contains %s counts as empty', (content) => {
  const memory = scrollMemory(storage({ 'scroll-positions': content }));
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
  const memory = scrollMemory(inaccessibleStorage);
  memory.save('a', 7);
  memory.store();
  expect(memory.read('a')).toBe(7);
});

test('the oldest scroll positions are forgotten', () => {
  const memory = scrollMemory(undefined);
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
