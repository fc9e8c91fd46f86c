// @spec 4.cart
import { afterEach, expect, test, vi } from 'vitest';
import { openPaymentWindow } from '#web/payment/payment-window.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const PAGE = 'https://pay.example.org/session';

function createWindow() {
  const shownUrls: string[] = [];
  const body: string[] = [];
  const paymentWindow = {
    opener: 'the shop' as unknown,
    closed: false,
    document: { title: '', documentElement: { lang: '' }, body: { append: (words: string) => void body.push(words) } },
    location: { replace: (url: string) => void shownUrls.push(url) },
    close: () => {
      paymentWindow.closed = true;
    },
  };
  return { paymentWindow, shownUrls, body };
}

test('the window opens immediately with a waiting message and no access to its opener', () => {
  const { paymentWindow, shownUrls, body } = createWindow();
  vi.stubGlobal('window', { open: () => paymentWindow });
  openPaymentWindow();
  expect(paymentWindow.opener).toBeNull();
  expect(body).toEqual(['Opening the payment page…']);
  expect(shownUrls).toEqual([]);
});

test('the window opens the payment page', () => {
  const { paymentWindow, shownUrls } = createWindow();
  vi.stubGlobal('window', { open: () => paymentWindow });
  expect(openPaymentWindow().goTo(PAGE)).toBe(true);
  expect(shownUrls).toEqual([PAGE]);
});

test('a window that was closed early is reported', () => {
  const { paymentWindow, shownUrls } = createWindow();
  vi.stubGlobal('window', { open: () => paymentWindow });
  const payment = openPaymentWindow();
  paymentWindow.close();
  expect(payment.goTo(PAGE)).toBe(false);
  expect(shownUrls).toEqual([]);
});

test('a blocked window is reported, and closing it is harmless', () => {
  vi.stubGlobal('window', { open: () => null });
  const payment = openPaymentWindow();
  expect(payment.goTo(PAGE)).toBe(false);
  expect(() => payment.close()).not.toThrow();
});

test('a closed window is reported once and then ignored', () => {
  vi.useFakeTimers();
  const { paymentWindow } = createWindow();
  vi.stubGlobal('window', { open: () => paymentWindow });
  const payment = openPaymentWindow();
  let notifications = 0;
  payment.whenClosed(() => {
    notifications += 1;
  });
  vi.advanceTimersByTime(5000);
  expect([notifications, payment.isOpen()]).toEqual([0, true]);
  paymentWindow.close();
  vi.advanceTimersByTime(5000);
  expect([notifications, payment.isOpen(), vi.getTimerCount()]).toEqual([1, false, 0]);
});

test('after watching stops, nothing is reported and no timer remains', () => {
  vi.useFakeTimers();
  const { paymentWindow } = createWindow();
  vi.stubGlobal('window', { open: () => paymentWindow });
  const stop = openPaymentWindow().whenClosed(() => expect.unreachable());
  stop();
  paymentWindow.close();
  vi.advanceTimersByTime(5000);
  expect(vi.getTimerCount()).toBe(0);
});
