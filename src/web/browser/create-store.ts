export type Store<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** @returns a function that unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
};

/**
 * Creates a value with listeners, for React's `useSyncExternalStore`.
 * @param start called when the first listener subscribes; returns a function called when the last one unsubscribes
 */
export function createStore<T>(initial: T, start?: () => () => void): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  let stop: (() => void) | undefined;
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      if (listeners.size === 0) stop = start?.();
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop?.();
      };
    },
  };
}
