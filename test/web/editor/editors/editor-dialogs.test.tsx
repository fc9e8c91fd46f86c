import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Editor } from '#contract/schemas/editors.ts';
import { wrapInSignedInPage } from '#test/support/render-element.ts';
import {
  AddEditorDialog,
  describeAddedEditor,
  EditorDialog,
  findEmailProblem,
} from '#web/routes/editor/editors/editor-dialogs.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';

afterEach(cleanup);

// @spec 2.editor
test('“Change role” opens on top, and the button stays so that focus can return to it', () => {
  const editor: Editor = {
    userId: 'u1',
    displayName: 'Ada',
    photoURL: null,
    email: 'ada@example.org',
    role: 'reader',
    createdTimestamp: '2026-01-01T00:00:00.000Z',
  };
  const callbacks = { onChange: async () => {}, onRemove: async () => {}, onClose: () => {} };
  render(wrapInSignedInPage(<EditorDialog editor={editor} isSelf={false} canManage {...callbacks} />));
  const button = screen.getByRole('button', { name: 'Change role' });
  fireEvent.click(button);
  const roleDialog = screen.getByRole('dialog', { name: 'Change role for Ada' });
  fireEvent.click(within(roleDialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Change role' })).toBe(button);
  expect(screen.queryByRole('dialog', { name: 'Change role for Ada' })).toBeNull();
});

// @spec 2.editor
test('a new editor’s role must be chosen', async () => {
  const add = vi.fn().mockResolvedValue(undefined);
  const dialog = <AddEditorDialog initialRole={undefined} onAdd={add} onClose={() => {}} />;
  render(wrapInSignedInPage(<ToastProvider>{dialog}</ToastProvider>));
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ana@example.org' } });
  const submit = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Add editor' })));
  await submit();
  expect(screen.getAllByText('Please choose a role.')).not.toEqual([]);
  expect(add).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('radio', { name: /^Editor/ }));
  await submit();
  expect(add).toHaveBeenCalledExactlyOnceWith('ana@example.org', 'editor');
});

// @spec 5.email
test('an invalid or missing email has a problem', () => {
  expect(findEmailProblem('  ')).toBe('Please enter an email address.');
  expect(findEmailProblem(' nobody@nowhere ')).toBe('Not a valid email: nobody@nowhere');
  expect(findEmailProblem(' ana@example.org ')).toBeUndefined();
});

// @spec 5.email
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
