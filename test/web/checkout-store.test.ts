import { expect, test } from 'vitest';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { donationItem } from '#domain/cart.ts';
import { sharedText } from '#test/support/shared-text.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { createCheckoutStore } from '#web/payment/checkout-store.ts';
import { createCheckoutKeeper } from '#web/payment/kept-checkout.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const PAGE = 'https://pay.example/c1';
const GIFT = [donationItem(25)];
const GONE = new ApiProblem({ status: 404, code: 'checkout-not-found', detail: 'There is none.', requestId: 'r1' });

function checkout(change: Partial<Checkout> = {}): Checkout {
  const isUnpaid = (change.paymentStatus ?? 'unpaid') === 'unpaid';
  return {
    id: 'c1',
    paymentStatus: 'unpaid',
    completed: false,
    over: false,
    cart: [],
    total: 25,
    paymentURL: isUnpaid ? PAGE : null,
    offsetterURL: null,
    draft: null,
    createdTimestamp: new Date(NOON).toISOString(),
    ...change,
  };
}

/** One tab of a browser, with what the server would say, and the window that opens next. */
function openTab(shared = sharedText()) {
  const keeper = createCheckoutKeeper(shared.tab());
  const tab = {
    keeper,
    shared,
    now: NOON,
    isVisible: true,
    blocksWindows: false,
    windowIsOpen: false,
    created: { id: 'c1', url: PAGE } as { id: string; url: string } | Error,
    answer: checkout() as Checkout | Error,
    asked: 0,
  };
  const store = createCheckoutStore({
    keeper,
    create: async () => said(tab.created),
    read: async () => {
      tab.asked += 1;
      return said(tab.answer);
    },
    openWindow: () => ({
      goTo: () => {
        tab.windowIsOpen = !tab.blocksWindows;
        return tab.windowIsOpen;
      },
      close: () => {
        tab.windowIsOpen = false;
      },
      isOpen: () => tab.windowIsOpen,
      whenClosed: () => () => {},
    }),
    isVisible: () => tab.isVisible,
    now: () => tab.now,
  });
  store.subscribe(() => {});
  return Object.assign(tab, { store, kind: () => store.state().standing?.kind });
}

function said<T>(answer: T | Error): T {
  if (answer instanceof Error) throw answer;
  return answer;
}

/** A tab whose payment window is open. */
async function openPayment(shared = sharedText()) {
  const tab = openTab(shared);
  await tab.store.checkOut(GIFT);
  return tab;
}

test('a payment goes on in its window, and is kept', async () => {
  const tab = await openPayment();
  expect(tab.store.state()).toMatchObject({ checkingOut: false, dialog: undefined, problem: undefined });
  expect(tab.store.state().standing).toEqual({ kind: 'under-way', checkoutId: 'c1', cents: 2500, url: PAGE });
  expect(tab.keeper.kept(NOON)).toEqual({ id: 'c1', time: NOON });
  expect(tab.asked).toBe(0);
  await tab.store.look();
  expect(tab.kind()).toBe('under-way');
});

test('a blocked window opens the dialog, with the payment page behind it', async () => {
  const tab = openTab();
  tab.blocksWindows = true;
  const ready: boolean[] = [];
  await tab.store.checkOut(GIFT, (isOpen) => ready.push(isOpen));
  expect(ready).toEqual([false]);
  expect(tab.store.state()).toMatchObject({ dialog: 'blocked', standing: { kind: 'unpaid', cents: 2500, url: PAGE } });
  tab.store.closeDialog();
  expect(tab.store.state().dialog).toBeUndefined();
  expect(tab.kind()).toBe('unpaid');
});

