import type { IdentityToken } from '#contract/schemas/session.ts';
import { OfflineError } from '#web/api/api-error.ts';
import type { ApiClient, Bearer } from '#web/api/client.ts';
import { NOBODY, type Session } from './session.ts';
import type { SessionKeeper } from './session-keeper.ts';

export type SessionEvent = 'changed' | 'initialized';

/**
 * Who is signed in, the same for the whole page (§4). Only this much is there from the start; what a visitor never
 * needs comes with the first sign of somebody else.
 */
export type SessionStore = Bearer & {
  /** The same object until something changes, as React needs it. */
  readonly now: () => Session;
  /** @returns how to stop listening */
  readonly subscribe: (listener: (event: SessionEvent) => void) => () => void;
  /**
   * Finds out who is there, and follows the other tabs. A visitor makes no call.
   * @param onOther called when it is somebody else's page, or that person may do something else than before
   */
  readonly start: (api: ApiClient, tab: SessionTab, onOther?: () => void) => void;
  /** The session once it is known who is there. @throws OfflineError, ApiProblem when that cannot be found out now */
  readonly ready: () => Promise<Session>;
  /** Takes the token that a call for signing in has answered. */
  readonly open: (issued: IdentityToken) => Promise<Session>;
  /** After a role was taken: the claims are made anew, and the token and the profile with them (§7). */
  readonly refreshClaims: () => Promise<void>;
  readonly signOut: () => Promise<void>;
};

/** What the keeper of the session works with. */
export type SessionParts = {
  readonly api: ApiClient;
  readonly tab: SessionTab;
  readonly now: () => Session;
  readonly put: (session: Session) => void;
  /** The token that calls carry from now on, also while it is not known yet whose it is. */
  readonly setToken: (token: string | undefined) => void;
  readonly onOther: () => void;
};

export function createSessionStore(): SessionStore {
  const listeners = new Set<(event: SessionEvent) => void>();
  let session = NOBODY;
  let token: string | undefined;
  let begun: Pick<SessionParts, 'api' | 'tab' | 'onOther'> | undefined;
  let keeper: Promise<SessionKeeper> | undefined;

  const now = () => session;
  const put = (next: Session) => {
    const isFirst = next.initialized && !session.initialized;
    session = next;
    for (const listener of listeners) listener('changed');
    if (isFirst) for (const listener of listeners) listener('initialized');
  };
  const setToken = (next: string | undefined) => {
    token = next;
  };
  const load = async (): Promise<SessionKeeper> => {
    if (!begun) throw new OfflineError();
    const { createSessionKeeper } = await import('./session-keeper.ts');
    return createSessionKeeper({ ...begun, now, put, setToken });
  };
  const keep = () => {
    keeper ??= load().catch((error: unknown) => {
      keeper = undefined;
      throw error;
    });
    return keeper;
  };
  const look = async (): Promise<Session> => {
    if (begun?.tab.isMarked()) return (await keep()).ask();
    if (session.authenticated) return (await keep()).empty();
    if (!session.initialized) put({ ...NOBODY, initialized: true });
    return session;
  };
  const heard = (news?: TabNews) => {
    const isOther = news ? news.anew || news.uid !== session.uid : begun?.tab.isMarked() !== session.authenticated;
    // What cannot be found out now is when it is needed, or when one comes back.
    if (isOther) look().catch(() => {});
  };
  return {
    now,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: (api, tab, onOther = () => {}) => {
      begun = { api, tab, onOther };
      tab.listen(heard);
      look().catch(() => {});
    },
    ready: async () => (session.initialized ? session : look()),
    token: () => token,
    retry: async (refused, make) => (await keep()).retry(refused, make),
    open: async (issued) => (await keep()).open(issued),
    refreshClaims: async () => (await keep()).refreshClaims(),
    signOut: async () => (await keep()).signOut(),
  };
}

/** What tabs of the site tell each other: who is signed in now, and whether something about that person has changed. */
export type TabNews = { readonly uid: string; readonly anew: boolean };

/** What the session needs of the browser. */
export type SessionTab = {
  /** Whether there may be a session to ask about. */
  readonly isMarked: () => boolean;
  /** Takes the mark away, where the server could not. */
  readonly unmark: () => void;
  /** Tells the other tabs. */
  readonly tell: (news: TabNews) => void;
  /** Calls back when another tab tells something, and without news when one comes back to this tab. */
  readonly listen: (onNews: (news?: TabNews) => void) => void;
};

/** The cookie beside the session's own that a page can read; it proves nothing. */
const MARK = 'signed_in';

/** @param asksAlways for calls answered by another host, whose cookies this page cannot read */
export function browserTab(asksAlways: boolean): SessionTab {
  const channel = new BroadcastChannel('session');
  return {
    isMarked: () => asksAlways || document.cookie.split('; ').includes(`${MARK}=1`),
    unmark: () => {
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store yet
      document.cookie = `${MARK}=; Max-Age=0; Path=/`;
    },
    tell: (news) => channel.postMessage(news),
    listen: (onNews) => {
      channel.onmessage = ({ data }) => onNews(data);
      // A tab that slept, or comes out of the back-forward cache, was told nothing.
      document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && onNews());
    },
  };
}
