import type { IdentityToken } from '#contract/schemas/session.ts';
import { formFailure } from '#domain/form-failures.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient, Bearer, MakeCall, Refused } from '#web/api/client.ts';
import { NOBODY, type Session } from './session.ts';
import type { SessionParts } from './session-store.ts';

/** How often the token and the claims are refreshed: every 50 minutes; a token lives for an hour (§9). */
export const REFRESH_MILLISECONDS = 3_000_000;

export type SessionKeeper = {
  /** Asks the server whose session the cookie holds. */
  readonly restore: () => Promise<Session>;
  /** Starts a session with the token from a login. */
  readonly open: (issued: IdentityToken) => Promise<Session>;
  readonly retry: Bearer['retry'];
  readonly refreshClaims: () => Promise<void>;
  readonly signOut: () => Promise<void>;
  /** The session without a user (§4). */
  readonly clear: () => Session;
};

export function createSessionKeeper({ api, tab, now, set, setToken, onAccessChange }: SessionParts): SessionKeeper {
  let timer: ReturnType<typeof setInterval> | undefined;
  /** Counts session changes, so that an answer to an older request can't overwrite a newer session. */
  let version = 0;
  let bearer = { uid: '', token: '' };

  const holdToken = (token: string) => {
    bearer = { uid: claimsOf(token).uid, token };
    setToken(token || undefined);
  };
  const setSession = (session: Session, hasChanged: boolean): Session => {
    const before = now();
    set(session);
    if (hasChanged || before.uid !== session.uid) tab.broadcast({ uid: session.uid, hasChanged });
    // Before that, no page has shown anything personal.
    if (before.initialized && accessOf(before) !== accessOf(session)) onAccessChange();
    return session;
  };
  const clear = () => {
    version += 1;
    clearInterval(timer);
    holdToken('');
    return setSession({ ...NOBODY, initialized: true }, false);
  };
  const adopt = async (token: string, hasChanged: boolean): Promise<Session> => {
    version += 1;
    const mine = version;
    holdToken(token);
    clearInterval(timer);
    timer = setInterval(() => void renewAll(), REFRESH_MILLISECONDS);
    const person = await sessionOf(api, token);
    return mine === version ? setSession({ ...person, idToken: bearer.token }, hasChanged) : now();
  };
  const restore = once(async () => {
    const mine = version;
    const issued = await api.call('readToken', {});
    if (mine !== version) return now();
    return issued ? adopt(issued.token, false) : clear();
  });
  const fetchToken = once(async () => {
    const mine = version;
    const issued = await api.call('readToken', {});
    if (mine !== version) return;
    if (!issued) {
      clear();
    } else if (claimsOf(issued.token).uid === bearer.uid) {
      holdToken(issued.token);
      if (now().uid === bearer.uid) set({ ...now(), idToken: issued.token });
    } else {
      // Another user logged in. Not awaited: the profile it loads may be waiting for this token.
      void adopt(issued.token, false);
    }
  });
  const renew = async (stale: string) => {
    // Another call may have renewed it already.
    if (stale === bearer.token) await fetchToken();
    return claimsOf(stale).uid === bearer.uid ? bearer.token : undefined;
  };
  /** Shared by all calls that are refused until it settles. */
  let proving: Promise<string | undefined> | undefined;
  const askOnce = async (byMail: boolean) => {
    const { askProof } = await import('./proof-dialog.tsx');
    const proven = await askProof({ api, person: now(), byMail });
    if (!proven || claimsOf(proven.token).uid !== bearer.uid) return undefined;
    holdToken(proven.token);
    set({ ...now(), idToken: proven.token });
    return proven.token;
  };
  const prove = (byMail: boolean) => {
    proving ??= askOnce(byMail).finally(() => {
      proving = undefined;
    });
    return proving;
  };
  const renewAll = async () => {
    const mine = version;
    // Claims are refreshed only by a token of the last 5 minutes (§9), and the current one is 50 minutes old.
    await fetchToken().catch(() => {});
    if (mine === version) await refresh(false);
  };
  const refresh = async (hasChanged: boolean) => {
    await api.call('refreshClaims', {}).catch(() => console.error(formFailure('claims-failed').message));
    const mine = version;
    const issued = await api.call('readToken', {}).catch(() => undefined);
    if (mine !== version) return;
    // If there is no response, the session stays until a call is refused.
    if (issued) await adopt(issued.token, hasChanged);
    else if (issued === null) clear();
  };
  return {
    restore,
    retry: (refused, make) => retryCall({ renew, prove, expire: clear }, refused, make),
    refreshClaims: () => refresh(true),
    clear,
    open: ({ token }) => adopt(token, true),
    signOut: async () => {
      // If the call fails, this page's session ends anyway (§8).
      await api.call('signOut', {}).catch(() => tab.clearMark());
      clear();
    },
  };
}

/** Changes when the person or their permissions change. */
function accessOf({ uid, admin, emailVerified, roles, inert }: Session): string {
  return JSON.stringify([uid, admin, emailVerified, roles, inert]);
}

/** The token's claims, with the profile and permissions (§4). */
async function sessionOf(api: ApiClient, token: string): Promise<Session> {
  const claims = claimsOf(token);
  const known = { ...NOBODY, ...claims, initialized: true, authenticated: true, isAnonymous: false };
  try {
    return { ...known, ...(await loadPerson(api, claims)), status: 'user' };
  } catch {
    console.error(formFailure('authorization-failed').message);
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
    roles: authorization.roles,
    inert: authorization.inert,
  };
}

/** While a request is running, further callers share it. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined;
  return () => {
    making ??= make().finally(() => {
      making = undefined;
    });
    return making;
  };
}

export type Renewal = {
  /** A fresh token of the same person; nothing if the session has ended or is another person's now. */
  readonly renew: (stale: string) => Promise<string | undefined>;
  /** A token with which the person has just proven who they are; nothing if they would rather not. */
  readonly prove: (byMail: boolean) => Promise<string | undefined>;
  /** To be called when even a fresh token is refused. */
  readonly expire: () => void;
};

/**
 * If the token was too old, renews it and repeats the call (§9). The server decides that, since this device's clock may be
 * wrong. If the session has ended, a read is repeated as a visitor. If the call needs a proof, the person is asked for one,
 * and the call is repeated.
 */
export async function retryCall<T>(renewal: Renewal, refused: Refused, make: MakeCall<T>): Promise<T> {
  const { renew, expire } = renewal;
  const { error, token, isRead } = refused;
  if (isAboutProof(error)) return retryProven(renewal, error, make);
  if (!isAboutToken(error)) throw error;
  const renewed = await renew(token);
  if (renewed === undefined) return isRead ? make(undefined).catch(() => Promise.reject(error)) : Promise.reject(error);
  return make(renewed).catch((again: unknown) => {
    if (again instanceof ApiProblem && again.code === 'token-invalid') expire();
    if (again instanceof ApiProblem && isAboutProof(again)) return retryProven(renewal, again, make);
    throw again;
  });
}

async function retryProven<T>({ prove }: Renewal, error: ApiProblem, make: MakeCall<T>): Promise<T> {
  const proven = await prove(error.code === 'mail-proof-required');
  if (proven === undefined) throw error;
  return make(proven);
}

function isAboutProof({ code }: ApiProblem): boolean {
  return code === 'proof-required' || code === 'mail-proof-required';
}

function isAboutToken({ code }: ApiProblem): boolean {
  return code === 'token-invalid' || code === 'token-stale';
}

type TokenClaims = { readonly uid: string; readonly email: string };

/** Reads a token without verifying it; the server does that on every call. Anything else has no claims. */
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
