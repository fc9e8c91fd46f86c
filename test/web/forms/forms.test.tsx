import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { emailFailure } from '#domain/profile.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';

afterEach(cleanup);

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

/** Creates requests that the test settles. */
function createControlledRequests() {
  const pending: PromiseWithResolvers<void>[] = [];
  const send = () => {
    const request = Promise.withResolvers<void>();
    pending.push(request);
    return request.promise;
  };
  return { pendingRequests: pending, send };
}

function AttemptButton({ action }: { action: () => Promise<void> }) {
  const { busy, problem, run } = useAttempt();
  const runTwice = () => {
    void run(action);
    void run(action);
  };
  return (
    <>
      <Button busy={busy} onClick={runTwice}>
        Refund
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}

test('useAttempt ignores a second run, shows a failure, and can run again', async () => {
  const { pendingRequests, send } = createControlledRequests();
  render(<AttemptButton action={send} />);
  fireEvent.click(getButton('Refund'));
  expect(pendingRequests).toHaveLength(1);
  await act(async () => pendingRequests[0]?.reject(new Error('no network')));
  expect(screen.getByText(/Something went wrong on our side/)).toBeTruthy();
  fireEvent.click(getButton('Refund'));
  await act(async () => pendingRequests[1]?.resolve());
  expect(screen.queryByText(/Something went wrong/)).toBeNull();
});

function NameForm({ send }: { send: () => Promise<void> }) {
  const { fieldProps, busy, problem, submit } = useForm<{ name: string }, 'name'>({
    initial: { name: '' },
    fields: ['name'],
    validate: ({ name }): { name?: string } => (name.length < 3 ? { name: 'Too short' } : {}),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(send);
      }}
    >
      <TextField label="Name" {...fieldProps('name')} />
      <Problem>{problem}</Problem>
      <Button type="submit" busy={busy}>
        Save
      </Button>
    </form>
  );
}

test('useForm validates a field when it loses focus and sends nothing while it is invalid', async () => {
  const { pendingRequests, send } = createControlledRequests();
  render(<NameForm send={send} />);
  const field = screen.getByLabelText<HTMLInputElement>('Name');
  fireEvent.change(field, { target: { value: 'Al' } });
  expect(field.getAttribute('aria-invalid')).not.toBe('true');
  fireEvent.blur(field);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Too short');
  await act(async () => fireEvent.submit(field.form ?? field));
  expect(pendingRequests).toHaveLength(0);
});

test('useForm sends one request for a double submit, and shows an error at its field until it changes', async () => {
  const { pendingRequests, send } = createControlledRequests();
  render(<NameForm send={send} />);
  const field = screen.getByLabelText<HTMLInputElement>('Name');
  fireEvent.change(field, { target: { value: 'Alice' } });
  await act(async () => {
    fireEvent.submit(field.form ?? field);
    fireEvent.submit(field.form ?? field);
  });
  expect(pendingRequests).toHaveLength(1);
  const error = new ApiProblem({
    status: 422,
    code: 'name-too-short',
    detail: 'Already taken',
    field: 'name',
    requestId: '',
  });
  await act(async () => pendingRequests[0]?.reject(error));
  expect(screen.getByText('Already taken')).toBeTruthy();
  fireEvent.change(field, { target: { value: 'Alicia' } });
  expect(screen.queryByText('Already taken')).toBeNull();
});

test('an invalid form shows its first problem, and isn’t sent', async () => {
  const onInvalid = vi.fn();
  const { result } = renderHook(() =>
    useForm<{ email: string }, 'email'>({
      initial: { email: 'ana' },
      fields: ['email'],
      validate: ({ email }) => problemsByField({ email: emailFailure(email) }),
      onInvalid,
    }),
  );
  const { send } = createControlledRequests();
  await act(async () => result.current.submit(send));
  expect(onInvalid).toHaveBeenCalledExactlyOnceWith('Not a valid email: ana');
  expect(result.current.errorOf('email', false)).toBe('Not a valid email: ana');
  act(() => result.current.change({ email: 'ana@example.org' }));
  expect(result.current.problems).toEqual({});
});

