// @spec 5.email
import { expect, test } from 'vitest';
import { describeAddedEditor, findEmailProblem } from '#web/routes/editor/editors/editor-dialogs.tsx';

test('an invalid or missing email has a problem', () => {
  expect(findEmailProblem('  ')).toBe('Please enter an email address.');
  expect(findEmailProblem(' nobody@nowhere ')).toBe('Not a valid email: nobody@nowhere');
  expect(findEmailProblem(' ana@example.org ')).toBeUndefined();
});

test('the message states whether an editor was added or invited', () => {
  const editor = {
    userId: 'u1',
    email: 'ana@example.org',
    role: 'editor',
    invitation: null,
  } as const;
  expect(describeAddedEditor(editor)).toBe('ana@example.org is now an editor');
  const invitation = {
    id: 'i1',
    email: 'ana@example.org',
    role: 'editor',
    createdTimestamp: '2026-01-01T00:00:00.000Z',
  } as const;
  expect(describeAddedEditor({ ...editor, userId: null, invitation })).toBe('Invitation sent to ana@example.org');
});
