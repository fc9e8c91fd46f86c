import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ResendButton } from '#web/routes/editor/checkouts/send-receipt.tsx';

afterEach(cleanup);

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('a double click sends a receipt once', async () => {
  const send = vi.fn(() => new Promise<void>(() => {}));
  render(<ResendButton number={7} onSend={send} />);
  const resendButton = getButton('Resend receipt no. 7');
  await act(async () => {
    fireEvent.click(resendButton);
    fireEvent.click(resendButton);
  });
  expect(send).toHaveBeenCalledOnce();
});
