import type { IdentityToken } from '#contract/schemas/session.ts';
import type { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';

/** How people prove who they are. Accounts and sessions themselves belong to `features/sessions` (decisions §4). */
export type Identity = {
  /** Who the bearer of an identity token is now; undefined if the token is invalid or its session has ended. */
  actorOf(token: string): Promise<Actor | undefined>;
  /** A one-hour identity token for a session; undefined if the session has ended. */
  issueToken(sessionId: string): Promise<IdentityToken | undefined>;
  hashPassword(password: string): Promise<string>;
  /** Whether the password matches. Without a hash it takes just as long and is always false. */
  verifyPassword(password: string, hash: string | undefined): Promise<boolean>;
  readonly cookies: SessionCookies;
  readonly devices: KnownDevices;
  /** Undefined where no Google client is configured. */
  readonly google: GoogleSignIn | undefined;
};

/** A session in the browser: a signed http-only cookie, and beside it a flag that scripts may read. */
export type SessionCookies = {
  /** The session secret in a request's Cookie header. The session may have ended. */
  read(cookieHeader: string | undefined): Promise<string | undefined>;
  /** @returns Set-Cookie headers */
  set(secret: string): Promise<readonly string[]>;
  /** @returns Set-Cookie headers */
  clear(): readonly string[];
};

/** Browsers in which the owner of an address has logged in. */
export type KnownDevices = {
  /** Names the browser to count its tries by; undefined where this person is not known. */
  find(cookieHeader: string | undefined, email: string): Promise<string | undefined>;
  /** Call it only for the owner of a proven address. @returns a Set-Cookie header */
  remember(cookieHeader: string | undefined, email: string): Promise<string>;
};

/** What has to survive the round trip to Google. */
export type GoogleTrip = {
  /** A path of this site, already checked. */
  readonly returnTo: string | undefined;
  /** Hash of the browser's earlier session, whose cookie is not sent to the callback. */
  readonly formerSession: string | undefined;
};

/** A person's verified Google claims. */
export type GooglePerson = {
  /** Google's permanent id of the person; the email address may change. */
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
};

export type GoogleReturn = GoogleTrip & {
  /** Undefined when the person declined, or when Google's answer did not pass the checks. */
  readonly person: GooglePerson | undefined;
  /** Set-Cookie headers. */
  readonly cookies: readonly string[];
};

/** Sign-in with Google by OpenID Connect. */
export type GoogleSignIn = {
  /** @returns the page to open at Google and Set-Cookie headers; Failure google-unavailable */
  start(
    trip: GoogleTrip & { readonly loginHint: string | undefined },
  ): Promise<{ readonly url: string; readonly cookies: readonly string[] } | Failure>;
  /** Checks the query that the browser came back with. */
  finish(query: URLSearchParams, cookieHeader: string | undefined): Promise<GoogleReturn>;
};
