import type { Transaction } from 'kysely';
import type { IdentityToken, PasskeyOptions } from '#contract/schemas/session.ts';
import type { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import type { Language } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import type { OwnCookie } from './cookies.ts';

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
  readonly knownBrowser: KnownBrowser;
  /** The cookie of a login that waits for its second step. */
  readonly halfLogin: OwnCookie;
  readonly authenticatorCodes: AuthenticatorCodes;
  readonly passkeys: Passkeys;
  /** A challenge or the like that comes back with the next call of the same person. */
  readonly offers: Offers;
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

/** Marks a browser in which the owner of an account has logged in, so that its wrong tries count apart. */
export type KnownBrowser = {
  /** @returns an id to count the browser's tries by; undefined if it has no valid mark for this account */
  find(cookieHeader: string | undefined, email: string, tx?: Transaction<Tables>): Promise<string | undefined>;
  /** Call it only for the owner of a proven address. @returns Set-Cookie headers */
  mark(email: string): Promise<readonly string[]>;
};

/** The keys of authenticator apps are stored encrypted. */
export type AuthenticatorCodes = {
  /** @returns the key and its address for a QR code, and the offer that a first code accepts */
  newKey(person: {
    readonly userId: string;
    readonly email: string;
  }): Promise<{ readonly key: string; readonly address: string; readonly offer: string }>;
  /** What is stored of an accepted offer; undefined if it is somebody else's or too old. */
  keptKey(userId: string, offer: string): Promise<string | undefined>;
  /**
   * Which step of time a code is of, of the last, this and the next. Store it: a code works once.
   * @param keptKey also an offer
   * @returns undefined if the code is wrong, or if the key was stored with another secret
   */
  stepOf(userId: string, keptKey: string, code: string): Promise<number | undefined>;
};

/** What is stored of a passkey. */
export type StoredPasskey = {
  readonly id: string;
  /** In base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
};

type PasskeyName = Pick<StoredPasskey, 'id' | 'transports'>;
/** Required where the passkey is the only factor. */
export type UserVerification = 'preferred' | 'required';

export type Passkeys = {
  /** @param person `existing`: a device that has one of these makes no other */
  creationOptions(person: {
    readonly userId: string;
    readonly email: string;
    readonly existing: readonly PasskeyName[];
  }): Promise<PasskeyOptions>;
  /** @returns undefined if the browser's answer does not pass */
  created(response: unknown, challenge: string): Promise<StoredPasskey | undefined>;
  /** @param request without `allowed`, any passkey of the device for this site */
  requestOptions(request: {
    readonly allowed?: readonly PasskeyName[];
    readonly userVerification: UserVerification;
  }): Promise<PasskeyOptions>;
  /** What a browser says that it was asked; undefined if that can't be read. Whether it was is the caller's to know. */
  challengeIn(response: unknown): string | undefined;
  /** @returns the passkey's new counter; undefined if the browser's answer does not pass */
  counterAfter(
    response: unknown,
    expected: {
      readonly challenge: string;
      readonly passkey: StoredPasskey;
      readonly userVerification: UserVerification;
    },
  ): Promise<number | undefined>;
};

/** Text for one person that the page holds meanwhile, and can neither read nor change. */
export type Offers = {
  seal(userId: string, text: string): Promise<string>;
  /** Undefined if it is somebody else's, was changed or is too old. */
  open(userId: string, sealed: string): Promise<string | undefined>;
};

/** What has to survive the round trip to Google. */
export type GoogleTrip = {
  /** A path of this site, already checked. */
  readonly returnTo: string | undefined;
  /** Hash of the browser's earlier session, whose cookie is not sent to the callback. */
  readonly formerSession: string | undefined;
  /** The session whose person only proves who they are, and opens no other. */
  readonly proves?: string | undefined;
  /** Of the page that leads there, and of the one after it. */
  readonly language?: Language | undefined;
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