test('a confirmation stays open while its action runs, and shows why it failed', async () => {
  const { pendingRequests, send } = createControlledRequests();
  const close = vi.fn();
  render(
    <ConfirmDialog title="Delete grant" confirmLabel="Delete" onConfirm={send} onClose={close}>
      It can’t be undone.
    </ConfirmDialog>,
  );
  await act(async () => {
    fireEvent.click(getButton('Delete'));
    fireEvent.click(getButton('Delete'));
  });
  expect(pendingRequests).toHaveLength(1);
  fireEvent.click(getButton('Close dialog'));
  expect(close).not.toHaveBeenCalled();
  await act(async () => pendingRequests[0]?.reject(new Error('no network')));
  expect(screen.getByText(/Something went wrong on our side/)).toBeTruthy();
  fireEvent.click(getButton('Cancel'));
  expect(close).toHaveBeenCalledOnce();
});

function NoteDialog({ send }: { send: () => Promise<void> }) {
  const form = useForm({ initial: { note: '' }, fields: ['note'] });
  return (
    <FormDialog title="Add a note" confirmLabel="Save" form={form} onSubmit={send} onClose={() => {}}>
      <TextField label="Note" {...form.fieldProps('note')} />
    </FormDialog>
  );
}

test('a dialog’s fields are disabled while its form is being sent, and its button keeps focus after a failure', async () => {
  const { pendingRequests, send } = createControlledRequests();
  render(wrapInSignedInPage(<NoteDialog send={send} />));
  const field = screen.getByLabelText<HTMLInputElement>('Note');
  const isDisabled = () => field.closest('fieldset')?.disabled;
  field.focus();
  // In browsers, Enter in a field clicks the button without focusing it.
  await act(async () => fireEvent.click(getButton('Save')));
  expect(isDisabled()).toBe(true);
  expect(document.activeElement).toBe(getButton('Save'));
  await act(async () => pendingRequests[0]?.reject(new Error('no network')));
  expect(isDisabled()).toBe(false);
  expect(document.activeElement).toBe(getButton('Save'));
});

test('Escape in a dialog with changed fields asks for confirmation, unless they were changed back', () => {
  const close = vi.fn();
  const ReasonDialog = () => {
    const form = useForm({ initial: { reason: 'Old' }, fields: ['reason'] });
    return (
      <FormDialog title="Reason" confirmLabel="Save" form={form} onSubmit={async () => {}} onClose={close}>
        <TextField label="Reason" {...form.fieldProps('reason')} />
      </FormDialog>
    );
  };
  render(wrapInSignedInPage(<ReasonDialog />));
  const dialog = screen.getByRole('dialog');
  const field = screen.getByLabelText('Reason', { selector: 'input' });
  fireEvent.change(field, { target: { value: 'New' } });
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  fireEvent.click(getButton('Stay'));
  expect(close).not.toHaveBeenCalled();
  fireEvent.change(field, { target: { value: 'Old' } });
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  expect(close).toHaveBeenCalledOnce();
});

test('leaving the page or closing the tab asks before a dialog’s changed fields are lost, but not while it is sent', async () => {
  const { pendingRequests, send } = createControlledRequests();
  const context = createPageContext();
  render(wrapInSignedInPage(<NoteDialog send={send} />, context));
  const getAddress = () => context.navigator.state().entry.address;
  /** @returns whether the browser may close the tab without asking */
  const requestUnload = () => fireEvent(window, new Event('beforeunload', { cancelable: true }));
  expect(requestUnload()).toBe(true);
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'Called twice.' } });
  expect(requestUnload()).toBe(false);
  await act(() => context.navigator.go('/list'));
  expect(getAddress()).toBe('/');
  fireEvent.click(getButton('Stay'));
  await act(async () => fireEvent.click(getButton('Save')));
  await act(() => context.navigator.go('/list'));
  expect([pendingRequests.length, getAddress()]).toEqual([1, '/list']);
});
