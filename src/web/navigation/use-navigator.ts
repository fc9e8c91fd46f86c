import { createContext, useContext, useState, useSyncExternalStore } from 'react';
import type { GoOptions, Navigator } from './navigator.ts';

type AnyNavigator = Navigator<object>;

const NavigatorContext = createContext<AnyNavigator | undefined>(undefined);

export const NavigatorProvider = NavigatorContext.Provider;

export function useNavigator(): AnyNavigator {
  const navigator = useContext(NavigatorContext);
  if (!navigator) throw new Error('There is no navigator around this part of the page.');
  return navigator;
}

export function useNavigate(): (to: string, options?: GoOptions) => Promise<void> {
  return useNavigator().go;
}

/** The address that is shown, from the root of the site. */
export function useAddress(): string {
  const { subscribe, state, initial } = useNavigator();
  return useSyncExternalStore(
    subscribe,
    () => state().entry.address,
    () => initial().entry.address,
  );
}

/** A state that is there again when the visitor comes back to this page by the back button. */
export function useKeptState<T>(name: string, initial: T): [T, (value: T) => void] {
  const navigator = useNavigator();
  const [kept] = useState(() => navigator.kept());
  // Only this hook writes values under this name, so the cast is safe.
  const [value, setValue] = useState<T>(() => (kept.has(name) ? (kept.get(name) as T) : initial));
  return [
    value,
    (next) => {
      kept.set(name, next);
      setValue(next);
    },
  ];
}
