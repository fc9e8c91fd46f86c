import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { createStore } from '#web/browser/create-store.ts';
import { SectionStatus } from './section-status.tsx';

type LazyState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly value: T }
  | { readonly kind: 'failed' };

export type RetryableImport<T> = {
  readonly getState: () => LazyState<T>;
  /** Loads the module if it is not loaded yet; after a failure, tries again. */
  readonly load: () => void;
  /** @returns a function that stops listening */
  readonly subscribe: (listener: () => void) => () => void;
};

/**
 * A module that loads on demand. React's `lazy` never retries a failed import and supports only components. Here, a visitor
 * can try again after a network failure, and the loaded value can also contain functions or data.
 */
export function retryableImport<T>(importModule: () => Promise<T>): RetryableImport<T> {
  const { get: getState, set, subscribe } = createStore<LazyState<T>>(LOADING);
  let isLoading = false;
  const settle = (newState: LazyState<T>) => {
    isLoading = false;
    set(newState);
  };
  return {
    getState,
    load: () => {
      if (isLoading || getState().kind === 'loaded') return;
      isLoading = true;
      set(LOADING);
      importModule().then(
        (value) => settle({ kind: 'loaded', value }),
        () => settle({ kind: 'failed' }),
      );
    },
    subscribe,
  };
}

const LOADING = { kind: 'loading' } as const;

/**
 * Loads a module once it is needed. After a failure, the next component that needs it tries again. During server
 * rendering, the state is always `loading`.
 */
export function useLazyModule<T>({ subscribe, getState, load }: RetryableImport<T>, isNeeded = true): LazyState<T> {
  useEffect(() => {
    if (isNeeded) load();
  }, [load, isNeeded]);
  return useSyncExternalStore<LazyState<T>>(subscribe, getState, () => LOADING);
}

type LazyPartProps<T> = {
  module: RetryableImport<T>;
  children: (value: T) => ReactNode;
};

/** Loads a module when it is first rendered, and shows a message until then. */
export function LazyPart<T>({ module, children }: LazyPartProps<T>) {
  const state = useLazyModule(module);
  if (state.kind === 'loaded') return children(state.value);
  return <SectionStatus hasFailed={state.kind === 'failed'} onRetry={module.load} />;
}
