import { cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import '#web/payment/tribute-fields.tsx';
import { TributeOption, useTribute } from '#web/payment/tribute-option.tsx';
import { NO_TRIBUTE, tributeStorage } from '#web/payment/tribute-storage.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

type Checkout = Parameters<typeof useTribute>[1];
const NEW_CHECKOUT: Checkout = { error: undefined, clearError: () => {} };

function Cart({ checkout }: { checkout: Checkout }) {
  const tribute = useTribute('valley', checkout);
  return (
    <>
      <button type="button">Remove</button>
      <button type="button" onClick={() => tribute.validate()}>
        Check out
      </button>
      <TributeOption tribute={tribute} />
    </>
  );
}

test('a saved tribute doesn’t block the checkout while its fields load', () => {
  tributeStorage('valley').save({ ...NO_TRIBUTE, kind: 'honor', name: 'Ada' });
  const { result } = renderHook(() => useTribute('valley', NEW_CHECKOUT));
  expect(result.current.validate()).toBe(true);
});

test('a rejected tribute receives focus once, not after every cart change', async () => {
  tributeStorage('valley').save({ ...NO_TRIBUTE, kind: 'honor', name: 'Ada' });
  const rejectedCheckout = { ...NEW_CHECKOUT, error: { field: 'tribute.name', message: 'This name is too long.' } };
  const { rerender } = render(<Cart checkout={rejectedCheckout} />);
  expect(await screen.findByLabelText('Name of the person')).toBe(document.activeElement);
  const button = screen.getByRole('button', { name: 'Remove' });
  button.focus();
  rerender(<Cart checkout={rejectedCheckout} />);
  expect(document.activeElement).toBe(button);
});

test('a missing kind of tribute focuses the choices and describes them', async () => {
  tributeStorage('valley').save({ ...NO_TRIBUTE, name: 'Ada' });
  const error = { field: 'tribute.kind', message: 'Please choose one of these.' };
  render(<Cart checkout={{ ...NEW_CHECKOUT, error }} />);
  expect(await screen.findByLabelText('In honor of')).toBe(document.activeElement);
  expect(screen.getByRole('group', { name: 'This gift is', description: error.message })).toBeTruthy();
});

test('shows all problems after an attempt, focuses the first one, and drops each once it is corrected', async () => {
  tributeStorage('valley').save({ ...NO_TRIBUTE, wantsCard: true });
  render(<Cart checkout={NEW_CHECKOUT} />);
  const email = await screen.findByLabelText<HTMLInputElement>('Email address for the card');
  const listInvalidNames = () =>
    [...document.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')].map((field) => field.name);
  expect(listInvalidNames()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Check out' }));
  expect(listInvalidNames()).toContain('tribute.card.email');
  expect(listInvalidNames()).toContain('tribute.name');
  expect(screen.getByRole('group', { name: 'This gift is', description: 'Please choose one of these.' })).toBeTruthy();
  expect(screen.getByLabelText('In honor of')).toBe(document.activeElement);
  email.focus();
  fireEvent.change(email, { target: { value: 'ben@example.org' } });
  expect(email).toBe(document.activeElement);
  expect(listInvalidNames()).not.toContain('tribute.card.email');
  expect(listInvalidNames()).toContain('tribute.name');
});
