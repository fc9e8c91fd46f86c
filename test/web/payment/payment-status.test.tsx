import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { wrapInSignedInPage } from '#test/support/render-element.ts';
import { createApiClient } from '#web/api/client.ts';
import { PaymentPanel } from '#web/payment/payment-status.tsx';
import { useCheckout } from '#web/payment/use-checkout.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

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

test('the Checkout dialog focuses the link to the payment page', async () => {
  vi.stubGlobal('open', () => null);
  const url = 'https://pay.example/1';
  const api = createApiClient({ fetch: async () => Response.json({ url, id: 'c1' }) });
  render(wrapInSignedInPage(<CheckoutButton />, { api }));
  fireEvent.click(getButton('Pay'));
  const link = await screen.findByRole('link', { name: /^Proceed to checkout/, hidden: true });
  expect(document.activeElement).toBe(link);
});
