import { type Dispatch, type SetStateAction, useState } from 'react';

/**
 * State that resets to `source` when `key` changes, such as a search after the back button. A React key would reset the
 * focus too.
 */
export function useStateFrom<State>(
  source: State,
  key: unknown = source,
): readonly [State, Dispatch<SetStateAction<State>>] {
  const [state, setState] = useState(source);
  const [lastKey, setLastKey] = useState(key);
  if (lastKey === key) return [state, setState];
  setLastKey(key);
  setState(source);
  return [source, setState];
}
