import type { IdentityToken } from '#contract/schemas/session.ts';
import { sentenceOf } from '#domain/failures.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient, Bearer, MakeCall, Refused } from '#web/api/client.ts';
import { NOBODY, type Session } from './session.ts';
import type { SessionParts } from './session-store.ts';

/** How often the token and the claims are made anew: 50 minutes, of the hour that a token lives (§9). */
export const REFRESH_MILLISECONDS = 3_000_000;

export type SessionKeeper = {
  /** Asks the server whose session the browser remembers. */
  readonly ask: () => Promise<Session>;
  /** Takes the token that signing in has answered. */
  readonly open: (issued: IdentityToken) => Promise<Session>;
  readonly retry: Bearer['retry'];
  readonly refreshClaims: () => Promise<void>;
  readonly signOut: () => Promise<void>;
  /** The session without a user. */
  readonly empty: () => Session;
};

/** What becomes of a session of the page: it is opened, renewed, changed and ended here. */
export function createSessionKeeper({ api, tab, now, put, setToken, onOther }: SessionParts): SessionKeeper {
  let timer: ReturnType<typeof setInterval> | undefined;
  /** Counts what the session became: what was asked for before does not take the place of what came after. */
  let turn = 0;
  let bearer = { uid: '', token: '' };

  const hold = (token: string) => {
    bearer = { uid: claimsOf(token).uid, token };
    setToken(token || undefined);
  };
  const become = (session: Session, anew: boolean): Session => {
    const before = now();
    put(session);
    if (anew || before.uid !== session.uid) tab.tell({ uid: session.uid, anew });
    // Before it was known who is there, nothing of anybody's was shown.
    if (before.initialized && powers(before) !== powers(session)) onOther();
    return session;
  };
  const empty = () => {
    turn += 1;
    clearInterval(timer);
    hold('');
    return become({ ...NOBODY, initialized: true }, false);
  };
  const take = async (token: string, anew: boolean): Promise<Session> => {
    turn += 1;
    const mine = turn;
    hold(token);
    clearInterval(timer);
    timer = setInterval(() => void renewAll(), REFRESH_MILLISECONDS);
    const person = await sessionOf(api, token);
    return mine === turn ? become({ ...person, idToken: bearer.token }, anew) : now();
  };
  const ask = once(async () => {
    const mine = turn;
    const issued = await api.call('readToken', {});
    if (mine !== turn) return now();
    return issued ? take(issued.token, false) : empty();
  });
  const refetch = once(async () => {
    const mine = turn;
    const issued = await api.call('readToken', {});
    if (mine !== turn) return;
    if (!issued) {
      empty();
    } else if (claimsOf(issued.token).uid === bearer.uid) {
      hold(issued.token);
      if (now().uid === bearer.uid) put({ ...now(), idToken: issued.token });
    } else {
      // Somebody else signed in meanwhile. Not waited for: the profile may be what waits for this very token.
      void take(issued.token, false);
    }
  });
  const renew = async (stale: string) => {
    // Unless another call has renewed it while this one was under way.
    if (stale === bearer.token) await refetch();
    return claimsOf(stale).uid === bearer.uid ? bearer.token : undefined;
  };
  const renewAll = async () => {
    const mine = turn;
    // Claims are refreshed only by a token of the last 5 minutes (§9), and the current one is 50 minutes old.
    await refetch().catch(() => {});
    if (mine === turn) await refresh(false);
  };
  const refresh = async (anew: boolean) => {
    await api.call('refreshClaims', {}).catch(() => console.error(sentenceOf('claims-failed')));
    const mine = turn;
    const issued = await api.call('readToken', {}).catch(() => undefined);
    if (mine !== turn) return;
    // Where nobody answers, the session stays as it is until a call is refused.
    if (issued) await take(issued.token, anew);
    else if (issued === null) empty();
  };
  return {
    ask,
    retry: (refused, make) => retryCall({ renew, lapse: empty }, refused, make),
    refreshClaims: () => refresh(true),
    empty,
    open: ({ token }) => take(token, true),
    signOut: async () => {
      // A sign-out that did not arrive ends the session of this page all the same (§8).
      await api.call('signOut', {}).catch(() => tab.unmark());
      empty();
    },
  };
}

/** Who somebody is, and what that person may do. */
function powers({ uid, admin, emailVerified, editorOf }: Session): string {
  return [uid, admin, emailVerified, ...editorOf].join();
}

/** The session of a token's bearer, with the profile and what that person may do (§4). */
async function sessionOf(api: ApiClient, token: string): Promise<Session> {
  const claims = claimsOf(token);
  const known = { ...NOBODY, ...claims, initialized: true, authenticated: true, isAnonymous: false };
  try {
    return { ...known, ...(await loadPerson(api, claims)), status: 'user' };
  } catch {
    console.error(sentenceOf('authorization-failed'));
    return { ...known, status: 'new' };
  }
}

async function loadPerson(api: ApiClient, { uid, email }: TokenClaims) {
  const [authorization, user] = await Promise.all([
    api.call('authorize', {}),
    api.call('readUser', { params: { userid: uid } }),
  ]);
  return {
    email: user.email || email,
    displayName: user.displayName,
    photoURL: user.photoURL ?? '',
    admin: authorization.admin,
    emailVerified: authorization.emailVerified,
    isAnonymous: user.isAnonymous,
    providerData: user.providerData,
    hasNotifications: !authorization.emailVerified,
    editorOf: authorization.editorOf,
  };
}

/** Makes one of what is asked for several times at once. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined;
  return () => {
    making ??= make().finally(() => {
      making = undefined;
    });
    return making;
  };
}

/** What a call that was refused needs of the session. */
export type Renewal = {
  /** A fresher token of the same person; nothing when the session has ended, or is another person's by now. */
  readonly renew: (stale: string) => Promise<string | undefined>;
  /** The session has ended, although the server did not say so before. */
  readonly lapse: () => void;
};

/**
 * Where the token was too old, for the call or at all, it is renewed and the call made once more (§9); the clock of this
 * device has no say in it. Where the session has ended, what anybody may read is read as a visitor does.
 */
export async function retryCall<T>({ renew, lapse }: Renewal, refused: Refused, make: MakeCall<T>): Promise<T> {
  const { error, token, isRead } = refused;
  if (!isAboutToken(error)) throw error;
  const renewed = await renew(token);
  if (renewed === undefined) return isRead ? make(undefined).catch(() => Promise.reject(error)) : Promise.reject(error);
  return make(renewed).catch((again: unknown) => {
    if (again instanceof ApiProblem && again.code === 'token-invalid') lapse();
    throw again;
  });
}

function isAboutToken({ code }: ApiProblem): boolean {
  return code === 'token-invalid' || code === 'token-stale';
}

/** What the page needs to know of a token before anybody was asked whose it is. */
type TokenClaims = { readonly uid: string; readonly email: string };

/** Reads a token without proving it: the server does that at each call. What is no token claims nothing. */
function claimsOf(token: string): TokenClaims {
  const claims = payloadOf(token);
  const text = (name: string) => {
    const value: unknown = claims[name];
    return typeof value === 'string' ? value : '';
  };
  return { uid: text('sub'), email: text('email') };
}

function payloadOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}
