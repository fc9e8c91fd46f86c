// @spec 4.cart
import { expect, test } from 'vitest';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { donationItem } from '#domain/cart.ts';
import { createSharedText } from '#test/support/shared-text.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { createCheckoutStore } from '#web/payment/checkout-store.ts';
import { createLastCheckoutStorage } from '#web/payment/last-checkout.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const PAGE = 'https://pay.example/c1';
const GIFT = [donationItem(25)];
const NOT_FOUND = new ApiProblem({
  status: 404,
  code: 'checkout-not-found',
  detail: 'This checkout doesn’t exist.',
  requestId: 'r1',
});

function checkout(change: Partial<Checkout> = {}): Checkout {
  const isUnpaid = (change.paymentStatus ?? 'unpaid') === 'unpaid';
  return {
    id: 'c1',
    paymentStatus: 'unpaid',
    completed: false,
    isOver: false,
    needsCompletion: false,
    cart: [],
    total: 25,
    coveredFee: 0,
    paymentURL: isUnpaid ? PAGE : null,
    offsetterURL: null,
    draft: null,
    createdTimestamp: new Date(NOON).toISOString(),
    ...change,
  };
}

/** Opens a browser tab with the server's responses and a payment window. */
function openTab(shared = createSharedText()) {
  const storage = createLastCheckoutStorage(shared.tab());
  const tab = {
    storage,
    shared,
    now: NOON,
    isVisible: true,
    blocksWindows: false,
    isWindowOpen: false,
    createResponse: { id: 'c1', url: PAGE } as { id: string; url: string } | Error,
    response: checkout() as Checkout | Error,
    requestCount: 0,
  };
  const store = createCheckoutStore({
    storage,
    create: async () => unwrap(tab.createResponse),
    read: async () => {
      tab.requestCount += 1;
      return unwrap(tab.response);
    },
    openWindow: () => ({
      goTo: () => {
        tab.isWindowOpen = !tab.blocksWindows;
        return tab.isWindowOpen;
      },
      close: () => {
        tab.isWindowOpen = false;
      },
      isOpen: () => tab.isWindowOpen,
      whenClosed: () => () => {},
    }),
    isVisible: () => tab.isVisible,
    now: () => tab.now,
  });
  store.subscribe(() => {});
  return Object.assign(tab, { store, kind: () => store.state().payment?.kind });
}

function unwrap<T>(response: T | Error): T {
  if (response instanceof Error) throw response;
  return response;
}

/** A tab whose payment window is open. */
async function openPayment(shared = createSharedText()) {
  const tab = openTab(shared);
  await tab.store.checkOut(GIFT);
  return tab;
}

test('a payment continues in its window and is remembered', async () => {
  const tab = await openPayment();
  expect(tab.store.state()).toMatchObject({ isCheckingOut: false, dialog: undefined, error: undefined });
  expect(tab.store.state().payment).toEqual({ kind: 'paying', checkoutId: 'c1', cents: 2500, url: PAGE });
  expect(tab.storage.read(NOON)).toEqual({ id: 'c1', time: NOON });
  expect(tab.requestCount).toBe(0);
  await tab.store.refresh();
  expect(tab.kind()).toBe('paying');
});

test('a blocked window opens the dialog with a link to the payment page', async () => {
  const tab = openTab();
  tab.blocksWindows = true;
  const windowStates: boolean[] = [];
  await tab.store.checkOut(GIFT, (isOpen) => windowStates.push(isOpen));
  expect(windowStates).toEqual([false]);
  expect(tab.store.state()).toMatchObject({ dialog: 'blocked', payment: { kind: 'unpaid', cents: 2500, url: PAGE } });
  tab.store.closeDialog();
  expect(tab.store.state().dialog).toBeUndefined();
  expect(tab.kind()).toBe('unpaid');
});

