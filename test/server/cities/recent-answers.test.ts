import { expect, test } from 'vitest';
import { recentAnswers } from '#server/gateways/places/locationiq-places.ts';

test('an answer is remembered, and replaced by a newer one', () => {
  const answers = recentAnswers<string[]>(2);
  expect(answers.get('a')).toBeUndefined();
  answers.set('a', ['first']);
  answers.set('a', ['second']);
  expect(answers.get('a')).toEqual(['second']);
});

test('of too many answers the one unasked for longest is forgotten', () => {
  const answers = recentAnswers<string[]>(2);
  answers.set('a', ['A']);
  answers.set('b', ['B']);
  answers.get('a');
  answers.set('c', ['C']);
  expect(['a', 'b', 'c'].map((question) => answers.get(question))).toEqual([['A'], undefined, ['C']]);
});
