import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { createStore } from '#web/browser/create-store.ts';
import { SectionStatus } from './part-status.tsx';

type LazyState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly value: T }
  | { readonly kind: 'failed' };

export type RetryableImport<T> = {
  readonly state: () => LazyState<T>;
  /** Loads the module if it is not loaded yet; after a failure, tries again. */
  readonly fetch: () => void;
  /** @returns a function that stops listening */
  readonly subscribe: (listener: () => void) => () => void;
};

/**
 * A module that loads on demand. React's `lazy` never retries a failed import and supports only components. Here, a visitor
 * can try again after a network failure, and the loaded value can also contain functions or data.
 */
export function retryableImport<T>(load: () => Promise<T>): RetryableImport<T> {
  const { get: state, set, subscribe } = createStore<LazyState<T>>(LOADING);
  let isLoading = false;
  const settle = (newState: LazyState<T>) => {
    isLoading = false;
    set(newState);
  };
  return {
    state,
    fetch: () => {
      if (isLoading || state().kind === 'loaded') return;
      isLoading = true;
      load().then(
        (value) => settle({ kind: 'loaded', value }),
        () => settle({ kind: 'failed' }),
      );
    },
    subscribe,
  };
}

const LOADING = { kind: 'loading' } as const;

/**
 * Loads a module once it is needed; tries again when another component needs it. On the server, it is always loading.
 */
export function useLazyModule<T>({ subscribe, state, fetch }: RetryableImport<T>, isNeeded = true): LazyState<T> {
  useEffect(() => {
    if (isNeeded) fetch();
  }, [fetch, isNeeded]);
  return useSyncExternalStore<LazyState<T>>(subscribe, state, () => LOADING);
}

type LazyPartProps<T> = {
  module: RetryableImport<T>;
  children: (value: T) => ReactNode;
};

/** Loads a module when it is first shown, with a message until then. */
export function LazyPart<T>({ module, children }: LazyPartProps<T>) {
  const state = useLazyModule(module);
  if (state.kind === 'loaded') return children(state.value);
  return <SectionStatus hasFailed={state.kind === 'failed'} onRetry={module.fetch} />;
}
