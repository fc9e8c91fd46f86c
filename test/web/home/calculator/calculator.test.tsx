import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { donationItem } from '#domain/cart.ts';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { createApiClient } from '#web/api/client.ts';
import { getStoredText } from '#web/browser/stored-text.ts';
import { serializeCart } from '#web/cart/cart-lines.ts';
import { recordPaidCheckout } from '#web/payment/paid-checkout.ts';
import { Calculator } from '#web/routes/home/calculator/calculator.tsx';
// Loaded here, because a busy machine takes a while to load them on demand.
import '#web/routes/home/calculator/cart-tab.tsx';
import '#web/routes/home/calculator/lazy-calculators.tsx';
import { estimateQuick } from '#web/routes/home/calculator/lazy-estimates.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const ORG = { id: 'valley', homeCity: null, typicalGrant: null, savingYears: 20 } as unknown as Org;

test('removing an edited item from the cart ends the editing, because a new item may reuse its id', async () => {
  const fields = { type: 'car', time: 'year' } as const;
  const { item } = estimateQuick(fields);
  if (!item) throw new Error('There is no estimate.');
  const lines = [
    { id: 1, item: donationItem(25) },
    { id: 2, item, input: { tab: 'quick', fields } },
  ];
  getStoredText(`cart:${ORG.id}`).write(serializeCart(lines));
  const api = createApiClient({ fetch: async () => Response.json({ cardFee: null }) });
  render(wrapInPublicPage(<Calculator org={ORG} site={{} as Site} />, { ...createPageContext(), api }));
  fireEvent.click(screen.getByRole('tab', { name: /^Cart/ }));
  fireEvent.click(await screen.findByRole('button', { name: /^Edit/ }));
  expect(await screen.findByRole('button', { name: 'Save changes' })).toBeTruthy();
  fireEvent.click(screen.getByRole('tab', { name: /^Cart/ }));
  const [, removeButton] = screen.getAllByRole('button', { name: /^Remove/ });
  if (!removeButton) throw new Error('The cart does not list the item.');
  fireEvent.click(removeButton);
  fireEvent.click(screen.getByRole('tab', { name: 'Quick' }));
  expect(screen.getByRole('button', { name: 'Calculate Offset' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
});

test('a payment clears the calculators, also after a reload', async () => {
  const renderCalculator = () =>
    render(wrapInPublicPage(<Calculator org={ORG} site={{} as Site} />, createPageContext()));
  const getMiles = () => screen.getByLabelText<HTMLInputElement>(/Trip mileage/i);
  renderCalculator();
  fireEvent.change(getMiles(), { target: { value: '2740' } });
  const storedFields = getStoredText(`calculators:${ORG.id}`);
  await waitFor(() => expect(storedFields.read()).toContain('2740'));
  act(() => recordPaidCheckout(ORG.id, 'c1'));
  expect(getMiles().value).toBe('');
  expect(storedFields.read()).toBeNull();
  cleanup();
  renderCalculator();
  expect(getMiles().value).toBe('');
});
