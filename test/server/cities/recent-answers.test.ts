import { expect, test } from 'vitest';
import { recentAnswers } from '#server/gateways/places/locationiq-places.ts';

test('a response is cached and replaced by a newer one', () => {
  const answers = recentAnswers<string[]>(2);
  expect(answers.get('a')).toBeUndefined();
  answers.set('a', ['first']);
  answers.set('a', ['second']);
  expect(answers.get('a')).toEqual(['second']);
});

test('the least recently used response is dropped first', () => {
  const answers = recentAnswers<string[]>(2);
  answers.set('a', ['A']);
  answers.set('b', ['B']);
  answers.get('a');
  answers.set('c', ['C']);
  expect(['a', 'b', 'c'].map((question) => answers.get(question))).toEqual([['A'], undefined, ['C']]);
});
