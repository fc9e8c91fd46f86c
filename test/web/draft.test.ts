// @spec decisions.4
import { expect, test } from 'vitest';
import { valuesIn } from '#web/session/use-draft.ts';

const SAVED = { name: 'Ada', shown: ['amount'], consent: false };

test.each([
  ['a draft', { name: 'Ada L.', shown: [], consent: true }, { name: 'Ada L.', shown: [], consent: true }],
  ['the saved values', SAVED, undefined],
  ['a draft without a newly added field', { name: 'Ada L.', shown: [] }, undefined],
  ['a draft with a field of another type', { name: 'Ada L.', shown: 'amount', consent: true }, undefined],
  ['null', null, undefined],
])('values to restore from %s', (_name, draft, values) => {
  expect(valuesIn(JSON.stringify(draft), SAVED)).toEqual(values);
});

test('a text that is not JSON restores nothing', () => {
  expect(valuesIn('{', SAVED)).toBeUndefined();
  expect(valuesIn(null, SAVED)).toBeUndefined();
});
