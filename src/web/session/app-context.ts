import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ApiClient } from '#web/api/client.ts';
import { NOBODY, type Session } from './session.ts';
import type { SessionStore } from './session-store.ts';

/** What every page's loader is given. */
export type AppContext = { readonly api: ApiClient; readonly session: SessionStore };

const Context = createContext<AppContext | undefined>(undefined);

export const AppContextProvider = Context.Provider;

function useAppContext(): AppContext {
  const context = useContext(Context);
  if (!context) throw new Error('There is no app around this part of the page.');
  return context;
}

/** The calls, for what a page asks after its data is there: a form, a search, a "Load more". */
export function useApi(): ApiClient {
  return useAppContext().api;
}

/** What can be done with the session: sign in, sign out, take a role. */
export function useSessionStore(): SessionStore {
  return useAppContext().session;
}

/** Who is signed in. The server renders for nobody, and so does the first moment in the browser. */
export function useSession(): Session {
  const { subscribe, now } = useSessionStore();
  return useSyncExternalStore(subscribe, now, () => NOBODY);
}
