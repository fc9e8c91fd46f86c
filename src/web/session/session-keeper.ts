import type { IdentityToken } from '#contract/schemas/session.ts';
import { formFailure } from '#domain/form-failures.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient, FailedCall, MakeCall, TokenSource } from '#web/api/client.ts';
import { decodeBase64Url } from '#web/browser/base64-url.ts';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';
import { removeDrafts } from './drafts.ts';
import { type Session, SIGNED_OUT } from './session.ts';
import type { SessionDeps } from './session-store.ts';

/** Refresh interval for the token and the claims: 50 minutes, since a token is valid for an hour (§9). */
export const REFRESH_MILLISECONDS = 3_000_000;

export type SessionKeeper = {
  /** Restores the session from the cookie. */
  readonly restore: () => Promise<Session>;
  /** Starts a session with the token from a login. */
  readonly open: (identityToken: IdentityToken) => Promise<Session>;
  readonly retry: TokenSource['retry'];
  readonly refreshClaims: () => Promise<void>;
  readonly signOut: () => Promise<void>;
  /**
   * Ends the session, unless the person is being asked to log in again or the page has unsaved input. The page then
   * stays, and the next change asks the person to log in again.
   */
  readonly endUnlessUnsaved: () => Session;
};

export function createSessionKeeper(deps: SessionDeps): SessionKeeper {
  const { api, tab, now, set, setToken, onAccessChange, hasUnsavedInput } = deps;
  let timer: ReturnType<typeof setInterval> | undefined;
  /** Counts session changes, so that the response to an older request can't overwrite a newer session. */
  let version = 0;
  let credentials = { uid: '', token: '' };
  /** Shared by all changes that are rejected until the login settles. A login in another tab aborts this one. */
  let pendingLogin:
    | { readonly abortController: AbortController; readonly token: Promise<string | undefined> }
    | undefined;

  const setBearer = (token: string) => {
    credentials = { uid: readClaims(token).uid, token };
    setToken(token || undefined);
  };
  const setSession = (session: Session, hasChanged: boolean): Session => {
    const previous = now();
    set(session);
    if (hasChanged || previous.uid !== session.uid) tab.broadcast({ uid: session.uid, hasChanged });
    // Before the session is initialized, no page has shown personal data.
    if (previous.initialized && accessFingerprint(previous) !== accessFingerprint(session)) {
      // Runs before the reload, because the reloaded page fills the same cache.
      dropLoadedData().catch(console.info);
      onAccessChange();
    }
    return session;
  };
  /** Ends the session. @returns the session without a user (§4) */
  const clear = (hasLoggedOut = false) => {
    version += 1;
    clearInterval(timer);
    setBearer('');
    pendingLogin?.abortController.abort();
    return setSession({ ...SIGNED_OUT, initialized: true }, hasLoggedOut);
  };
  const startSession = async (token: string, hasChanged: boolean): Promise<Session> => {
    version += 1;
    const startVersion = version;
    setBearer(token);
    clearInterval(timer);
    timer = setInterval(() => void renewTokenAndClaims(), REFRESH_MILLISECONDS);
    const isCurrent = () => startVersion === version;
    const person = await loadSession(api, token, isCurrent);
    if (!isCurrent()) return now();
    const session = setSession({ ...person, idToken: credentials.token }, hasChanged);
    pendingLogin?.abortController.abort();
    return session;
  };
  const endUnlessUnsaved = () => (pendingLogin || (now().authenticated && hasUnsavedInput()) ? now() : clear());
  const restore = shareInFlight(async () => {
    const startVersion = version;
    const identityToken = await api.call('readToken', {});
    if (startVersion !== version) return now();
    return identityToken ? startSession(identityToken.token, false) : endUnlessUnsaved();
  });
  /** @returns false if the session has ended */
  const fetchToken = shareInFlight(async () => {
    const startVersion = version;
    const identityToken = await api.call('readToken', {});
    if (startVersion !== version) return true;
    if (!identityToken) return false;
    if (readClaims(identityToken.token).uid === credentials.uid) {
      setBearer(identityToken.token);
      if (now().uid === credentials.uid) set({ ...now(), idToken: identityToken.token });
    } else {
      // Another user logged in. Not awaited, because loading their profile may be waiting for this token.
      void startSession(identityToken.token, false);
    }
    return true;
  });
  const renew = async (rejectedToken: string, isRead: boolean) => {
    // Another call may have already renewed the token.
    if (rejectedToken === credentials.token && !(await fetchToken())) {
      if (!isRead) return logInAgain();
      endUnlessUnsaved();
      return undefined;
    }
    return readClaims(rejectedToken).uid === credentials.uid ? credentials.token : undefined;
  };
  const openLoginDialog = async (signal: AbortSignal) => {
    const { requestLogin } = await import('./login-dialog.tsx');
    // The dialog makes its calls as a visitor.
    setToken(undefined);
    return requestLogin({ api, person: now(), signal });
  };
  const requestNewLogin = async (abortController: AbortController) => {
    const person = now();
    const identityToken = await openLoginDialog(abortController.signal).finally(() => {
      pendingLogin = undefined;
      // If the dialog fails, the next change asks again.
      setToken(credentials.token || undefined);
    });
    if (identityToken) await startSession(identityToken.token, true);
    else if (!abortController.signal.aborted) return undefined;
    return credentials.uid === person.uid ? credentials.token : undefined;
  };
  /**
   * Asks the person to log in again, over the page. If they cancel, the page stays, and the next change asks again.
   * @returns undefined if they cancel, or if another person logs in
   */
  const logInAgain = async () => {
    if (!pendingLogin && !now().authenticated) return undefined;
    if (!pendingLogin) {
      const abortController = new AbortController();
      pendingLogin = { abortController, token: requestNewLogin(abortController) };
    }
    return pendingLogin.token;
  };
  /** Shared by all calls that are rejected until the confirmation settles. */
  let pendingConfirmation: Promise<string | undefined> | undefined;
  const requestNewConfirmation = async (requiresEmail: boolean) => {
    const { requestConfirmation } = await import('./confirmation-dialog.tsx');
    const newToken = await requestConfirmation({ api, person: now(), requiresEmail });
    if (!newToken || readClaims(newToken.token).uid !== credentials.uid) return undefined;
    setBearer(newToken.token);
    set({ ...now(), idToken: newToken.token });
    return newToken.token;
  };
  const confirm = (requiresEmail: boolean) => {
    pendingConfirmation ??= requestNewConfirmation(requiresEmail).finally(() => {
      pendingConfirmation = undefined;
    });
    return pendingConfirmation;
  };
  const renewTokenAndClaims = async () => {
    const startVersion = version;
    // Only a token issued in the last 5 minutes can refresh claims (§9), and the current one is 50 minutes old.
    const hasSession = await fetchToken().catch(() => true);
    if (!hasSession) endUnlessUnsaved();
    else if (startVersion === version) await refresh(false);
  };
  const refresh = async (hasChanged: boolean) => {
    await api.call('refreshClaims', {}).catch(() => console.error(formFailure('claims-failed').message));
    const startVersion = version;
    const identityToken = await api.call('readToken', {}).catch(() => undefined);
    if (startVersion !== version) return;
    // If there is no response, the session stays until a call is rejected.
    if (identityToken) await startSession(identityToken.token, hasChanged);
    else if (identityToken === null) endUnlessUnsaved();
  };
  return {
    restore,
    retry: (failedCall, makeCall) => retryCall({ renew, confirm, expire: endUnlessUnsaved }, failedCall, makeCall),
    refreshClaims: () => refresh(true),
    endUnlessUnsaved,
    open: ({ token }) => startSession(token, true),
    signOut: async () => {
      // If the call fails, this page's session ends anyway (§8).
      await api.call('signOut', {}).catch(() => tab.clearHint());
      removeDrafts();
      clear(true);
    },
  };
}

