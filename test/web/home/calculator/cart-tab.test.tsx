// @spec 2.cart-tab
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_CARD_FEE } from '#domain/card-fee.ts';
import { offsetItem } from '#domain/cart.ts';
import { EMISSION_FACTORS } from '#domain/emissions.ts';
import { wrapInSignedInPage } from '#test/support/render-element.ts';
import { createApiClient } from '#web/api/client.ts';
import { getStoredText } from '#web/browser/stored-text.ts';
import { serializeCart } from '#web/cart/cart-lines.ts';
import { useCart } from '#web/cart/cart-store.ts';
import { CartTab } from '#web/routes/home/calculator/cart-tab.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

/** The price of carbon has doubled since the item was added. */
const FACTORS = {
  version: 'valley-2',
  choice: {},
  factors: { ...EMISSION_FACTORS, air: { value: '0.56' }, carbonPrice: { value: '0.025' } },
};
const ORG = { id: 'valley', factors: FACTORS, typicalGrant: null, savingYears: 20 };

function StoredCartTab() {
  return (
    <CartTab
      org={ORG}
      cart={useCart(ORG.id)}
      onCheckedOut={() => {}}
      onEdit={() => {}}
      onShow={() => {}}
      onAnnounce={() => {}}
    />
  );
}

/** Opens the cart with one item; the server responds with the card fee. */
function openCart() {
  const item = offsetItem('air', 1000);
  getStoredText(`cart:${ORG.id}`).write(serializeCart([{ id: 1, item }]));
  const api = createApiClient({ fetch: async () => Response.json({ cardFee: DEFAULT_CARD_FEE }) });
  render(
    wrapInSignedInPage(
      <ToastProvider>
        <StoredCartTab />
      </ToastProvider>,
      { api },
    ),
  );
}

test('undoing a removal restores the stored price, so the price change is shown again', () => {
  openCart();
  const priceChange = /the carbon price changed from \$12\.50 to \$25\.00/;
  expect(screen.getByText(priceChange)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: /^Remove Air travel/ }));
  expect(screen.queryByText(priceChange)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(screen.getByText(priceChange)).toBeTruthy();
});

test('undoing the removal of the last item restores the choice to cover the card fee', async () => {
  openCart();
  const findFeeCheckbox = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /card fee/ });
  fireEvent.click(await findFeeCheckbox());
  fireEvent.click(screen.getByRole('button', { name: /^Remove Air travel/ }));
  expect(screen.queryByRole('checkbox', { name: /card fee/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect((await findFeeCheckbox()).checked).toBe(true);
});
