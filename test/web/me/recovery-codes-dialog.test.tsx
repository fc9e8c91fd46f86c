import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { RecoveryCodesDialog } from '#web/routes/me/second-step-dialogs.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';

afterEach(cleanup);

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

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