test('two clicks start one checkout, and a rejected checkout shows why', async () => {
  const tab = openTab();
  tab.createResponse = new OfflineError();
  const [first, second] = [tab.store.checkOut(GIFT), tab.store.checkOut(GIFT)];
  expect(tab.store.state().isCheckingOut).toBe(true);
  await Promise.all([first, second]);
  expect(tab.store.state().error?.message).toContain('Your cart is still here.');
  expect(tab.store.state().payment).toBeUndefined();
  tab.createResponse = NOT_FOUND;
  await tab.store.checkOut(GIFT);
  expect(tab.store.state().error?.message).toBe('This checkout doesn’t exist.');
  tab.store.clearError();
  expect(tab.store.state().error).toBeUndefined();
});

test('closing the window unpaid opens the dialog after checking with the server', async () => {
  const tab = await openPayment();
  tab.isWindowOpen = false;
  const check = tab.store.handleWindowClosed();
  expect(tab.store.state().dialog).toBeUndefined();
  await check;
  expect(tab.store.state()).toMatchObject({ dialog: 'closed', payment: { kind: 'unpaid', url: PAGE } });
  expect(tab.store.state().paymentWindow).toBeUndefined();
});

test('a window that seems to close while the page is hidden opens no dialog', async () => {
  const tab = await openPayment();
  tab.isWindowOpen = false;
  tab.isVisible = false;
  await tab.store.handleWindowClosed();
  expect(tab.requestCount).toBe(0);
  expect(tab.kind()).toBe('paying');
  tab.isVisible = true;
  await tab.store.refresh();
  expect(tab.kind()).toBe('unpaid');
  expect(tab.store.state().dialog).toBeUndefined();
});

test('closing a paid window asks for the story', async () => {
  const tab = await openPayment();
  tab.isWindowOpen = false;
  tab.response = checkout({ paymentStatus: 'paid' });
  await tab.store.handleWindowClosed();
  expect(tab.kind()).toBe('paid');
  expect(tab.store.state().dialog).toBeUndefined();
  expect(tab.storage.read(NOON)?.id).toBe('c1');
});

test('a payment that arrives later closes the dialog', async () => {
  const tab = await openPayment();
  tab.isWindowOpen = false;
  await tab.store.handleWindowClosed();
  tab.response = checkout({ paymentStatus: 'processing' });
  await tab.store.refresh();
  expect(tab.kind()).toBe('processing');
  expect(tab.store.state().dialog).toBeUndefined();
});

test('a reload checks the payment status with the server', async () => {
  const shared = createSharedText();
  await openPayment(shared);
  const reloadedTab = openTab(shared);
  expect(reloadedTab.kind()).toBeUndefined();
  reloadedTab.response = checkout({ paymentURL: 'https://pay.example/moved' });
  await reloadedTab.store.refresh();
  expect(reloadedTab.store.state()).toMatchObject({ payment: { kind: 'unpaid', url: 'https://pay.example/moved' } });
  expect(reloadedTab.store.state().dialog).toBeUndefined();
});

test.each([
  ['published', checkout({ paymentStatus: 'paid', isOver: true, offsetterURL: '/orgs/sample/offsetters/o1/' })],
  ['thanked', checkout({ paymentStatus: 'paid', isOver: true })],
  ['failed', checkout({ paymentStatus: 'failed' })],
  ['expired', checkout({ paymentStatus: 'expired' })],
])('%s is shown once and then forgotten', async (kind, response) => {
  const tab = await openPayment();
  tab.response = response;
  await tab.store.refresh();
  expect(tab.kind()).toBe(kind);
  expect(tab.shared.text()).toBeNull();
  await tab.store.refresh();
  expect(tab.kind()).toBe(kind);
  tab.store.forget();
  expect(tab.kind()).toBeUndefined();
});

test('a deleted checkout is forgotten silently', async () => {
  const tab = await openPayment();
  tab.response = NOT_FOUND;
  await tab.store.refresh();
  expect([tab.kind(), tab.shared.text()]).toEqual([undefined, null]);
});

