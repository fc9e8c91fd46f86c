import { createContext, useContext, useState, useSyncExternalStore } from 'react';
import type { GoOptions, Navigator } from './navigator.ts';

type AnyNavigator = Navigator<object>;

const NavigatorContext = createContext<AnyNavigator | undefined>(undefined);

export const NavigatorProvider = NavigatorContext.Provider;

export function useNavigator(): AnyNavigator {
  const navigator = useContext(NavigatorContext);
  if (!navigator) throw new Error('This component needs a NavigatorProvider.');
  return navigator;
}

export function useNavigate(): (to: string, options?: GoOptions) => Promise<void> {
  return useNavigator().go;
}

/** The current address, from the root of the site. */
export function useAddress(): string {
  const { subscribe, state, initial } = useNavigator();
  return useSyncExternalStore(
    subscribe,
    () => state().entry.address,
    () => initial().entry.address,
  );
}

/** State that is restored when the visitor returns to this page with the back button. */
export function useVisitState<T>(name: string, initial: T): [T, (value: T) => void] {
  const navigator = useNavigator();
  const [visitState] = useState(() => navigator.visitState());
  // Only this hook writes values under this name, so the cast is safe.
  const [value, setValue] = useState<T>(() => (visitState.has(name) ? (visitState.get(name) as T) : initial));
  return [
    value,
    (next) => {
      visitState.set(name, next);
      setValue(next);
    },
  ];
}
