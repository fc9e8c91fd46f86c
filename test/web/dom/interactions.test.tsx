import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { type SubmitEvent, useState } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Grant } from '#contract/schemas/grants.ts';
import { donationItem } from '#domain/cart.ts';
import { emailFailure } from '#domain/profile.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { createApiClient } from '#web/api/client.ts';
import { useCart } from '#web/cart/cart-store.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useForm } from '#web/forms/use-form.ts';
import { saveGiftChoice, useGiftChoice } from '#web/payment/gift-choice.ts';
import { PaymentPanel } from '#web/payment/payment-status.tsx';
import { useCheckout } from '#web/payment/use-checkout.ts';
import { ResendButton } from '#web/routes/editor/checkouts/send-receipt.tsx';
import { RecordCheckDialog } from '#web/routes/editor/checks/check-dialogs.tsx';
import { WorkDialog } from '#web/routes/editor/grants/grant-step-dialogs.tsx';
import { getSmallPhotoWarning, HeaderPhotoForm, useHeaderPhoto } from '#web/routes/editor/org/header-photo.tsx';
import { TeamNotes } from '#web/routes/editor/team-notes.tsx';
import { CityPicker } from '#web/routes/home/calculator/city-picker.tsx';
import { RecoveryCodesDialog } from '#web/routes/me/second-step-dialogs.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { ACTION_TOAST_MILLISECONDS, TOAST_MILLISECONDS, ToastProvider, useToast } from '#web/ui/toast.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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

test('a busy button keeps focus and neither runs nor submits its form again', () => {
  const submit = vi.fn((event: SubmitEvent) => event.preventDefault());
  const press = vi.fn();
  const createForm = (busy: boolean) => (
    <form onSubmit={submit}>
      <Button type="submit" busy={busy} onClick={press}>
        Send
      </Button>
    </form>
  );
  const { rerender } = render(createForm(false));
  getButton('Send').focus();
  fireEvent.click(getButton('Send'));
  rerender(createForm(true));
  // In browsers, Enter in a field also clicks the button.
  fireEvent.click(getButton('Send'));
  expect([submit.mock.calls.length, press.mock.calls.length]).toEqual([1, 1]);
  expect(getButton('Send').getAttribute('aria-disabled')).toBe('true');
  expect(getButton('Send').disabled).toBe(false);
  expect(document.activeElement).toBe(getButton('Send'));
});

test('a double click sends a receipt once', async () => {
  const { pendingRequests, send } = createControlledRequests();
  render(<ResendButton number={7} onSend={send} />);
  const resendButton = getButton('Resend receipt no. 7');
  await act(async () => {
    fireEvent.click(resendButton);
    fireEvent.click(resendButton);
  });
  expect(pendingRequests).toHaveLength(1);
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
  render(<NoteDialog send={send} />);
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

test('a click on the backdrop doesn’t close the recovery codes, which are shown only once', () => {
  const close = vi.fn();
  render(<RecoveryCodesDialog codes={['abcd-efgh']} onClose={close} />);
  fireEvent.mouseDown(screen.getByRole('dialog'));
  expect(close).not.toHaveBeenCalled();
});

test('a message is shown if recovery codes can’t be copied', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('denied'));
  render(
    <ToastProvider>
      <RecoveryCodesDialog codes={['abcd-efgh']} onClose={() => {}} />
    </ToastProvider>,
  );
  await act(async () => fireEvent.click(getButton('Copy')));
  expect(screen.getByText(/The codes couldn’t be copied/)).toBeTruthy();
});

test('an inspection date without a work date is rejected, not dropped', async () => {
  const send = vi.fn(async () => {});
  const grant = { appliedOn: '2026-01-01', doneOn: null, inspectedOn: null } as Grant;
  render(<WorkDialog grant={grant} onSend={send} onClose={() => {}} />);
  const inspectedField = screen.getByLabelText<HTMLInputElement>('Inspected on');
  fireEvent.change(inspectedField, { target: { value: '2026-02-01' } });
  await act(async () => fireEvent.submit(inspectedField.form ?? inspectedField));
  expect(screen.getByText('Enter the date the work was done.')).toBeTruthy();
  expect(send).not.toHaveBeenCalled();
});

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

