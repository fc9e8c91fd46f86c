import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { createApiClient } from '#web/api/client.ts';
import { CheckDialog } from '#web/routes/donate/check-dialog.tsx';

afterEach(cleanup);

const getButton = (name: string) => screen.getByRole('button', { name });
const listInvalidFields = () =>
  [...document.querySelectorAll('[aria-invalid="true"]')].map((field) => field.getAttribute('name'));
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('the dialog stays open while a pledge is sent, and then thanks the donor', async () => {
  const close = vi.fn();
  const response = Promise.withResolvers<object>();
  const call = vi.fn().mockReturnValueOnce(response.promise);
  const dialog = (
    <CheckDialog orgId="valley" amount="75" onClose={close}>
      Make it out to the fund.
    </CheckDialog>
  );
  render(wrapInPublicPage(dialog, { ...createPageContext(), api: { ...createApiClient(), call } }));
  await act(async () => fireEvent.click(getButton('I’m sending a check')));
  expect(listInvalidFields()).toEqual(['name', 'email']);
  fill('Name', 'Ada');
  fill('Email', 'ada@example.org');
  await act(async () => fireEvent.click(getButton('I’m sending a check')));
  expect(call).toHaveBeenCalledExactlyOnceWith('pledgeCheck', {
    params: { orgid: 'valley' },
    body: { name: 'Ada', email: 'ada@example.org', amount: 75 },
  });
  fireEvent.click(getButton('Close dialog'));
  fireEvent.click(getButton('Close'));
  expect(close).not.toHaveBeenCalled();
  await act(async () => response.resolve({ amount: 75 }));
  expect(screen.getByText(/We’ll watch for your check for \$75/)).toBe(document.activeElement);
  fireEvent.click(getButton('Close'));
  expect(close).toHaveBeenCalledOnce();
});

test('closing the dialog with typed fields asks for confirmation, and so does leaving the page', async () => {
  const close = vi.fn();
  const context = createPageContext();
  const dialog = (
    <CheckDialog orgId="valley" amount="75" onClose={close}>
      Make it out to the fund.
    </CheckDialog>
  );
  render(wrapInPublicPage(dialog, context));
  fill('Name', 'Ada');
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(close).not.toHaveBeenCalled();
  fireEvent.click(getButton('Stay'));
  await act(() => context.navigator.go('/list'));
  expect(context.navigator.state().entry.address).toBe('/');
  fireEvent.click(getButton('Stay'));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada');
  fireEvent.click(getButton('Close'));
  fireEvent.click(getButton('Leave'));
  expect(close).toHaveBeenCalledOnce();
});
