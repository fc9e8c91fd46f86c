import type { IdentityToken } from '#contract/schemas/session.ts';
import { OfflineError } from '#web/api/api-error.ts';
import type { ApiClient, Bearer } from '#web/api/client.ts';
import { NOBODY, type Session } from './session.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { SessionTab, TabNews } from './session-tab.ts';

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
  readonly lend: (token: string | undefined) => void;
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
  const lend = (lent: string | undefined) => {
    token = lent;
  };
  const load = async (): Promise<SessionKeeper> => {
    if (!begun) throw new OfflineError();
    const { createSessionKeeper } = await import('./session-keeper.ts');
    return createSessionKeeper({ ...begun, now, put, lend });
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
