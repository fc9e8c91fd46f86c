import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_CARD_FEE } from '#domain/card-fee.ts';
import { donationItem } from '#domain/cart.ts';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { serializeCart } from '#web/cart/cart-lines.ts';
import { recordPaidCheckout } from '#web/payment/paid-checkout.ts';
import { DonateForm } from '#web/routes/donate/donate-form.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

type DonateFormProps = ComponentProps<typeof DonateForm>;

function createForm(props: Partial<DonateFormProps> = {}) {
  return (
    <DonateForm
      orgId="valley"
      editedLine={undefined}
      suggestedAmount={undefined}
      fee={null}
      typicalGrant={null}
      onSendCheck={() => {}}
      {...props}
    />
  );
}

function renderForm(props: Partial<DonateFormProps> = {}) {
  render(wrapInPublicPage(createForm(props), createPageContext()));
}

test('the list of all intervals receives focus when it replaces its button', () => {
  renderForm();
  fireEvent.click(screen.getByRole('button', { name: 'More intervals' }));
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'How often?' }));
});

test('offers to cover the card fee of a new donation, but not while editing a donation in the cart', () => {
  const getFeeCheckbox = () => screen.queryByRole('checkbox', { name: /card fee/ });
  renderForm({ fee: DEFAULT_CARD_FEE });
  expect(getFeeCheckbox()).toBeTruthy();
  cleanup();
  renderForm({ fee: DEFAULT_CARD_FEE, editedLine: { id: 1, item: donationItem(100) } });
  expect(screen.getByRole('button', { name: 'Save changes' })).toBeTruthy();
  expect(getFeeCheckbox()).toBeNull();
});

test('an invalid amount receives focus after every attempt', () => {
  renderForm();
  const field = screen.getByLabelText<HTMLInputElement>('Amount');
  fireEvent.change(field, { target: { value: '12.50' } });
  for (const name of ['Donate', 'Donate']) {
    const button = screen.getByRole('button', { name });
    button.focus();
    fireEvent.click(button);
    expect(document.activeElement).toBe(field);
  }
});

test('confirms an added donation with a toast that links to the cart', () => {
  localStorage.setItem('cart:valley', serializeCart([{ id: 1, item: donationItem(50) }]));
  render(wrapInPublicPage(<ToastProvider>{createForm()}</ToastProvider>, createPageContext()));
  fireEvent.click(screen.getByRole('radio', { name: '$25' }));
  fireEvent.click(screen.getByRole('button', { name: 'Add to cart' }));
  const toast = screen.getByText('Your donation is in the cart.');
  expect(within(toast).getByRole('button', { name: 'Go to your cart', hidden: true })).toBeTruthy();
});

test('offers to add the donation to a cart that has items only', () => {
  const getButton = () => screen.queryByRole('button', { name: 'Add to cart' });
  renderForm();
  expect(getButton()).toBeNull();
  cleanup();
  localStorage.setItem('cart:valley', serializeCart([{ id: 1, item: donationItem(50) }]));
  renderForm();
  expect(getButton()).toBeTruthy();
});

test('the charges of a monthly gift are above the button that starts it', () => {
  renderForm({ suggestedAmount: '25' });
  fireEvent.click(screen.getByRole('radio', { name: 'Monthly' }));
  const charges = screen.getByText(/^You’ll pay \$25\.00 today, then \$25\.00 every month/);
  const button = screen.getByRole('button', { name: 'Donate $25 monthly' });
  expect(charges.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a payment clears the form once, so that another press doesn’t start the same payment again', () => {
  renderForm({ suggestedAmount: '100', fee: DEFAULT_CARD_FEE });
  fireEvent.click(screen.getByRole('radio', { name: 'Monthly' }));
  fireEvent.click(screen.getByRole('checkbox', { name: /card fee/ }));
  act(() => recordPaidCheckout('valley', 'c1'));
  expect(screen.getByRole('button', { name: 'Donate' })).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: '$25' }));
  expect(screen.getByRole('button', { name: 'Donate $25' })).toBeTruthy();
  act(() => recordPaidCheckout('valley', 'c1'));
  expect(screen.getByRole('button', { name: 'Donate $25' })).toBeTruthy();
});

test('a payment keeps the changes to a donation in the cart', () => {
  renderForm({ editedLine: { id: 1, item: donationItem(100) } });
  act(() => recordPaidCheckout('valley', 'c1'));
  expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('100');
});
