import { afterEach, expect, test, vi } from 'vitest';
import { openPaymentWindow } from '#web/features/payment/payment-window.ts';

afterEach(() => vi.unstubAllGlobals());

const PAGE = 'https://pay.example.org/session';

function openedWindow() {
  const shown: string[] = [];
  const body: string[] = [];
  const opened = {
    opener: 'the shop' as unknown,
    closed: false,
    document: { title: '', documentElement: { lang: '' }, body: { append: (words: string) => void body.push(words) } },
    location: { replace: (url: string) => void shown.push(url) },
    close: () => {
      opened.closed = true;
    },
  };
  return { opened, shown, body };
}

test('the window is opened at once, says what it waits for, and cannot reach back', () => {
  const { opened, shown, body } = openedWindow();
  vi.stubGlobal('window', { open: () => opened });
  openPaymentWindow();
  expect(opened.opener).toBeNull();
  expect(body).toEqual(['Opening the payment page…']);
  expect(shown).toEqual([]);
});

test('the window goes to the payment page', () => {
  const { opened, shown } = openedWindow();
  vi.stubGlobal('window', { open: () => opened });
  expect(openPaymentWindow().goTo(PAGE)).toBe(true);
  expect(shown).toEqual([PAGE]);
});

test('a window that was closed meanwhile goes nowhere, and that is told', () => {
  const { opened, shown } = openedWindow();
  vi.stubGlobal('window', { open: () => opened });
  const payment = openPaymentWindow();
  opened.close();
  expect(payment.goTo(PAGE)).toBe(false);
  expect(shown).toEqual([]);
});

test('a blocked window is told, and closing it harms nothing', () => {
  vi.stubGlobal('window', { open: () => null });
  const payment = openPaymentWindow();
  expect(payment.goTo(PAGE)).toBe(false);
  expect(() => payment.close()).not.toThrow();
});
