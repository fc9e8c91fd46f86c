type Values<Key, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => unknown;
};

/**
 * Creates a value once per key, such as an organization's id, and reuses it.
 * @param values a WeakMap if the keys are objects
 */
export function memoizeByKey<Key, Value extends object>(
  create: (key: Key) => Value,
  values: Values<Key, Value> = new Map<Key, Value>(),
): (key: Key) => Value {
  return (key) => {
    const value = values.get(key) ?? create(key);
    values.set(key, value);
    return value;
  };
}
