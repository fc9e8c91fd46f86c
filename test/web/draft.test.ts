// @spec decisions.4
import { expect, test } from 'vitest';
import { parseDraft } from '#web/session/use-draft.ts';

const SAVED_VALUES = { name: 'Ada', shown: ['amount'], consent: false };

test.each([
  ['a draft', { name: 'Ada L.', shown: [], consent: true }, { name: 'Ada L.', shown: [], consent: true }],
  ['the saved values', SAVED_VALUES, undefined],
  ['a draft without a newly added field', { name: 'Ada L.', shown: [] }, undefined],
  ['a draft with a field of another type', { name: 'Ada L.', shown: 'amount', consent: true }, undefined],
  ['null', null, undefined],
])('values to restore from %s', (_name, draft, values) => {
  expect(parseDraft(JSON.stringify(draft), SAVED_VALUES)).toEqual(values);
});

test('a text that is not JSON restores nothing', () => {
  expect(parseDraft('{', SAVED_VALUES)).toBeUndefined();
  expect(parseDraft(null, SAVED_VALUES)).toBeUndefined();
});