/** Drops the loaded data of the previous person. Loaded on demand, since public pages have no such data. */
async function dropLoadedData(): Promise<void> {
  const { dropQueries, queryClient } = await import('#web/api/queries.ts');
  dropQueries(queryClient);
}

/** Changes when the person or their permissions change. */
function accessFingerprint({ uid, admin, emailVerified, roles, inactivePermissions }: Session): string {
  return JSON.stringify([uid, admin, emailVerified, roles, inactivePermissions]);
}

/**
 * Loads the session: the token's claims, the profile, and the permissions (§4).
 * @param isCurrent false once the session has changed, so that a failure no longer matters
 */
async function loadSession(api: ApiClient, token: string, isCurrent: () => boolean): Promise<Session> {
  const claims = readClaims(token);
  const base = { ...SIGNED_OUT, ...claims, initialized: true, authenticated: true, isAnonymous: false };
  try {
    return { ...base, ...(await loadPerson(api, claims)), status: 'user' };
  } catch {
    if (isCurrent()) console.error(formFailure('authorization-failed').message);
    return { ...base, status: 'new' };
  }
}

type Person = Omit<Session, 'authenticated' | 'initialized' | 'status' | 'idToken' | 'uid'>;

async function loadPerson(api: ApiClient, { uid, email }: TokenClaims): Promise<Person> {
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
    inactivePermissions: authorization.inactivePermissions,
  };
}

