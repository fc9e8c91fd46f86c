import type { IdentityToken } from '#contract/schemas/session.ts';
import { OfflineError } from '#web/api/api-error.ts';
import type { ApiClient, TokenSource } from '#web/api/client.ts';
import { createStore } from '#web/browser/create-store.ts';
import { type Session, SIGNED_OUT } from './session.ts';
import type { SessionKeeper } from './session-keeper.ts';

export type SessionEvent = 'changed' | 'initialized';

/** The current session (§4). The session keeper, loaded on demand, has the code that only logged-in users need. */
export type SessionStore = TokenSource & {
  /** The same object until something changes, as React requires. */
  readonly now: () => Session;
  /** @returns a function that unsubscribes */
  readonly subscribe: (listener: (event: SessionEvent) => void) => () => void;
  /**
   * Restores the session and syncs it with the other tabs. Makes no API calls for visitors.
   * @param page by default, a page without personal data or input
   */
  readonly start: (api: ApiClient, tab: SessionTab, page?: SessionPage) => void;
  /** Waits until the session is loaded. Tries again if the profile could not be loaded. @throws OfflineError, ApiProblem */
  readonly ready: () => Promise<Session>;
  /** Starts a session with the token from a login. */
  readonly open: (identityToken: IdentityToken) => Promise<Session>;
  /** Refreshes the claims, the token, and the profile after a role change (§7). */
  readonly refreshClaims: () => Promise<void>;
  readonly signOut: () => Promise<void>;
};

/** The open page, which depends on the session. */
export type SessionPage = {
  /** Called when another person logs in, or the person's permissions change. */
  readonly onAccessChange: () => void;
  /** True while the page or one of its dialogs has unsaved input. */
  readonly hasUnsavedInput: () => boolean;
};

export type SessionDeps = SessionPage & {
  readonly api: ApiClient;
  readonly tab: SessionTab;
  readonly now: () => Session;
  readonly set: (session: Session) => void;
  /** Sets the token for all later calls. The session may not be loaded yet. */
  readonly setToken: (token: string | undefined) => void;
};

const EMPTY_PAGE: SessionPage = { onAccessChange: () => {}, hasUnsavedInput: () => false };

export function createSessionStore(): SessionStore {
  const { get: now, set, subscribe } = createStore(SIGNED_OUT);
  let token: string | undefined;
  let deps: Omit<SessionDeps, 'now' | 'set' | 'setToken'> | undefined;
  let keeper: Promise<SessionKeeper> | undefined;

  const setToken = (newToken: string | undefined) => {
    token = newToken;
  };
  const createKeeper = async (): Promise<SessionKeeper> => {
    if (!deps) throw new OfflineError();
    const { createSessionKeeper } = await import('./session-keeper.ts');
    return createSessionKeeper({ ...deps, now, set, setToken });
  };
  const loadKeeper = () => {
    keeper ??= createKeeper().catch((error: unknown) => {
      keeper = undefined;
      throw error;
    });
    return keeper;
  };
  const restore = async (): Promise<Session> => {
    if (deps?.tab.mayHaveSession()) return (await loadKeeper()).restore();
    if (now().authenticated) return (await loadKeeper()).endUnlessUnsaved();
    if (!now().initialized) set({ ...SIGNED_OUT, initialized: true });
    return now();
  };
  const onMessage = (message?: TabMessage) => {
    const hasLoggedOut = message?.uid === '' && message.hasChanged;
    if (hasLoggedOut && now().authenticated) {
      // Doesn't ask the server, which may not have received the logout. Typed text stays until it is saved or discarded.
      loadKeeper().then(({ endUnlessUnsaved }) => endUnlessUnsaved(), console.info);
      return;
    }
    const isStale = message
      ? message.hasChanged || message.uid !== now().uid
      : deps?.tab.mayHaveSession() !== now().authenticated;
    // After a failure, the next `ready` or message tries again.
    if (isStale) restore().catch(() => {});
  };
  return {
    now,
    subscribe: (listener) => {
      let { initialized } = now();
      return subscribe(() => {
        listener('changed');
        if (now().initialized && !initialized) listener('initialized');
        initialized = now().initialized;
      });
    },
    start: (api, tab, page = EMPTY_PAGE) => {
      deps = { api, tab, ...page };
      tab.listen(onMessage);
      restore().catch(() => {});
    },
    ready: async () => (now().initialized && now().status !== 'new' ? now() : restore()),
    token: () => token,
    retry: async (failedCall, makeCall) => (await loadKeeper()).retry(failedCall, makeCall),
    open: async (identityToken) => (await loadKeeper()).open(identityToken),
    refreshClaims: async () => (await loadKeeper()).refreshClaims(),
    signOut: async () => (await loadKeeper()).signOut(),
  };
}

/**
 * Sent to the other tabs: the logged-in user, and whether anything about that user has changed. Without a user,
 * `hasChanged` is true if the person logged out and false if the session ended otherwise.
 */
export type TabMessage = { readonly uid: string; readonly hasChanged: boolean };

/** Browser features that the session depends on. */
export type SessionTab = {
  /** @returns whether there may be a session */
  readonly mayHaveSession: () => boolean;
  /** Removes the hint cookie if the server could not. */
  readonly clearHint: () => void;
  readonly broadcast: (message: TabMessage) => void;
  /** Calls `onMessage` for each message from another tab, and without a message when this tab becomes visible again. */
  readonly listen: (onMessage: (message?: TabMessage) => void) => void;
};

/** Readable hint that a session cookie may exist; not a credential. Over HTTP it has no prefix. */
const HINT_COOKIE = 'signed_in';
const HINT_COOKIES: readonly string[] = [`__Host-${HINT_COOKIE}=1`, `${HINT_COOKIE}=1`];

/** @param hasUnreadableCookies true if the API is on another host, whose cookies this page can't read */
export function createSessionTab(hasUnreadableCookies: boolean): SessionTab {
  const channel = new BroadcastChannel('session');
  return {
    mayHaveSession: () =>
      hasUnreadableCookies || document.cookie.split('; ').some((cookie) => HINT_COOKIES.includes(cookie)),
    clearHint: () => {
      for (const name of [`__Host-${HINT_COOKIE}=; Secure`, `${HINT_COOKIE}=`]) {
        // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store yet
        document.cookie = `${name}; Max-Age=0; Path=/`;
      }
    },
    broadcast: (message) => channel.postMessage(message),
    listen: (onMessage) => {
      channel.onmessage = ({ data }) => onMessage(data);
      // A tab that was suspended or restored from the back-forward cache may have missed messages.
      document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && onMessage());
    },
  };
}
