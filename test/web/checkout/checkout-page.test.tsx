// @spec 4.checkout
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { donationItem } from '#domain/cart.ts';
import { wrapInSignedInPage } from '#test/support/render-element.ts';
import type { PageCells } from '#web/api/page-cells.ts';
import { getStoredText } from '#web/browser/stored-text.ts';
import { lastCheckoutStorage } from '#web/payment/last-checkout.ts';
import { CheckoutPage } from '#web/routes/checkout/checkout-page.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const NO_STATS = { co2: 0, gas: 0, funds: 0, grants: 0 };
const ORG = { id: 'valley', name: 'Valley', stats: NO_STATS, statsDelta: NO_STATS, typicalGrant: null } as Org;
const CELL = { html: '', language: 'en' } as const;
const CHECKOUT: Checkout = {
  id: 'c1',
  paymentStatus: 'paid',
  completed: false,
  isOver: false,
  needsCompletion: false,
  cart: [donationItem(25)],
  total: 25,
  coveredFee: 0,
  paymentURL: null,
  offsetterURL: null,
  draft: null,
  donor: { name: 'Ada', maskedEmail: null, receiptNumber: null, receiptURL: null, nextChargeOn: null },
  createdTimestamp: '2026-11-29T10:00:00.000Z',
};

function renderPage() {
  const cells = { ask: CELL, thanks: CELL } as unknown as PageCells<'checkout'>;
  render(
    wrapInSignedInPage(
      <ToastProvider>
        <CheckoutPage org={ORG} site={{} as Site} checkout={CHECKOUT} cells={cells} receiptKey={undefined} />
      </ToastProvider>,
    ),
  );
}

test('after "Not now", no other page asks for the story, and the donor is thanked', () => {
  const storage = lastCheckoutStorage(ORG.id);
  storage.save({ id: CHECKOUT.id, time: Date.now() });
  renderPage();
  expect(storage.readText()).not.toBeNull();
  fireEvent.click(screen.getByRole('link', { name: 'Not now' }));
  expect(storage.readText()).toBeNull();
  expect(screen.getByText('Thank you for giving.')).toBeTruthy();
});

test('a paid checkout clears the calculators once, and an earlier one never does', () => {
  const storage = lastCheckoutStorage(ORG.id);
  const calculators = getStoredText(`calculators:${ORG.id}`);
  const openPage = (lastCheckoutId: string) => {
    storage.save({ id: lastCheckoutId, time: Date.now() });
    calculators.write('[]');
    renderPage();
    cleanup();
    return calculators.read();
  };
  expect(openPage('a-later-checkout')).toBe('[]');
  expect(openPage(CHECKOUT.id)).toBeNull();
  expect(openPage(CHECKOUT.id)).toBe('[]');
});
