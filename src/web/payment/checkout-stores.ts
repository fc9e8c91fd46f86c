import { createContext, useContext } from 'react';
import type { CheckoutStore } from './checkout-store.ts';

/** The app's checkouts by the organization's id. */
export type CheckoutStores = Map<string, CheckoutStore>;

const Context = createContext<CheckoutStores | undefined>(undefined);

export const CheckoutStoresProvider = Context.Provider;

export function useCheckoutStores(): CheckoutStores {
  const stores = useContext(Context);
  if (!stores) throw new Error('This component is outside the app.');
  return stores;
}
