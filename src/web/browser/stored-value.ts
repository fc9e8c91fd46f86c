import { useSyncExternalStore } from 'react';
import type { StoredText } from './stored-text.ts';

/** Stores a value as JSON. @param parse reads the stored text, which is untrusted; null if nothing is stored */
export function createStoredValue<Value>(storage: StoredText, parse: (text: string | null) => Value) {
  let cached: { readonly text: string | null; readonly value: Value } | undefined;
  return {
    /** Returns the same value until its text changes, as React requires. */
    read: (): Value => {
      const text = storage.read();
      if (!cached || cached.text !== text) cached = { text, value: parse(text) };
      return cached.value;
    },
    /** Undefined removes the value. */
    write: (value: Value | undefined) => storage.write(value === undefined ? null : JSON.stringify(value)),
    subscribe: storage.subscribe,
  };
}

type ReadableStore<Value> = Pick<StoredText, 'subscribe'> & { readonly read: () => Value };

/** @param emptyValue the value on the server and until hydration; always the same object */
export function useStoredValue<Value>({ subscribe, read }: ReadableStore<Value>, emptyValue: Value): Value {
  return useSyncExternalStore(subscribe, read, () => emptyValue);
}
