import type { Checkout } from '#contract/schemas/checkouts.ts';
import { type CartItem, cartTotal } from '#domain/cart.ts';
import { sentenceOf } from '#domain/failures.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { type CheckoutStanding, isLastWord, standingOf } from './checkout-standing.ts';
import type { CheckoutKeeper } from './kept-checkout.ts';
import type { PaymentWindow } from './payment-window.ts';

export type CheckoutState = {
  /** Set while a payment page is asked for; the button is disabled then (§4). */
  readonly checkingOut: boolean;
  /** Why the last attempt came to nothing. */
  readonly problem: string | undefined;
  /** Where the last checkout stands, as far as the visitor is to be told. */
  readonly standing: CheckoutStanding | undefined;
  /** Why the dialog with the way to the payment page is open (§4): its window did not open, or seems closed, unpaid. */
  readonly dialog: 'blocked' | 'closed' | undefined;
  /** The window that was opened for it, until that seems closed. */
  readonly paymentWindow: PaymentWindow | undefined;
};

export const NO_CHECKOUT: CheckoutState = {
  checkingOut: false,
  problem: undefined,
  standing: undefined,
  dialog: undefined,
  paymentWindow: undefined,
};

/** What the store needs of the server and of the browser. */
export type CheckoutStoreDeps = {
  readonly keeper: CheckoutKeeper;
  /** @throws ApiProblem, OfflineError */
  readonly create: (items: readonly CartItem[]) => Promise<{ readonly id: string; readonly url: string }>;
  /** @throws ApiProblem, OfflineError */
  readonly read: (checkoutId: string) => Promise<Checkout>;
  readonly openWindow: () => PaymentWindow;
  /** Whether the page is looked at. */
  readonly isVisible: () => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

export type CheckoutStore = ReturnType<typeof createCheckoutStore>;

/**
 * The way of one organisation's checkout to the payment page and back, the same for everything on the page that shows
 * it. Where it stands is always what the server said last; other tabs follow by what the browser keeps.
 */
export function createCheckoutStore({ keeper, create, read, openWindow, isVisible, now }: CheckoutStoreDeps) {
  const listeners = new Set<() => void>();
  let state = NO_CHECKOUT;
  let asking: string | undefined;
  let closedBeforeEyes = false;
  let stopWatching = () => {};

  const set = (change: Partial<CheckoutState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const putAway = () => set({ standing: undefined, dialog: undefined, paymentWindow: undefined });

  const checkOut = async (items: readonly CartItem[], onReady?: (isOpen: boolean) => void): Promise<void> => {
    // Two clicks can come before the first is drawn as a disabled button.
    if (state.checkingOut) return;
    const paymentWindow = openWindow();
    set({ checkingOut: true, problem: undefined });
    try {
      const { id, url } = await create(items);
      const isOpen = paymentWindow.goTo(url);
      // Before the dialog opens, which gives the focus back to where it was.
      onReady?.(isOpen);
      closedBeforeEyes = false;
      set({
        checkingOut: false,
        standing: { kind: isOpen ? 'under-way' : 'unpaid', checkoutId: id, cents: cartTotal(items), url },
        dialog: isOpen ? undefined : 'blocked',
        paymentWindow: isOpen ? paymentWindow : undefined,
      });
      keeper.keep({ id, time: now() });
    } catch (error) {
      paymentWindow.close();
      set({ checkingOut: false, problem: sentence(error) });
    }
  };

  /** Asks the server where the kept checkout stands, if there is one and somebody looks. */
  const look = async (): Promise<void> => {
    const id = keeper.kept(now())?.id;
    if (id === undefined) {
      // Rubbish, or a checkout whose time is over.
      if (keeper.text() !== null) keeper.forget();
      return clear();
    }
    if (asking === id || !isVisible()) return;
    asking = id;
    const answer = await read(id).catch(asFailure);
    if (asking === id) asking = undefined;
    // Another may have taken its place, or it was put away.
    if (keeper.kept(now())?.id === id) take(id, answer);
  };

  /** Nothing is kept: what is not the last word is no more. */
  const clear = () => {
    if (state.standing && !isLastWord(state.standing)) putAway();
  };

  const take = (id: string, answer: Checkout | 'gone' | 'unanswered') => {
    if (answer === 'unanswered') {
      // What is known already is truer than nothing.
      if (state.standing?.checkoutId !== id)
        set({ standing: { kind: 'unknown', checkoutId: id, cents: 0, url: null } });
      return;
    }
    const isOpen = state.standing?.checkoutId === id && (state.paymentWindow?.isOpen() ?? false);
    const standing = answer === 'gone' ? undefined : standingOf(answer, isOpen);
    const isUnpaid = standing?.kind === 'unpaid';
    set({
      standing,
      dialog: isUnpaid ? (closedBeforeEyes ? 'closed' : state.dialog) : undefined,
      paymentWindow: standing?.kind === 'under-way' ? state.paymentWindow : undefined,
    });
    closedBeforeEyes = false;
    if (!standing || isLastWord(standing)) keeper.forget(id);
  };

  const onKept = () => {
    const kept = keeper.kept(now());
    if (!kept) return clear();
    if (kept.id === state.standing?.checkoutId) return;
    // Another tab has gone on to a checkout of its own.
    putAway();
    void look();
  };

  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      if (listeners.size === 0) stopWatching = keeper.subscribe(onKept);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopWatching();
      };
    },
    /**
     * To be called in the click. `onReady` is called once there is a payment page, and told whether its window shows
     * it: the cart can be emptied then.
     */
    checkOut,
    look,
    /**
     * The window seems closed. Where that was seen while nobody looked here, it may as well have cut itself off, and no
     * dialog breaks in.
     */
    windowClosed: () => {
      closedBeforeEyes = isVisible();
      set({ paymentWindow: undefined });
      return look();
    },
    /**
     * Shows the payment page again. To be called in the click.
     * @returns false when its window was blocked, so that the link itself has to lead there
     */
    goOn: (): boolean => {
      const { standing } = state;
      if (!standing || standing.url === null) return false;
      const paymentWindow = openWindow();
      const isOpen = paymentWindow.goTo(standing.url);
      closedBeforeEyes = false;
      set({
        standing: { ...standing, kind: 'under-way' },
        dialog: undefined,
        paymentWindow: isOpen ? paymentWindow : undefined,
      });
      return isOpen;
    },
    closeDialog: () => set({ dialog: undefined }),
    /** Puts away what is told of the checkout, for good. */
    forget: () => {
      const id = state.standing?.checkoutId;
      putAway();
      if (id !== undefined) keeper.forget(id);
    },
    /** A page that was left takes its problem with it. */
    clearProblem: () => set({ problem: undefined }),
  };
}

const OFFLINE = 'The payment page could not be reached. Your cart is kept. Please check your connection and try again.';

function sentence(error: unknown): string {
  if (error instanceof OfflineError) return OFFLINE;
  return error instanceof ApiProblem ? error.message : sentenceOf('server-error');
}

function asFailure(error: unknown): 'gone' | 'unanswered' {
  return error instanceof ApiProblem && error.status === 404 ? 'gone' : 'unanswered';
}
