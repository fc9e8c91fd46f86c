import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { wrapInSignedInPage } from '#test/support/render-element.ts';
import { RecordCheckDialog } from '#web/routes/editor/checks/check-dialogs.tsx';

afterEach(cleanup);

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('closing a filled check form asks for confirmation, and an invalid form shows every problem', async () => {
  const close = vi.fn();
  const record = vi.fn(async () => {});
  render(wrapInSignedInPage(<RecordCheckDialog onRecord={record} onClose={close} />));
  fireEvent.change(screen.getByLabelText(/^Email/), { target: { value: 'dora' } });
  fireEvent.click(getButton('Cancel'));
  expect(close).not.toHaveBeenCalled();
  expect(screen.getByText('Leave without saving?')).toBeTruthy();
  fireEvent.click(getButton('Stay'));
  await act(async () => fireEvent.click(getButton('Record')));
  expect(record).not.toHaveBeenCalled();
  const invalidLabels = [...document.querySelectorAll('[aria-invalid="true"]')].map((field) =>
    field.getAttribute('name'),
  );
  expect(invalidLabels).toEqual(['name', 'email', 'amount']);
  fireEvent.click(getButton('Cancel'));
  fireEvent.click(getButton('Leave'));
  expect(close).toHaveBeenCalledOnce();
});

test('closing an empty check form doesn’t ask for confirmation', () => {
  const close = vi.fn();
  render(wrapInSignedInPage(<RecordCheckDialog onRecord={async () => {}} onClose={close} />));
  fireEvent.click(getButton('Cancel'));
  expect(close).toHaveBeenCalledOnce();
});