test('if the server doesn’t respond, the last known state is kept', async () => {
  const shared = createSharedText();
  const tab = await openPayment(shared);
  tab.response = new OfflineError();
  await tab.store.refresh();
  expect(tab.kind()).toBe('paying');
  const reloadedTab = openTab(shared);
  reloadedTab.response = new OfflineError();
  await reloadedTab.store.refresh();
  expect(reloadedTab.kind()).toBe('unknown');
  reloadedTab.response = checkout({ paymentStatus: 'paid' });
  await reloadedTab.store.refresh();
  expect(reloadedTab.kind()).toBe('paid');
});

test('if the server is unreachable when the window closes, the dialog opens after the next response', async () => {
  const tab = await openPayment();
  tab.isWindowOpen = false;
  tab.response = new OfflineError();
  await tab.store.handleWindowClosed();
  expect(tab.store.state().dialog).toBeUndefined();
  tab.response = checkout();
  await tab.store.refresh();
  expect(tab.store.state().dialog).toBe('closed');
});

test('a checkout is forgotten after 24 hours', async () => {
  const shared = createSharedText();
  await openPayment(shared);
  const tabTomorrow = openTab(shared);
  tabTomorrow.now = NOON + 24 * 60 * 60_000 + 1;
  await tabTomorrow.store.refresh();
  expect([tabTomorrow.requestCount, tabTomorrow.kind(), shared.text()]).toEqual([0, undefined, null]);
});

test('unreadable storage is cleared', async () => {
  const tab = openTab(createSharedText('{"id":7}'));
  await tab.store.refresh();
  expect([tab.requestCount, tab.kind(), tab.shared.text()]).toEqual([0, undefined, null]);
});

test('"Not now" dismisses the notice in every tab', async () => {
  const shared = createSharedText();
  const [tab, otherTab] = [await openPayment(shared), openTab(shared)];
  await otherTab.store.refresh();
  expect(otherTab.kind()).toBe('unpaid');
  otherTab.store.forget();
  expect([tab.kind(), otherTab.kind(), shared.text()]).toEqual([undefined, undefined, null]);
});

test('a checkout finished or canceled in another tab disappears here', async () => {
  const shared = createSharedText();
  const tab = await openPayment(shared);
  createLastCheckoutStorage(shared.tab()).forget('c1');
  expect(tab.store.state()).toMatchObject({ payment: undefined, dialog: undefined, paymentWindow: undefined });
});

test('two tabs show the same, most recent checkout', async () => {
  const shared = createSharedText();
  const [tab, otherTab] = [await openPayment(shared), openTab(shared)];
  tab.response = checkout({ id: 'c2' });
  otherTab.createResponse = { id: 'c2', url: 'https://pay.example/c2' };
  await otherTab.store.checkOut(GIFT);
  await expect.poll(() => tab.store.state().payment?.checkoutId).toBe('c2');
  expect([tab.kind(), otherTab.kind()]).toEqual(['unpaid', 'paying']);
  tab.isWindowOpen = false;
  tab.store.forget();
  expect([tab.kind(), otherTab.kind()]).toEqual([undefined, undefined]);
});

test('a response that arrives after the notice is dismissed is ignored', async () => {
  const tab = await openPayment();
  const check = tab.store.refresh();
  tab.store.forget();
  await check;
  expect(tab.kind()).toBeUndefined();
});

test('a reopened payment page is watched like the first one', async () => {
  const tab = await openPayment();
  tab.isWindowOpen = false;
  await tab.store.handleWindowClosed();
  expect(tab.store.reopen()).toBe(true);
  await tab.store.refresh();
  expect(tab.store.state()).toMatchObject({ dialog: undefined, payment: { kind: 'paying', url: PAGE } });
  tab.isWindowOpen = false;
  await tab.store.handleWindowClosed();
  expect(tab.store.state()).toMatchObject({ dialog: 'closed', payment: { kind: 'unpaid' } });
});

test('if windows are blocked, the link opens the payment page', async () => {
  const tab = openTab();
  tab.blocksWindows = true;
  await tab.store.checkOut(GIFT);
  expect(tab.store.reopen()).toBe(false);
  expect(tab.store.state()).toMatchObject({ dialog: undefined, payment: { kind: 'paying' } });
  expect(openTab().store.reopen()).toBe(false);
});
