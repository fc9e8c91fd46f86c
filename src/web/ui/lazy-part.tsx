import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import styles from './late-part.module.css';

/** Where a part of the program stands that is fetched when it is first needed. */
type LateState<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'here'; readonly part: T }
  | { readonly kind: 'failed' };

type Late<T> = {
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

type LatePartProps<T> = {
  of: Late<T>;
  /** What is shown once the part is here. */
  children: (part: T) => ReactNode;
};

/** The place of a part that is fetched when it is first shown, and what stands there until then. */
export function LatePart<T>({ of, children }: LatePartProps<T>) {
  const state = useLate(of);
  const { fetch } = of;
  useEffect(() => fetch(), [fetch]);
  if (state.kind === 'here') return children(state.part);
  return (
    <div className={styles.waiting}>
      {state.kind === 'waiting' ? (
        <p>Loading…</p>
      ) : (
        <>
          <p role="alert">This could not be loaded. Please check your connection.</p>
          <Button kind="outline" onClick={fetch}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}