test('leaving a page with an unsaved team note asks for confirmation', async () => {
  const context = createPageContext();
  const editor = {
    ...SIGNED_OUT,
    initialized: true,
    authenticated: true,
    emailVerified: true,
    roles: { valley: 'editor' as const },
  };
  const session = { ...context.session, now: () => editor };
  render(wrapInSignedInPage(<TeamNotes orgId="valley" subjectId="c1" notes={[]} />, { ...context, session }));
  const field = screen.getByLabelText('Add a note for your team');
  fireEvent.change(field, { target: { value: 'Called twice.' } });
  await act(() => context.navigator.go('/list'));
  expect(context.navigator.state().entry.address).toBe('/');
  fireEvent.click(getButton('Stay'));
  fireEvent.change(field, { target: { value: '' } });
  await act(() => context.navigator.go('/list'));
  expect(context.navigator.state().entry.address).toBe('/list');
});

test('closing an empty check form doesn’t ask for confirmation', () => {
  const close = vi.fn();
  render(wrapInSignedInPage(<RecordCheckDialog onRecord={async () => {}} onClose={close} />));
  fireEvent.click(getButton('Cancel'));
  expect(close).toHaveBeenCalledOnce();
});

test('the same photo can be chosen again', () => {
  render(<PhotoField photo={undefined} problem={undefined} onPhoto={() => {}} />);
  const field = screen.getByLabelText<HTMLInputElement>(/photo/i);
  const transfer = new DataTransfer();
  transfer.items.add(new File(['dots'], 'home.jpg', { type: 'image/jpeg' }));
  field.files = transfer.files;
  expect(field.value).not.toBe('');
  fireEvent.click(field);
  expect(field.value).toBe('');
});

test('a small photo is accepted with a warning', () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => {} }));
  const photo = new File(['dots'], 'city.jpg', { type: 'image/jpeg' });
  const { container } = render(
    <PhotoField photo={photo} problem={undefined} getWarning={getSmallPhotoWarning} onPhoto={() => {}} />,
  );
  const load = (width: number, height: number) => {
    const image = container.querySelector('img') ?? document.body;
    Object.defineProperties(image, {
      naturalWidth: { value: width, configurable: true },
      naturalHeight: { value: height, configurable: true },
    });
    fireEvent.load(image);
  };
  load(200, 120);
  expect(screen.getByRole('status').textContent).toContain('This photo is only 200 × 120 pixels');
  load(1920, 1080);
  expect(screen.getByRole('status').textContent).toBe('');
});

function HeaderPhoto({ file }: { file: File }) {
  const header = useHeaderPhoto(createApiClient(), 'hill');
  return (
    <>
      <Button onClick={() => header.choose(file)}>Choose</Button>
      <HeaderPhotoForm photo={null} header={header} onUpload={() => {}} onRemove={async () => {}} />
    </>
  );
}

test('a photo that can’t be decoded has an error, no check mark, and can’t be uploaded', () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => {} }));
  const { container } = render(<HeaderPhoto file={new File(['dots'], 'notes.jpg', { type: 'image/jpeg' })} />);
  const camera = container.querySelector('svg')?.innerHTML;
  fireEvent.click(getButton('Choose'));
  const isUploadUnavailable = () => getButton('Upload').getAttribute('aria-disabled') === 'true';
  expect(isUploadUnavailable()).toBe(false);
  fireEvent.error(container.querySelector('img') ?? document.body);
  expect(screen.getByText('We couldn’t read this photo. Try another file.')).toBeTruthy();
  expect(container.querySelector('svg')?.innerHTML).toBe(camera);
  expect(isUploadUnavailable()).toBe(true);
});

