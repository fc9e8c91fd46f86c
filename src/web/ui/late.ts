import { useSyncExternalStore } from 'react';

/** Where a part of the program stands that is fetched when it is first needed. */
export type LateState<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'here'; readonly part: T }
  | { readonly kind: 'failed' };

export type Late<T> = {
  readonly state: () => LateState<T>;
  /** Fetches the part, unless it is here already. After a failure this tries again. */
  readonly fetch: () => void;
  /** @returns how to stop listening */
  readonly subscribe: (listener: () => void) => () => void;
};

/**
 * A part of the program that is fetched when somebody comes near it. Unlike with React's `lazy`, a failure is a state
 * that the place can tell, and not the end of the page.
 */
export function late<T>(load: () => Promise<T>): Late<T> {
  let state: LateState<T> = { kind: 'waiting' };
  let underWay = false;
  const listeners = new Set<() => void>();
  const settle = (settled: LateState<T>) => {
    underWay = false;
    state = settled;
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    fetch: () => {
      if (underWay || state.kind === 'here') return;
      underWay = true;
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

/** The state of a late part, which on the server is always still to come. */
export function useLate<T>(part: Late<T>): LateState<T> {
  return useSyncExternalStore<LateState<T>>(part.subscribe, part.state, () => WAITING);
}
