import { expect, test } from 'vitest';
import { addedSentence, addressProblem } from '#web/routes/editor/editors/editor-words.ts';

test('an address that is none is told as §5 has it, and an empty one too', () => {
  expect(addressProblem('  ')).toBe('Please enter an email address.');
  expect(addressProblem(' nobody@nowhere ')).toBe('Not a valid email: nobody@nowhere');
  expect(addressProblem(' ana@example.org ')).toBeUndefined();
});

test('who was added at once and who was invited is told apart', () => {
  const added = {
    userId: 'u1',
    displayName: 'Ana',
    email: 'ana@example.org',
    role: 'editor',
    invitation: null,
  } as const;
  expect(addedSentence(added)).toBe('Ana is an editor now.');
  expect(addedSentence({ ...added, displayName: '' })).toBe('ana@example.org is an editor now.');
  const invitation = { id: 'i1', email: 'ana@example.org', createdTimestamp: '2026-01-01T00:00:00.000Z' };
  expect(addedSentence({ ...added, userId: null, invitation })).toContain('ana@example.org is invited by mail');
});
