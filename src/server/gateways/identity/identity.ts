import type { IdentityToken } from '#contract/schemas/session.ts';
import type { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';

/** Who signs in, and how that is proven and remembered. Accounts and sessions themselves are the product's (decisions §4). */
export type Identity = {
  /** Who the bearer of an identity token is now. Nothing when the token is not valid, or its session has ended. */
  actorOf(token: string): Promise<Actor | undefined>;
  /** An identity token of a session, for one hour; nothing when the session has ended. */
  issueToken(sessionId: string): Promise<IdentityToken | undefined>;
  hashPassword(password: string): Promise<string>;
  /** Whether it is the password that was hashed. Without a hash it costs the same, and is never. */
  verifyPassword(password: string, hash: string | undefined): Promise<boolean>;
  readonly cookies: SessionCookies;
  /** Absent where no Google client is configured. */
  readonly google: GoogleSignIn | undefined;
};

/** The browser's part of a session: a signed cookie that no page can read, and a mark beside it that one can. */
export type SessionCookies = {
  /** The secret of the session that a request's Cookie header names; it may have ended. */
  secretIn(cookie: string | undefined): Promise<string | undefined>;
  /** The Set-Cookie headers that remember a session. */
  remember(secret: string): Promise<readonly string[]>;
  /** The Set-Cookie headers that forget it. */
  forget(): Promise<readonly string[]>;
};

/** What the way to Google and back has to remember. */
export type GoogleTrip = {
  /** A path of this site, already checked. */
  readonly returnTo: string | undefined;
  /** What is kept of the session that the browser had before, whose cookie does not go where Google comes back to. */
  readonly formerSession: string | undefined;
};

/** A person as Google tells it, its word already checked. */
export type GooglePerson = {
  /** What Google calls the person for ever; the address may change. */
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
};

export type GoogleReturn = GoogleTrip & {
  /** Nothing when the person or Google said no, or what came back is not what was asked for. */
  readonly person: GooglePerson | undefined;
  readonly cookies: readonly string[];
};

/** Sign-in with Google by OpenID Connect: PKCE, nonce, and the keys that Google publishes. */
export type GoogleSignIn = {
  /** Where the browser has to go. @returns Failure google-unavailable */
  begin(
    trip: GoogleTrip & { readonly loginHint: string | undefined },
  ): Promise<{ readonly url: string; readonly cookies: readonly string[] } | Failure>;
  /** Checks what the browser came back with: the query, and the Cookie header. */
  finish(query: URLSearchParams, cookie: string | undefined): Promise<GoogleReturn>;
};
