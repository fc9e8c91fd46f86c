import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';

afterEach(cleanup);

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('a dialog is named by its title and closes with its button, Escape, or a click on the backdrop', () => {
  const close = vi.fn();
  render(
    <Dialog title="Delete it?" onClose={close}>
      This can’t be undone.
    </Dialog>,
  );
  const dialog = screen.getByRole('dialog', { name: 'Delete it?' });
  expect(dialog.hasAttribute('open')).toBe(true);
  fireEvent.click(getButton('Close dialog'));
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  fireEvent.mouseDown(screen.getByText('This can’t be undone.'));
  expect(close).toHaveBeenCalledTimes(2);
  fireEvent.mouseDown(dialog);
  expect(close).toHaveBeenCalledTimes(3);
});

test('a dialog focuses its title when it opens, not its close button', () => {
  render(
    <Dialog title="Delete it?" onClose={() => {}}>
      This can’t be undone.
    </Dialog>,
  );
  const title = screen.getByRole('heading', { name: 'Delete it?' });
  expect(title.hasAttribute('autofocus')).toBe(true);
  expect(title.tabIndex).toBe(-1);
});

test('a dialog that must stay open while sending reopens when the browser closes it', async () => {
  render(
    <Dialog title="Send it?" onClose={() => {}}>
      The receipt is being sent.
    </Dialog>,
  );
  const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Send it?' });
  await act(async () => dialog.close());
  expect(dialog.open).toBe(true);
});

test('a click on the backdrop doesn’t close a dialog with unsaved input', () => {
  const close = vi.fn();
  render(
    <Dialog title="Add an editor" onClose={close}>
      <TextField label="Email" defaultValue="" />
    </Dialog>,
  );
  fireEvent.input(screen.getByLabelText('Email'), { target: { value: 'ana@example.org' } });
  fireEvent.mouseDown(screen.getByRole('dialog'));
  expect(close).not.toHaveBeenCalled();
  fireEvent.click(getButton('Close dialog'));
  expect(close).toHaveBeenCalledOnce();
});
