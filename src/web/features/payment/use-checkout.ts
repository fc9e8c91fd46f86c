import { useCallback, useRef, useState } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { sentenceOf } from '#domain/failures.ts';
import { ApiProblem, OfflineError } from '../../api/api-error.ts';
import type { ApiClient } from '../../api/client.ts';
import { openPaymentWindow } from './payment-window.ts';

/** Where the way to the payment page stands. */
export type CheckoutState = {
  /** Set while the server is asked; the button is disabled then (§4). */
  readonly checkingOut: boolean;
  /** Why the last attempt came to nothing. */
  readonly problem: string | undefined;
  /** The payment page of the last checkout. */
  readonly paymentUrl: string | undefined;
  /** Whether its window was blocked or closed, so that its address has to be offered (§4). */
  readonly blocked: boolean;
};

export type Checkout = CheckoutState & {
  /**
   * To be called in the click. `onReady` is called once there is a payment page, and told whether its window shows it:
   * the cart can be emptied then.
   */
  readonly checkOut: (items: readonly CartItem[], onReady?: (isOpen: boolean) => void) => Promise<void>;
  /** The dialog with the address was closed. */
  readonly dismiss: () => void;
};

const START: CheckoutState = { checkingOut: false, problem: undefined, paymentUrl: undefined, blocked: false };

/** Takes a cart to the payment provider's hosted page, in a window of its own (§4). */
export function useCheckout(api: ApiClient, orgid: string): Checkout {
  const [state, setState] = useState(START);
  // Two clicks can come before the first is drawn as a disabled button.
  const busy = useRef(false);
  const checkOut = useCallback(
    async (items: readonly CartItem[], onReady?: (isOpen: boolean) => void) => {
      if (busy.current) return;
      busy.current = true;
      const paymentWindow = openPaymentWindow();
      setState({ ...START, checkingOut: true });
      try {
        const { url } = await api.call('createCheckout', { params: { orgid }, body: { cart: [...items] } });
        const isOpen = paymentWindow.goTo(url);
        // Before the dialog opens, which gives the focus back to where it was.
        onReady?.(isOpen);
        setState({ ...START, paymentUrl: url, blocked: !isOpen });
      } catch (error) {
        paymentWindow.close();
        setState({ ...START, problem: sentence(error) });
      } finally {
        busy.current = false;
      }
    },
    [api, orgid],
  );
  const dismiss = useCallback(() => setState((before) => ({ ...before, blocked: false })), []);
  return { ...state, checkOut, dismiss };
}

const OFFLINE = 'The payment page could not be reached. Your cart is kept. Please check your connection and try again.';

function sentence(error: unknown): string {
  if (error instanceof OfflineError) return OFFLINE;
  return error instanceof ApiProblem ? error.title : sentenceOf('server-error');
}
