import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ApiClient } from '#web/api/client.ts';
import { type Session, SIGNED_OUT } from './session.ts';
import type { SessionStore } from './session-store.ts';

export type AppContext = { readonly api: ApiClient; readonly session: SessionStore };

const Context = createContext<AppContext | undefined>(undefined);

export const AppContextProvider = Context.Provider;

function useAppContext(): AppContext {
  const context = useContext(Context);
  if (!context) throw new Error('This component is outside the app.');
  return context;
}

export function useApi(): ApiClient {
  return useAppContext().api;
}

export function useSessionStore(): SessionStore {
  return useAppContext().session;
}

/** The current session; a visitor's on the server and during hydration. */
export function useSession(): Session {
  const { subscribe, now } = useSessionStore();
  return useSyncExternalStore(subscribe, now, () => SIGNED_OUT);
}
