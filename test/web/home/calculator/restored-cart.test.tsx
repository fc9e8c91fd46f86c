import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { createApiClient } from '#web/api/client.ts';
import { useCart } from '#web/cart/cart-store.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import { RestoredCart } from '#web/routes/home/calculator/restored-cart.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const ADDRESS = '/orgs/valley?cancelled=c1';

function CartPage() {
  const cart = useCart('valley');
  return (
    <>
      <p>{cart.lines.length} lines</p>
      <RestoredCart orgId="valley" canceledCheckoutId="c1" cart={cart} onRestored={() => {}} />
    </>
  );
}

/** Returns from the payment page of a canceled checkout. The server sends these responses. */
function openPage(...responses: (() => Response)[]) {
  const api = createApiClient({
    fetch: async () => {
      const respond = responses.shift() ?? failNetwork;
      return respond();
    },
  });
  const navigator = createNavigator<object>({
    history: createMemoryHistory(ADDRESS),
    load: async () => ({}),
    initialScreen: {},
  });
  const page = (
    <ToastProvider>
      <CartPage />
    </ToastProvider>
  );
  render(wrapInPublicPage(page, { ...createPageContext(), api, navigator }));
  return { getAddress: () => navigator.state().entry.address };
}

const failNetwork = (): Response => {
  throw new Error('The network failed.');
};
const CHECKOUT = { id: 'c1', paymentStatus: 'unpaid', coveredFee: 0, cart: [donationItem(25)] };
const sendCheckout = () => Response.json(CHECKOUT);
const sendProblem = (status: number) => () => Response.json({ code: 'server-error', detail: 'Failed.' }, { status });

test('after a network failure, the address keeps the canceled checkout, and "Try again" restores it', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  const { getAddress } = openPage(failNetwork, sendCheckout);
  const retryButton = await screen.findByRole('button', { name: 'Try again' });
  expect([screen.getByText('0 lines').textContent, getAddress()]).toEqual(['0 lines', ADDRESS]);
  await act(async () => fireEvent.click(retryButton));
  expect(await screen.findByText('1 lines')).toBeTruthy();
  await waitFor(() => expect(getAddress()).toBe('/orgs/valley#cart'));
});

test('a canceled checkout that no longer exists is removed from the address', async () => {
  const { getAddress } = openPage(sendProblem(404));
  await waitFor(() => expect(getAddress()).toBe('/orgs/valley'));
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