test('one click opens one checkout, and a refused one says why', async () => {
  const tab = openTab();
  tab.created = new OfflineError();
  const [first, second] = [tab.store.checkOut(GIFT), tab.store.checkOut(GIFT)];
  expect(tab.store.state().checkingOut).toBe(true);
  await Promise.all([first, second]);
  expect(tab.store.state().problem).toContain('Your cart is kept.');
  expect(tab.store.state().standing).toBeUndefined();
  tab.created = GONE;
  await tab.store.checkOut(GIFT);
  expect(tab.store.state().problem).toBe('There is none.');
  tab.store.clearProblem();
  expect(tab.store.state().problem).toBeUndefined();
});

test('a window that is closed unpaid opens the dialog, after the server was asked', async () => {
  const tab = await openPayment();
  tab.windowIsOpen = false;
  const asking = tab.store.windowClosed();
  expect(tab.store.state().dialog).toBeUndefined();
  await asking;
  expect(tab.store.state()).toMatchObject({ dialog: 'closed', standing: { kind: 'unpaid', url: PAGE } });
  expect(tab.store.state().paymentWindow).toBeUndefined();
});

test('a window that seems closed while nobody looks opens no dialog: it may have cut itself off', async () => {
  const tab = await openPayment();
  tab.windowIsOpen = false;
  tab.isVisible = false;
  await tab.store.windowClosed();
  expect(tab.asked).toBe(0);
  expect(tab.kind()).toBe('under-way');
  tab.isVisible = true;
  await tab.store.look();
  expect(tab.kind()).toBe('unpaid');
  expect(tab.store.state().dialog).toBeUndefined();
});

test('a window that is closed after paying is thanked, and the story asked for', async () => {
  const tab = await openPayment();
  tab.windowIsOpen = false;
  tab.answer = checkout({ paymentStatus: 'paid' });
  await tab.store.windowClosed();
  expect(tab.kind()).toBe('untold');
  expect(tab.store.state().dialog).toBeUndefined();
  expect(tab.keeper.kept(NOON)?.id).toBe('c1');
});

test('money that arrives a moment later closes the dialog by itself', async () => {
  const tab = await openPayment();
  tab.windowIsOpen = false;
  await tab.store.windowClosed();
  tab.answer = checkout({ paymentStatus: 'processing' });
  await tab.store.look();
  expect(tab.kind()).toBe('processing');
  expect(tab.store.state().dialog).toBeUndefined();
});

test('a reload asks the server, and offers what it says', async () => {
  const shared = sharedText();
  await openPayment(shared);
  const reloaded = openTab(shared);
  expect(reloaded.kind()).toBeUndefined();
  reloaded.answer = checkout({ paymentURL: 'https://pay.example/moved' });
  await reloaded.store.look();
  expect(reloaded.store.state()).toMatchObject({ standing: { kind: 'unpaid', url: 'https://pay.example/moved' } });
  expect(reloaded.store.state().dialog).toBeUndefined();
});

test.each([
  ['told', checkout({ paymentStatus: 'paid', over: true, offsetterURL: '/orgs/sample/offsetters/o1/' })],
  ['thanked', checkout({ paymentStatus: 'paid', over: true })],
  ['failed', checkout({ paymentStatus: 'failed' })],
  ['expired', checkout({ paymentStatus: 'expired' })],
])('%s is said once, and not kept', async (kind, answer) => {
  const tab = await openPayment();
  tab.answer = answer;
  await tab.store.look();
  expect(tab.kind()).toBe(kind);
  expect(tab.shared.text()).toBeNull();
  await tab.store.look();
  expect(tab.kind()).toBe(kind);
  tab.store.forget();
  expect(tab.kind()).toBeUndefined();
});

test('a checkout that is not there (any more) is forgotten without a word', async () => {
  const tab = await openPayment();
  tab.answer = GONE;
  await tab.store.look();
  expect([tab.kind(), tab.shared.text()]).toEqual([undefined, null]);
});

