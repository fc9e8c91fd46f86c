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
  const head: object[] = [];
  const style = { margin: '', fontFamily: '', color: '', backgroundColor: '' };
  const paymentWindow = {
    opener: 'the shop' as unknown,
    closed: false,
    document: {
      title: '',
      documentElement: { lang: '' },
      createElement: () => ({}),
      head: { append: (element: object) => void head.push(element) },
      body: { append: (words: string) => void body.push(words), style },
    },
    location: { replace: (url: string) => void shownUrls.push(url) },
    close: () => {
      paymentWindow.closed = true;
    },
  };
  return { paymentWindow, shownUrls, body, head, style };
}

/** Stubs the shop's window, in which each token's value is the token's name. */
function stubWindow(paymentWindow: object): void {
  vi.stubGlobal('window', { open: () => paymentWindow, document: { documentElement: {} } });
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (token: string) => token }));
}

test('the window opens immediately with a waiting message and no access to its opener', () => {
  const { paymentWindow, shownUrls, body, head, style } = createWindow();
  stubWindow(paymentWindow);
  openPaymentWindow();
  expect(paymentWindow.opener).toBeNull();
  expect(body).toEqual(['Opening the payment page…']);
  expect(head).toEqual([{ name: 'viewport', content: 'width=device-width' }]);
  expect(style).toEqual({
    margin: '--space-5',
    fontFamily: '--font-body',
    color: '--on-dark',
    backgroundColor: '--night',
  });
  expect(shownUrls).toEqual([]);
});

test('the window opens the payment page', () => {
  const { paymentWindow, shownUrls } = createWindow();
  stubWindow(paymentWindow);
  expect(openPaymentWindow().goTo(PAGE)).toBe(true);
  expect(shownUrls).toEqual([PAGE]);
});

test('a window that was closed early is reported', () => {
  const { paymentWindow, shownUrls } = createWindow();
  stubWindow(paymentWindow);
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
  stubWindow(paymentWindow);
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
  stubWindow(paymentWindow);
  const stop = openPaymentWindow().whenClosed(() => expect.unreachable());
  stop();
  paymentWindow.close();
  vi.advanceTimersByTime(5000);
  expect(vi.getTimerCount()).toBe(0);
});