/** Lets concurrent callers share one request. */
function shareInFlight<T>(makeCall: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= makeCall().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

export type Renewal = {
  /**
   * A fresh token for the same person; undefined if the session has ended or belongs to another person. For a change,
   * asks the person to log in again first.
   */
  readonly renew: (rejectedToken: string, isRead: boolean) => Promise<string | undefined>;
  /** A token with a recent identity confirmation; undefined if the person cancels. */
  readonly confirm: (requiresEmail: boolean) => Promise<string | undefined>;
  /** Must be called if even a fresh token is rejected. */
  readonly expire: () => void;
};

/**
 * Renews a token that is too old and retries the call (§9). The server decides whether a token is too old, since this
 * device's clock may be wrong. If the session has ended, retries a read as a visitor. If the call requires an identity
 * confirmation, asks the person for one and retries the call.
 */
export async function retryCall<T>(renewal: Renewal, failedCall: FailedCall, makeCall: MakeCall<T>): Promise<T> {
  const { renew, expire } = renewal;
  const { error, token, isRead } = failedCall;
  if (needsConfirmation(error)) return retryAfterConfirmation(renewal, error, makeCall);
  if (!isTokenError(error)) throw error;
  const newToken = await renew(token, isRead);
  if (newToken === undefined)
    return isRead ? makeCall(undefined).catch(() => Promise.reject(error)) : Promise.reject(error);
  return makeCall(newToken).catch((retryError: unknown) => {
    if (retryError instanceof ApiProblem && retryError.code === 'token-invalid') expire();
    if (retryError instanceof ApiProblem && needsConfirmation(retryError))
      return retryAfterConfirmation(renewal, retryError, makeCall);
    throw retryError;
  });
}

async function retryAfterConfirmation<T>({ confirm }: Renewal, error: ApiProblem, makeCall: MakeCall<T>): Promise<T> {
  const newToken = await confirm(error.code === 'email-confirmation-required');
  if (newToken === undefined) throw error;
  return makeCall(newToken);
}

function needsConfirmation({ code }: ApiProblem): boolean {
  return code === 'confirmation-required' || code === 'email-confirmation-required';
}

function isTokenError({ code }: ApiProblem): boolean {
  return code === 'token-invalid' || code === 'token-stale';
}

type TokenClaims = { readonly uid: string; readonly email: string };

/** Reads a token's claims without verifying them; the server does that on every call. Invalid text has no claims. */
function readClaims(token: string): TokenClaims {
  const claims = parseJson(decodeBase64Url(token.split('.')[1] ?? ''));
  const readText = (name: string) => {
    const value = isRecord(claims) ? claims[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  return { uid: readText('sub'), email: readText('email') };
}
