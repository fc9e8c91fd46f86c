import { expect, test } from 'vitest';
import { createRecentResults } from '#server/gateways/places/locationiq-places.ts';

test('a response is cached and replaced by a newer one', () => {
  const results = createRecentResults<string[]>(2);
  expect(results.get('a')).toBeUndefined();
  results.set('a', ['first']);
  results.set('a', ['second']);
  expect(results.get('a')).toEqual(['second']);
});

test('the least recently used response is dropped first', () => {
  const results = createRecentResults<string[]>(2);
  results.set('a', ['A']);
  results.set('b', ['B']);
  results.get('a');
  results.set('c', ['C']);
  expect(['a', 'b', 'c'].map((query) => results.get(query))).toEqual([['A'], undefined, ['C']]);
});
