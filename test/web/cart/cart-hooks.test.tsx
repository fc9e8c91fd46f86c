import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { useCart } from '#web/cart/cart-store.ts';
import { saveGiftChoice, useGiftChoice } from '#web/payment/gift-choice.ts';

afterEach(cleanup);

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
