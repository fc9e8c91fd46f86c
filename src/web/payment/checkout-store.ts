import type { Checkout } from '#contract/schemas/checkouts.ts';
import { type CartItem, cartTotal } from '#domain/cart.ts';
import type { Cents } from '#domain/money.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { createStore } from '#web/browser/create-store.ts';
import type { FormError } from '#web/forms/form-errors.ts';
import type { LastCheckoutStorage } from './last-checkout.ts';
import { isFinal, type PaymentState, toPaymentState } from './payment-state.ts';
import type { PaymentWindow } from './payment-window.ts';

export type CheckoutState = {
  /** True while the payment page is being requested; disables the button (§4). */
  readonly isCheckingOut: boolean;
  /** Reason the last attempt failed. */
  readonly error: FormError | undefined;
  readonly payment: PaymentState | undefined;
  /**
   * Reason the Checkout dialog is open (§4): the payment window was blocked, or seems to have been closed before
   * payment.
   */
  readonly dialog: 'blocked' | 'closed' | undefined;
  /** The payment window, until it seems to be closed. */
  readonly paymentWindow: PaymentWindow | undefined;
  /** Set while visitors have to prove that they are human, because too many cards are being declined. */
  readonly challenge: Challenge | undefined;
};

export type Challenge = {
  /** Origin of Turnstile's script. */
  readonly origin: string;
  readonly siteKey: string;
  /** Checks out again. Must be called in the click handler. */
  readonly resume: (challengeToken: string) => void;
};

export const NO_CHECKOUT: CheckoutState = {
  isCheckingOut: false,
  error: undefined,
  payment: undefined,
  dialog: undefined,
  paymentWindow: undefined,
  challenge: undefined,
};

/** Data sent in addition to the items. */
export type CheckoutExtras = {
  /** The card fee that the donor adds to this payment, as displayed. */
  readonly coveredFee: Cents;
  /** The visitor's Turnstile token. */
  readonly challengeToken?: string;
};

const NO_EXTRAS: CheckoutExtras = { coveredFee: 0 };

