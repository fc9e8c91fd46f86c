import type { Transaction } from 'kysely';
import type { IdentityToken, PasskeyOptions } from '#contract/schemas/session.ts';
import type { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import type { Actor } from '#domain/permissions.ts';
import type { Language } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import type { HostCookie } from './cookies.ts';

/** Ways to confirm one's identity. Accounts and sessions belong to `features/sessions` (decisions §4). */
export type Identity = {
  /** Finds the user of an identity token. @returns undefined if the token is invalid or its session has ended */
  findActor(token: string): Promise<Actor | undefined>;
  /** Issues a one-hour identity token for a session. @returns undefined if the session has ended */
  issueToken(sessionId: string): Promise<IdentityToken | undefined>;
  hashPassword(password: string): Promise<string>;
  /** @returns whether the password matches; without a hash, takes just as long and returns false */
  verifyPassword(password: string, hash: string | undefined): Promise<boolean>;
  readonly cookies: SessionCookies;
  readonly knownBrowser: KnownBrowser;
  /** The cookie of a login that still needs its second factor. */
  readonly pendingLogin: HostCookie;
  readonly authenticatorCodes: AuthenticatorCodes;
  readonly passkeys: Passkeys;
  /** Encrypted texts, such as challenges, that the page sends back with the same person's next call. */
  readonly sealedTexts: SealedTexts;
  /** Undefined if no Google client is configured. */
  readonly google: GoogleSignIn | undefined;
};

/** A session in the browser: a signed http-only cookie, and a flag that scripts can read. */
export type SessionCookies = {
  /** Reads the session secret from a request's Cookie header. The session may have ended. */
  read(cookieHeader: string | undefined): Promise<string | undefined>;
  /** @returns Set-Cookie headers */
  set(secret: string): Promise<readonly string[]>;
  /** @returns Set-Cookie headers */
  clear(): readonly string[];
};

/** Marks a browser in which an account's owner has logged in, so that its failed attempts are counted separately. */
export type KnownBrowser = {
  /** @returns an id for counting the browser's attempts; undefined without a valid cookie for this account */
  find(cookieHeader: string | undefined, email: string, tx?: Transaction<Tables>): Promise<string | undefined>;
  /** Call it only for the owner of a verified address. @returns Set-Cookie headers */
  mark(email: string): Promise<readonly string[]>;
};

/** The keys of authenticator apps are stored encrypted. */
export type AuthenticatorCodes = {
  /** @returns the key, its URI for a QR code, and the offer that the page sends back with the first code */
  createKey(person: {
    readonly userId: UserId;
    readonly email: string;
  }): Promise<{ readonly key: string; readonly address: string; readonly offer: string }>;
  /** Accepts an offer. @returns the encrypted key to store; undefined if the offer is another user's or has expired */
  acceptKey(userId: UserId, offer: string): Promise<string | undefined>;
  /**
   * Finds the time step of a code: the previous, current, or next one. Store the step, because a code works only once.
   * @param key the stored key, or an offer
   * @returns undefined if the code is wrong, or if the key was encrypted with another secret
   */
  findTimeStep(userId: UserId, key: string, code: string): Promise<number | undefined>;
};

/** The stored part of a passkey. */
export type StoredPasskey = {
  readonly id: string;
  /** Base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
};

type PasskeyRef = Pick<StoredPasskey, 'id' | 'transports'>;
/** Required if the passkey is the only factor. */
export type UserVerification = 'preferred' | 'required';

export type Passkeys = {
  /** @param person devices with one of the existing passkeys can't create another one */
  creationOptions(person: {
    readonly userId: UserId;
    readonly email: string;
    readonly existingPasskeys: readonly PasskeyRef[];
  }): Promise<PasskeyOptions>;
  /** @returns undefined if the browser's response is invalid */
  verifyCreation(response: unknown, challenge: string): Promise<StoredPasskey | undefined>;
  /** @param request if no allowed passkeys are listed, any passkey for this site is accepted */
  requestOptions(request: {
    readonly allowedPasskeys?: readonly PasskeyRef[];
    readonly userVerification: UserVerification;
  }): Promise<PasskeyOptions>;
  /** Reads the challenge in a browser's response. The caller checks that the server issued it. @returns undefined if unreadable */
  readChallenge(response: unknown): string | undefined;
  /** @returns the passkey's new counter; undefined if the browser's response is invalid */
  verifyAuthentication(
    response: unknown,
    expected: {
      readonly challenge: string;
      readonly passkey: StoredPasskey;
      readonly userVerification: UserVerification;
    },
  ): Promise<number | undefined>;
};

/** Encrypted text for one person. The page stores it between two calls, but can neither read nor change it. */
export type SealedTexts = {
  seal(userId: UserId, text: string): Promise<string>;
  /** @returns undefined if the text is another person's, was changed, or has expired */
  open(userId: UserId, sealedText: string): Promise<string | undefined>;
};

/** A sign-in that continues at Google. */
export type PendingGoogleSignIn = {
  /** A validated path on this site. */
  readonly returnTo: string | undefined;
  /** Hash of the browser's earlier session, whose cookie is not sent to the callback. */
  readonly previousSessionHash: string | undefined;
  /** Id of the session whose owner is confirming their identity. If set, no new session is created. */
  readonly sessionIdToConfirm?: string | undefined;
  /** Language of the pages before and after the sign-in. */
  readonly language?: Language | undefined;
};

/** A person's verified Google claims. */
export type GooglePerson = {
  /** Google's permanent id for the person; the email address may change. */
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
};

export type GoogleReturn = PendingGoogleSignIn & {
  /** Undefined if the person declined, or if Google's response is invalid. */
  readonly person: GooglePerson | undefined;
  /** Set-Cookie headers. */
  readonly cookies: readonly string[];
};

/** Sign-in with Google by OpenID Connect. */
export type GoogleSignIn = {
  /** @returns the URL of Google's page, and Set-Cookie headers; Failure google-unavailable */
  start(
    pendingSignIn: PendingGoogleSignIn & { readonly loginHint: string | undefined },
  ): Promise<{ readonly url: string; readonly cookies: readonly string[] } | Failure>;
  /** Checks the query with which Google returned the browser. */
  finish(query: URLSearchParams, cookieHeader: string | undefined): Promise<GoogleReturn>;
};
