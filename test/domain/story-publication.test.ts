// @spec decisions.5
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoryStatus } from '#domain/profile.ts';
import {
  findMissingRequirements,
  getReviewState,
  publicationFailure,
  statusAfterSave,
} from '#domain/story-publication.ts';

const STATUSES = ['draft', 'published', 'hidden'] as const satisfies readonly StoryStatus[];
const status = fc.constantFrom(...STATUSES);

test.each([
  ['awardee', true, true, []],
  ['awardee', true, false, ['consent']],
  ['awardee', false, true, ['file']],
  ['awardee', false, false, ['file', 'consent']],
  ['installer', true, false, []],
  ['installer', false, false, ['file']],
] as const)('an %s with a photo: %s, with consent: %s lacks %j', (kind, hasPhoto, hasConsent, missing) => {
  expect(findMissingRequirements(kind, { hasPhoto, hasConsent })).toEqual(missing);
});

test('each missing requirement has its own name and sentence', () => {
  expect(publicationFailure('file').code).toBe('story-without-photo');
  expect(publicationFailure('consent').code).toBe('no-consent');
  expect(publicationFailure('consent').message).toContain('consent');
});

test('saving without consent unpublishes the story and changes nothing else', () => {
  fc.assert(
    fc.property(status, fc.subarray(['file', 'consent'] as const), (before, missing) => {
      const savedStatus = statusAfterSave(before, { requestedStatus: undefined, missing });
      expect(savedStatus).toBe(before === 'published' && missing.includes('consent') ? 'hidden' : before);
    }),
  );
});

test('an editor’s choice of status is applied', () => {
  fc.assert(
    fc.property(status, status, (before, requested) => {
      expect(statusAfterSave(before, { requestedStatus: requested, missing: [] })).toBe(requested);
    }),
  );
});

test.each([
  ['draft', 'full', 'waiting'],
  ['draft', 'first', 'waiting'],
  ['published', 'full', 'published'],
  ['hidden', 'first', 'hidden'],
  ['draft', 'none', undefined],
  ['published', 'none', undefined],
  ['hidden', 'none', undefined],
] as const)('an offsetter with status %s and name display %s has review state %s', (status, shownAs, state) => {
  expect(getReviewState({ status, shownAs })).toBe(state);
});
