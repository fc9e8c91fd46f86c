// @spec 2.editor
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Editor } from '#contract/schemas/editors.ts';
import { wrapInSignedInPage } from '#test/support/render-element.ts';
import { EditorDialog } from '#web/routes/editor/editors/editor-dialogs.tsx';

afterEach(cleanup);

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