test('without an answer nothing is claimed, and what was known stays', async () => {
  const shared = sharedText();
  const tab = await openPayment(shared);
  tab.answer = new OfflineError();
  await tab.store.look();
  expect(tab.kind()).toBe('under-way');
  const reloaded = openTab(shared);
  reloaded.answer = new OfflineError();
  await reloaded.store.look();
  expect(reloaded.kind()).toBe('unknown');
  reloaded.answer = checkout({ paymentStatus: 'paid' });
  await reloaded.store.look();
  expect(reloaded.kind()).toBe('untold');
});

test('a closed window whose payment nobody can tell of opens the dialog once the server has answered', async () => {
  const tab = await openPayment();
  tab.windowIsOpen = false;
  tab.answer = new OfflineError();
  await tab.store.windowClosed();
  expect(tab.store.state().dialog).toBeUndefined();
  tab.answer = checkout();
  await tab.store.look();
  expect(tab.store.state().dialog).toBe('closed');
});

test('after its 24 hours a checkout is not asked for any more', async () => {
  const shared = sharedText();
  await openPayment(shared);
  const tomorrow = openTab(shared);
  tomorrow.now = NOON + 24 * 60 * 60_000 + 1;
  await tomorrow.store.look();
  expect([tomorrow.asked, tomorrow.kind(), shared.text()]).toEqual([0, undefined, null]);
});

test('rubbish in the storage is swept out', async () => {
  const tab = openTab(sharedText('{"id":7}'));
  await tab.store.look();
  expect([tab.asked, tab.kind(), tab.shared.text()]).toEqual([0, undefined, null]);
});

test('"Not now" puts the notice away in every tab', async () => {
  const shared = sharedText();
  const [tab, other] = [await openPayment(shared), openTab(shared)];
  await other.store.look();
  expect(other.kind()).toBe('unpaid');
  other.store.forget();
  expect([tab.kind(), other.kind(), shared.text()]).toEqual([undefined, undefined, null]);
});

test('a checkout that is finished or cancelled in another tab is no longer told of here', async () => {
  const shared = sharedText();
  const tab = await openPayment(shared);
  createCheckoutKeeper(shared.tab()).forget('c1');
  expect(tab.store.state()).toMatchObject({ standing: undefined, dialog: undefined, paymentWindow: undefined });
});

test('two tabs do not fight: the last checkout is the one that both tell of', async () => {
  const shared = sharedText();
  const [tab, other] = [await openPayment(shared), openTab(shared)];
  tab.answer = checkout({ id: 'c2' });
  other.created = { id: 'c2', url: 'https://pay.example/c2' };
  await other.store.checkOut(GIFT);
  await expect.poll(() => tab.store.state().standing?.checkoutId).toBe('c2');
  expect([tab.kind(), other.kind()]).toEqual(['unpaid', 'under-way']);
  tab.windowIsOpen = false;
  tab.store.forget();
  expect([tab.kind(), other.kind()]).toEqual([undefined, undefined]);
});

test('an answer about a checkout that was put away meanwhile is not told', async () => {
  const tab = await openPayment();
  const asking = tab.store.look();
  tab.store.forget();
  await asking;
  expect(tab.kind()).toBeUndefined();
});

test('the payment page that is opened again goes on in its window, and is watched as the first one was', async () => {
  const tab = await openPayment();
  tab.windowIsOpen = false;
  await tab.store.windowClosed();
  expect(tab.store.goOn()).toBe(true);
  await tab.store.look();
  expect(tab.store.state()).toMatchObject({ dialog: undefined, standing: { kind: 'under-way', url: PAGE } });
  tab.windowIsOpen = false;
  await tab.store.windowClosed();
  expect(tab.store.state()).toMatchObject({ dialog: 'closed', standing: { kind: 'unpaid' } });
});

test('where windows are blocked, the link itself leads to the payment page', async () => {
  const tab = openTab();
  tab.blocksWindows = true;
  await tab.store.checkOut(GIFT);
  expect(tab.store.goOn()).toBe(false);
  expect(tab.store.state()).toMatchObject({ dialog: undefined, standing: { kind: 'under-way' } });
  expect(openTab().store.goOn()).toBe(false);
});
