import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { PartStatus } from './part-status.tsx';

type LazyState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly part: T }
  | { readonly kind: 'failed' };

type RetryableImport<T> = {
  readonly state: () => LazyState<T>;
  /** Loads the module if it is not loaded yet; after a failure, tries again. */
  readonly fetch: () => void;
  /** @returns a function that stops listening */
  readonly subscribe: (listener: () => void) => () => void;
};

/**
 * A module that loads on demand. React's `lazy` keeps a failed import forever and yields only a component; here, a visitor
 * can try again after a network failure, and a part can also be a function or data.
 */
export function retryableImport<T>(load: () => Promise<T>): RetryableImport<T> {
  let state: LazyState<T> = { kind: 'loading' };
  let loading = false;
  const listeners = new Set<() => void>();
  const settle = (newState: LazyState<T>) => {
    loading = false;
    state = newState;
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    fetch: () => {
      if (loading || state.kind === 'loaded') return;
      loading = true;
      load().then(
        (part) => settle({ kind: 'loaded', part }),
        () => settle({ kind: 'failed' }),
      );
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const LOADING = { kind: 'loading' } as const;

/** On the server a module is always loading. */
export function useLazyModule<T>(part: RetryableImport<T>): LazyState<T> {
  return useSyncExternalStore<LazyState<T>>(part.subscribe, part.state, () => LOADING);
}

type LazyPartProps<T> = {
  module: RetryableImport<T>;
  children: (part: T) => ReactNode;
};

/** Loads a module when it is first shown, with a message until then. */
export function LazyPart<T>({ module, children }: LazyPartProps<T>) {
  const state = useLazyModule(module);
  const { fetch } = module;
  useEffect(() => fetch(), [fetch]);
  if (state.kind === 'loaded') return children(state.part);
  return <PartStatus failed={state.kind === 'failed'} onRetry={fetch} />;
}
