import { type Dispatch, type SetStateAction, useState } from 'react';

/**
 * State that resets to `source` when `key` changes, for example when the back button changes a search. A React key
 * would also reset focus.
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
