import { useState } from 'react';

/**
 * What a person enters into a search, until `key` changes: then it starts again with `shown`, such as after the back button.
 * A React key would reset the focus too.
 */
export function useInput<Input>(shown: Input, key: unknown = shown): [Input, (input: Input) => void] {
  const [input, setInput] = useState(shown);
  const [lastKey, setLastKey] = useState(key);
  if (lastKey !== key) {
    setLastKey(key);
    setInput(shown);
  }
  return [input, setInput];
}
