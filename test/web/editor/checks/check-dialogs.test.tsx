import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { RecordCheckDialog } from '#web/routes/editor/checks/check-dialogs.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('closing a filled check form asks for confirmation, and an invalid form shows every problem', async () => {
  const close = vi.fn();
  const record = vi.fn(async () => {});
  render(wrapInSignedInPage(<RecordCheckDialog orgId="valley" onRecord={record} onClose={close} />));
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
  render(wrapInSignedInPage(<RecordCheckDialog orgId="valley" onRecord={async () => {}} onClose={close} />));
  fireEvent.click(getButton('Cancel'));
  expect(close).toHaveBeenCalledOnce();
});

test('a check dated in a closed month names the month in which it will count', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-10T12:00:00Z') });
  const context = createPageContext();
  const readClosing = (month: string) =>
    month < '2026-11' ? { on: '2026-11-03', by: 'Tess', month: '2026-10' } : null;
  const call = vi.fn().mockImplementation(async (_name, { query: { month } }) => ({ closing: readClosing(month) }));
  const api = { ...context.api, call };
  const dialog = <RecordCheckDialog orgId="valley" onRecord={async () => {}} onClose={() => {}} />;
  render(wrapInSignedInPage(dialog, { ...context, api }));
  const hint = 'October 2026 is closed, so this check will count in November 2026.';
  fireEvent.change(screen.getByLabelText('Received on'), { target: { value: '2026-10-30' } });
  expect(await screen.findByText(hint)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Received on'), { target: { value: '2026-11-02' } });
  expect(screen.queryByText(hint)).toBeNull();
  expect(call).toHaveBeenCalledOnce();
});
