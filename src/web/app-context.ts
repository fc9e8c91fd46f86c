import { createContext, useContext } from 'react';
import type { ApiClient } from './api/client.ts';

/** What every page's loader is given. */
export type AppContext = { readonly api: ApiClient };

const Context = createContext<AppContext | undefined>(undefined);

export const AppContextProvider = Context.Provider;

/** The calls, for what a page asks after its data is there: a form, a search, a "Load more". */
export function useApi(): ApiClient {
  const context = useContext(Context);
  if (!context) throw new Error('There is no app around this part of the page.');
  return context.api;
}
