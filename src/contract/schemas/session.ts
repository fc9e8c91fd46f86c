import { z } from 'zod';
import { EMAIL_MAXIMUM, NAME_MAXIMUM } from '#domain/profile.ts';
import { PASSKEY_NAME_MAXIMUM } from '#domain/second-factor.ts';
import { id, time, typedText } from './shared.ts';

/** The bearer identity token that the page holds in memory, and its expiry (§4). */
export const identityToken = z.object({ token: z.string(), expiresAt: z.iso.datetime() });

export type IdentityToken = z.infer<typeof identityToken>;

/** Page to open after signing in. Anything but a path of this site is ignored (decisions §4). */
const returnTo = z.string().max(2000).optional();
const email = typedText(EMAIL_MAXIMUM * 2);
/** Long enough for any passphrase, and short enough to hash in the usual time. */
const password = z.string().max(2000);
const code = z.string().max(200);
/** A token, or a request for the second step after a correct first one (decisions §4). */
const login = z.union([identityToken, z.object({ secondStep: z.literal(true) })]);
/** A passkey's response in the browsers' format (WebAuthn). */
const credentialPart = z.string().max(20_000);
const assertion = z.object({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: credentialPart,
    authenticatorData: credentialPart,
    signature: credentialPart,
    userHandle: credentialPart.optional(),
  }),
});
/** One of them: a code of the authenticator app, a recovery code, or a passkey. */
const secondStep = z.strictObject({
  code: code.optional(),
  recoveryCode: code.optional(),
  passkey: assertion.optional(),
});
/** A passkey request in the browsers' format (WebAuthn). */
const passkeyOptions = z.looseObject({ challenge: z.string() });
/** The same response for every address, with or without an account (decisions §4). */
const emptyResponse = z.object({});

/** A login, for its person. */
export const openSession = z.object({
  id,
  /** "Firefox on Windows", or as the person named it. */
  name: z.string(),
  /** IP address of the login. */
  client: z.string().nullable(),
  createdTimestamp: time,
  usedTimestamp: time,
  isThis: z.boolean(),
});

export type OpenSession = z.infer<typeof openSession>;

const ofSession = z.strictObject({ sessionid: id });
const offer = z.string().max(4000);
/** New codes, shown once; none if the person has some already. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
const attestation = z.object({
  ...assertion.omit({ response: true }).shape,
  response: z.object({
    clientDataJSON: credentialPart,
    attestationObject: z.string().max(40_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});

const secondFactors = z.object({
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      createdTimestamp: time,
      usedTimestamp: time.nullable(),
    }),
  ),
  /** When it was added. */
  authenticatorTimestamp: time.nullable(),
  recoveryCodesLeft: z.number(),
  /** When an admin's removal takes effect. A login with a second step cancels it. */
  endsTimestamp: time.nullable(),
});

export type SecondFactors = z.infer<typeof secondFactors>;
export type PasskeyOptions = z.infer<typeof passkeyOptions>;

/** The second step of the caller's own logins. */
export const secondFactorCalls = {
  readSecondFactors: { answer: secondFactors },
  offerAuthenticator: { answer: z.object({ key: z.string(), address: z.string(), offer: z.string() }) },
  addAuthenticator: { body: z.strictObject({ offer, code }), answer: recoveryCodes },
  removeAuthenticator: { answer: secondFactors },
  offerPasskey: { answer: z.object({ options: passkeyOptions, offer: z.string() }) },
  addPasskey: {
    body: z.strictObject({ offer, name: typedText(PASSKEY_NAME_MAXIMUM * 2), passkey: attestation }),
    answer: recoveryCodes,
  },
  /** Credential id in base64url, chosen by the device. */
  removePasskey: { params: z.strictObject({ passkeyid: z.string().regex(/^[\w-]{1,2000}$/) }), answer: secondFactors },
  renewRecoveryCodes: { answer: recoveryCodes },
};

export const sessionCalls = {
  readToken: { answer: identityToken.nullable() },
  signInByPassword: { body: z.strictObject({ email, password }), answer: login },
  sendSignInLink: { body: z.strictObject({ email, returnTo }), answer: emptyResponse },
  signInByLink: { body: z.strictObject({ email, code }), answer: login },
  acceptInvitation: {
    body: z.strictObject({ code, name: typedText(NAME_MAXIMUM * 2).default('') }),
    answer: login,
  },
  signInByGoogle: {
    body: z.strictObject({ returnTo, loginHint: email.optional() }),
    answer: z.object({ url: z.string() }),
  },
  signUp: {
    body: z.strictObject({ email, password, name: typedText(NAME_MAXIMUM * 2).default(''), returnTo }),
    answer: emptyResponse,
  },
  sendVerification: { body: z.strictObject({ returnTo }), answer: emptyResponse },
  verifyAddress: { body: z.strictObject({ code }), answer: identityToken },
  sendPasswordReset: { body: z.strictObject({ email }), answer: emptyResponse },
  resetPassword: { body: z.strictObject({ code, password }), answer: emptyResponse },
  changePassword: { body: z.strictObject({ current: password.optional(), password }), answer: identityToken },
  /** Emails a code to the bearer. */
  sendProofCode: { answer: emptyResponse },
  /** Ways to confirm a logged-in person's identity, best first, and the account's second factors. */
  startProof: {
    answer: z.object({
      ways: z.array(z.enum(['passkey', 'password', 'google', 'mail'])),
      passkey: passkeyOptions.nullable(),
      /** Required in addition to any way but the passkey. */
      second: z.object({ passkey: z.boolean(), authenticator: z.boolean(), recoveryCodes: z.boolean() }).nullable(),
    }),
  },
  startGoogleProof: { answer: z.object({ url: z.string() }) },
  /**
   * For calls that need more than a token: the logged-in person confirms their identity with a passkey alone, or in another
   * way plus the second step if the account has one.
   */
  prove: {
    body: z.strictObject({
      passkey: assertion.optional(),
      password: password.optional(),
      /** After the return from Google. */
      google: z.literal(true).optional(),
      /** The emailed code. */
      code: code.optional(),
      second: secondStep.optional(),
    }),
    answer: identityToken,
  },
  /** Null if no login waits for its second step. */
  startSecondStep: {
    answer: z
      .object({ passkey: passkeyOptions.nullable(), authenticator: z.boolean(), recoveryCodes: z.boolean() })
      .nullable(),
  },
  /** Exactly one of the factors. */
  finishSecondStep: { body: secondStep, answer: identityToken },
  startPasskeyLogin: { answer: passkeyOptions },
  signInByPasskey: { body: z.strictObject({ passkey: assertion }), answer: identityToken },
  signOut: { answer: emptyResponse },
  signOutEverywhere: { answer: emptyResponse },
  /** Ends all other sessions. */
  signOutElsewhere: { answer: emptyResponse },
  readSessions: { answer: z.array(openSession) },
  nameSession: {
    params: ofSession,
    body: z.strictObject({ name: typedText(NAME_MAXIMUM * 20) }),
    answer: emptyResponse,
  },
  endSession: { params: ofSession, answer: emptyResponse },
};
