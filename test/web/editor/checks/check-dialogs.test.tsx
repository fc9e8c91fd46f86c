import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { type ApiClient, createApiClient } from '#web/api/client.ts';
import { RecordChecks } from '#web/routes/editor/checks/check-dialogs.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Renders the dialog with a stubbed API. */
function renderDialog(call: ReturnType<typeof vi.fn>, close = vi.fn()): void {
  const context = { ...createPageContext(), api: { ...createApiClient(), call } as ApiClient };
  render(wrapInSignedInPage(<RecordChecks orgId="valley" onClose={close} />, context));
}

const fill = (label: RegExp | string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('closing a filled check form asks for confirmation, and an invalid form shows every problem', async () => {
  const close = vi.fn();
  const record = vi.fn(async () => {});
  renderDialog(record, close);
  fill(/^Email/, 'dora');
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
  renderDialog(vi.fn(), close);
  fireEvent.click(getButton('Cancel'));
  expect(close).toHaveBeenCalledOnce();
});

test('a check dated in a closed month names the month in which it will count', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-10T12:00:00Z') });
  const call = vi.fn(async () => ({ firstMonth: '2026-01', lastMonth: '2026-11', closedMonth: '2026-10' }));
  renderDialog(call);
  const hint = 'October 2026 is closed, so this check will count in November 2026.';
  fill('Received on', '2026-10-30');
  expect(await screen.findByText(hint)).toBeTruthy();
  fill('Received on', '2026-11-02');
  expect(screen.queryByText(hint)).toBeNull();
  expect(call).toHaveBeenCalledOnce();
});

test('the next check keeps the date of the last one, under a new id', async () => {
  const call = vi.fn(async (_name: string, _inputs: object) => ({ name: 'Dora', closing: null }));
  renderDialog(call);
  fill('Name', 'Dora');
  fill('Amount', '25');
  fill('Received on', '2026-01-02');
  await act(async () => fireEvent.click(getButton('Record and add another')));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('');
  expect(screen.getByLabelText<HTMLInputElement>('Received on').value).toBe('2026-01-02');
  fill('Name', 'Ed');
  fill('Amount', '30');
  await act(async () => fireEvent.click(getButton('Record')));
  const [first, second] = call.mock.calls.filter(([name]) => name === 'recordPledge').map(([, inputs]) => inputs);
  expect(second).not.toMatchObject({ params: (first as { params: object }).params });
});

test('the question about a duplicate check is focused', async () => {
  const duplicate = new ApiProblem({
    status: 409,
    code: 'check-recorded',
    detail: 'A check with this number and amount is already recorded.',
    field: 'allowDuplicate',
    requestId: '',
  });
  renderDialog(vi.fn().mockRejectedValue(duplicate));
  fill('Name', 'Dora');
  fill('Amount', '25');
  await act(async () => fireEvent.click(getButton('Record')));
  expect(screen.getByLabelText('This is a different check')).toBe(document.activeElement);
});