export type CheckoutStoreDeps = {
  readonly storage: LastCheckoutStorage;
  /** @throws ApiProblem, OfflineError */
  readonly create: (
    items: readonly CartItem[],
    extras: CheckoutExtras,
  ) => Promise<{ readonly id: string; readonly url: string }>;
  /** @throws ApiProblem, OfflineError */
  readonly read: (checkoutId: string) => Promise<Checkout>;
  readonly openWindow: () => PaymentWindow;
  readonly isVisible: () => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

export type CheckoutStore = ReturnType<typeof createCheckoutStore>;

/**
 * The current checkout of one organization, shared by the whole page. Its payment state is always the server's last
 * response. Other tabs are updated through the browser's storage.
 */
export function createCheckoutStore({ storage, create, read, openWindow, isVisible, now }: CheckoutStoreDeps) {
  const store = createStore(NO_CHECKOUT, () => storage.subscribe(onStorageChange));
  const { get: state, subscribe } = store;
  let loadingId: string | undefined;
  let wasClosedWhileVisible = false;

  const set = (change: Partial<CheckoutState>) => store.set({ ...state(), ...change });
  const reset = () => set({ payment: undefined, dialog: undefined, paymentWindow: undefined });

  const checkOut = async (
    items: readonly CartItem[],
    onReady?: (isOpen: boolean) => void,
    extras = NO_EXTRAS,
  ): Promise<void> => {
    // A second click can arrive before React has rendered the busy button.
    if (state().isCheckingOut) return;
    const paymentWindow = openWindow();
    set({ isCheckingOut: true, challenge: undefined, error: undefined });
    try {
      const { id, url } = await create(items, extras);
      const isOpen = paymentWindow.goTo(url);
      // Call this before the dialog opens, because closing the dialog restores focus.
      onReady?.(isOpen);
      wasClosedWhileVisible = false;
      set({
        isCheckingOut: false,
        payment: {
          kind: isOpen ? 'paying' : 'unpaid',
          checkoutId: id,
          cents: cartTotal(items) + extras.coveredFee,
          url,
        },
        dialog: isOpen ? undefined : 'blocked',
        paymentWindow: isOpen ? paymentWindow : undefined,
      });
      storage.save({ id, time: now() });
    } catch (failure) {
      paymentWindow.close();
      const challenge = getChallenge(failure);
      const resume = (challengeToken: string) => void checkOut(items, onReady, { ...extras, challengeToken });
      set(
        challenge
          ? { isCheckingOut: false, challenge: { ...challenge, resume } }
          : {
              isCheckingOut: false,
              error: { field: getInvalidField(failure), message: failureMessage(failure, m.paymentNotOpened()) },
            },
      );
    }
  };

  /** Reads the last checkout from the server, if there is one and the page is visible. */
  const refresh = async (): Promise<void> => {
    const id = storage.read(now())?.id;
    if (id === undefined) {
      // The stored entry is unreadable or expired.
      if (storage.readText() !== null) storage.forget();
      return clear();
    }
    if (loadingId === id || !isVisible()) return;
    loadingId = id;
    const outcome = await read(id).catch(classifyFailure);
    if (loadingId === id) loadingId = undefined;
    // The checkout may have been replaced or dismissed while it loaded.
    if (storage.read(now())?.id === id) applyOutcome(id, outcome);
  };

  /** Clears the state if no checkout is stored. Only a final state stays on screen. */
  const clear = () => {
    const { payment } = state();
    if (payment && !isFinal(payment)) reset();
  };

  const applyOutcome = (id: string, outcome: Checkout | 'not-found' | 'no-response') => {
    if (outcome === 'no-response') {
      // An outdated state is better than an unknown one.
      if (state().payment?.checkoutId !== id)
        set({ payment: { kind: 'unknown', checkoutId: id, cents: 0, url: null } });
      return;
    }
    const isWindowOpen = state().payment?.checkoutId === id && (state().paymentWindow?.isOpen() ?? false);
    const payment = outcome === 'not-found' ? undefined : toPaymentState(outcome, isWindowOpen);
    const isUnpaid = payment?.kind === 'unpaid';
    set({
      payment,
      dialog: isUnpaid ? (wasClosedWhileVisible ? 'closed' : state().dialog) : undefined,
      paymentWindow: payment?.kind === 'paying' ? state().paymentWindow : undefined,
    });
    wasClosedWhileVisible = false;
    if (!payment || isFinal(payment)) storage.forget(id);
  };

  const onStorageChange = () => {
    const lastCheckout = storage.read(now());
    if (!lastCheckout) return clear();
    if (lastCheckout.id === state().payment?.checkoutId) return;
    // Another tab started a new checkout.
    reset();
    void refresh();
  };

  return {
    state,
    subscribe,
    /**
     * Opens a checkout. Must be called in the click handler so that the window isn't blocked. Once the payment page is
     * ready, calls `onReady` with whether its window opened; the cart can be emptied at that point.
     */
    checkOut,
    refresh,
    /**
     * Handles a payment window that seems to be closed. The dialog opens only if the visitor was looking at this page.
     * Otherwise, the payment page may just have cut the connection between the windows.
     */
    handleWindowClosed: () => {
      wasClosedWhileVisible = isVisible();
      set({ paymentWindow: undefined });
      return refresh();
    },
    /**
     * Opens the payment page again. Must be called in the click handler.
     * @returns false if the window was blocked, so that the browser should follow the link instead
     */
    reopen: (): boolean => {
      const { payment } = state();
      if (!payment || payment.url === null) return false;
      const paymentWindow = openWindow();
      const isOpen = paymentWindow.goTo(payment.url);
      wasClosedWhileVisible = false;
      set({
        payment: { ...payment, kind: 'paying' },
        dialog: undefined,
        paymentWindow: isOpen ? paymentWindow : undefined,
      });
      return isOpen;
    },
    closeDialog: () => set({ dialog: undefined }),
    closeChallenge: () => set({ challenge: undefined }),
    /** Dismisses the notice for good. */
    forget: () => {
      const id = state().payment?.checkoutId;
      reset();
      if (id !== undefined) storage.forget(id);
    },
    /** Clears the error. Must be called when the visitor leaves the page or edits the invalid field. */
    clearError: () => set({ error: undefined }),
  };
}

function getChallenge(error: unknown): Omit<Challenge, 'resume'> | undefined {
  const details = error instanceof ApiProblem ? error.getDetails('challenge-needed') : undefined;
  return details && { origin: String(details.origin), siteKey: String(details.siteKey) };
}

function getInvalidField(error: unknown): string | undefined {
  return error instanceof ApiProblem ? error.field : undefined;
}

function classifyFailure(error: unknown): 'not-found' | 'no-response' {
  return error instanceof ApiProblem && error.status === 404 ? 'not-found' : 'no-response';
}