test('useCart returns the same object until the cart changes', () => {
  const { result, rerender } = renderHook(() => useCart('interactions'));
  const initialCart = result.current;
  rerender();
  expect(result.current).toBe(initialCart);
  act(() => initialCart.add(donationItem(25)));
  expect(result.current).not.toBe(initialCart);
  expect(result.current.lines).toHaveLength(1);
});

test('useGiftChoice subscribes once, regardless of how often it renders', () => {
  const addListener = vi.spyOn(window, 'addEventListener');
  const { result, rerender } = renderHook(() => useGiftChoice('interactions'));
  rerender();
  act(() => saveGiftChoice('interactions', { coversFee: true }));
  expect(result.current).toEqual({ coversFee: true });
  expect(addListener.mock.calls.filter(([name]) => name === 'storage')).toHaveLength(1);
  addListener.mockRestore();
});

function ToastButtons({ undo }: { undo: () => void }) {
  const toast = useToast();
  return (
    <>
      <Button onClick={() => toast('saved')}>Save</Button>
      <Button onClick={() => toast('Hidden', { label: 'Undo', run: undo })}>Hide</Button>
    </>
  );
}

test('a toast lasts 3 seconds, one with Undo lasts 10, and Undo closes it', () => {
  vi.useFakeTimers();
  const undo = vi.fn();
  render(
    <ToastProvider>
      <ToastButtons undo={undo} />
    </ToastProvider>,
  );
  const advanceTime = (milliseconds: number) =>
    act(() => {
      vi.advanceTimersByTime(milliseconds);
    });
  fireEvent.click(getButton('Save'));
  advanceTime(TOAST_MILLISECONDS - 1);
  const toast = screen.getByText('saved');
  // Unlike an output element, a div may contain the paragraph.
  expect(screen.getByRole('status').localName).toBe('div');
  expect(screen.getByRole('status').contains(toast)).toBe(true);
  advanceTime(1);
  expect(screen.queryByText('saved')).toBeNull();
  fireEvent.click(getButton('Hide'));
  advanceTime(ACTION_TOAST_MILLISECONDS - 1);
  fireEvent.click(getButton('Undo'));
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText('Hidden')).toBeNull();
});

test('Undo returns focus to where it was', () => {
  render(
    <ToastProvider>
      <ToastButtons undo={() => {}} />
    </ToastProvider>,
  );
  getButton('Hide').focus();
  fireEvent.click(getButton('Hide'));
  getButton('Undo').focus();
  fireEvent.click(getButton('Undo'));
  expect(screen.queryByText('Hidden')).toBeNull();
  expect(document.activeElement).toBe(getButton('Hide'));
});

