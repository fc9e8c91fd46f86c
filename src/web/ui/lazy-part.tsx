import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { Button } from './button.tsx';
import styles from './lazy-part.module.css';

type LazyState<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'here'; readonly part: T }
  | { readonly kind: 'failed' };

type LazyModule<T> = {
  readonly state: () => LazyState<T>;
  /** Loads the module if it is not loaded yet; after a failure, tries again. */
  readonly fetch: () => void;
  /** @returns a function that stops listening */
  readonly subscribe: (listener: () => void) => () => void;
};

/** A module that is loaded when it is needed. Unlike React's `lazy`, a failure is a state that can be shown and retried. */
export function lazyModule<T>(load: () => Promise<T>): LazyModule<T> {
  let state: LazyState<T> = { kind: 'waiting' };
  let loading = false;
  const listeners = new Set<() => void>();
  const settle = (settled: LazyState<T>) => {
    loading = false;
    state = settled;
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    fetch: () => {
      if (loading || state.kind === 'here') return;
      loading = true;
      load().then(
        (part) => settle({ kind: 'here', part }),
        () => settle({ kind: 'failed' }),
      );
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const WAITING = { kind: 'waiting' } as const;

/** On the server a module is always still loading. */
export function useLazyModule<T>(part: LazyModule<T>): LazyState<T> {
  return useSyncExternalStore<LazyState<T>>(part.subscribe, part.state, () => WAITING);
}

type LazyPartProps<T> = {
  of: LazyModule<T>;
  children: (part: T) => ReactNode;
};

/** Loads a module when it is first shown, with a message until then. */
export function LazyPart<T>({ of, children }: LazyPartProps<T>) {
  const state = useLazyModule(of);
  const { fetch } = of;
  useEffect(() => fetch(), [fetch]);
  if (state.kind === 'here') return children(state.part);
  return (
    <div className={styles.waiting}>
      {state.kind === 'waiting' ? (
        <p>{m.loading()}</p>
      ) : (
        <>
          <p role="alert">{m.partNotLoaded()}</p>
          <Button kind="outline" onClick={fetch}>
            {m.tryAgain()}
          </Button>
        </>
      )}
    </div>
  );
}