test('a toast appears in the top dialog, where its button can be pressed; when the dialog closes, the toast moves to the page', () => {
  vi.useFakeTimers();
  const RecordPage = () => {
    const [isOpen, setIsOpen] = useState(true);
    return (
      isOpen && (
        <Dialog title="Record" onClose={() => setIsOpen(false)}>
          <ToastButtons undo={() => {}} />
        </Dialog>
      )
    );
  };
  render(
    <ToastProvider>
      <RecordPage />
    </ToastProvider>,
  );
  const dialog = screen.getByRole('dialog');
  const [pageRegion] = screen.getAllByRole('status');
  fireEvent.click(getButton('Hide'));
  expect(dialog.contains(getButton('Undo'))).toBe(true);
  fireEvent.mouseEnter(screen.getByText('Hidden'));
  fireEvent.click(getButton('Close dialog'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(pageRegion?.contains(getButton('Undo'))).toBe(true);
  act(() => {
    vi.advanceTimersByTime(ACTION_TOAST_MILLISECONDS);
  });
  expect(screen.queryByText('Hidden')).toBeNull();
});

test('a toast shown while its dialog closes appears on the page', () => {
  Object.defineProperty(HTMLElement.prototype, 'showPopover', {
    configurable: true,
    // Browsers throw this error too.
    value(this: HTMLElement) {
      if (!this.isConnected) throw new Error('The popover is disconnected.');
    },
  });
  onTestFinished(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
  });
  const SavePage = () => {
    const toast = useToast();
    const [isOpen, setIsOpen] = useState(true);
    const save = () => {
      toast('saved');
      setIsOpen(false);
    };
    return (
      isOpen && (
        <Dialog title="Name" onClose={save}>
          <p>Ada</p>
        </Dialog>
      )
    );
  };
  render(
    <ToastProvider>
      <SavePage />
    </ToastProvider>,
  );
  fireEvent.click(getButton('Close dialog'));
  expect(screen.getByRole('status').textContent).toBe('saved');
});

function CheckoutButton() {
  const { checkOut, error } = useCheckout('valley');
  return (
    <>
      <Button onClick={() => void checkOut([donationItem(25)])}>Pay</Button>
      <Problem>{error?.message}</Problem>
      <PaymentPanel orgId="valley" />
    </>
  );
}

test('a challenge that fails to load can be loaded again', async () => {
  vi.doMock('#web/payment/challenge-dialog.tsx', () => {
    throw new Error('The network failed.');
  });
  vi.stubGlobal('open', () => null);
  const details = { siteKey: 'key', origin: 'https://challenge.example' };
  const problem = { status: 403, code: 'challenge-needed', detail: 'Prove it.', requestId: '', details };
  const api = createApiClient({ fetch: async () => Response.json(problem, { status: 403 }) });
  render(wrapInSignedInPage(<CheckoutButton />, { api }));
  fireEvent.click(getButton('Pay'));
  expect(await screen.findByText(/This didn’t load/)).toBeTruthy();
  vi.doMock('#web/payment/challenge-dialog.tsx', () => ({ ChallengeDialog: () => 'Are you a person?' }));
  fireEvent.click(getButton('Try again'));
  expect(await screen.findByText('Are you a person?')).toBeTruthy();
});

const createPlace = (name: string) => ({
  lat: name.length,
  lon: 0,
  display_name: name,
  address: { city: name, country: 'United States', country_code: 'us' },
});

/** Opens the city picker with fake timers. */
function openCityPicker() {
  vi.useFakeTimers();
  const call = vi.fn().mockResolvedValueOnce([createPlace('Austin'), createPlace('Boston')]);
  const onChoose = vi.fn();
  const api = { ...createApiClient(), call };
  const credit = { text: 'a map', url: 'https://map.example' };
  const picker = <CityPicker end="from" credit={credit} onChoose={onChoose} onClose={() => {}} />;
  render(wrapInSignedInPage(picker, { api }));
  const field = screen.getByRole<HTMLInputElement>('combobox');
  const advanceTime = () => act(() => vi.advanceTimersByTimeAsync(1000));
  const type = async (value: string) => {
    fireEvent.change(field, { target: { value } });
    await advanceTime();
  };
  return { call, onChoose, field, type, advanceTime };
}

test('a short query cancels the city search and clears its results', async () => {
  const { call, type } = openCityPicker();
  await type('ton');
  expect(screen.getByText('2 cities found')).toBeTruthy();
  const signals: AbortSignal[] = [];
  call.mockImplementation((_name: string, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  await type('tons');
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await type('to');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  await type('tow');
  expect(screen.getByText('Searching…')).toBeTruthy();
  expect(screen.queryAllByRole('option')).toEqual([]);
});

test('a late response doesn’t move the highlight to another city', async () => {
  const { call, onChoose, field, type, advanceTime } = openCityPicker();
  await type('ton');
  const lateResponse = Promise.withResolvers<unknown>();
  call.mockReturnValueOnce(lateResponse.promise);
  await type('tons');
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  lateResponse.resolve([createPlace('Boston'), createPlace('Austin')]);
  await advanceTime();
  fireEvent.submit(field.form ?? field);
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ displayName: 'Austin' }));
});
