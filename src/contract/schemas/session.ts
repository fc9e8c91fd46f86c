import { z } from 'zod';
import { EMAIL_MAXIMUM, NAME_MAXIMUM } from '#domain/profile.ts';
import { PASSKEY_NAME_MAXIMUM } from '#domain/second-factor.ts';
import { id, time, typedText } from './shared.ts';

/** The bearer identity token that the page holds in memory, and when it ends (§4). */
export const identityToken = z.object({ token: z.string(), expiresAt: z.iso.datetime() });

export type IdentityToken = z.infer<typeof identityToken>;

/** Where the way leads after signing in; anything but a path of this site is left out (decisions §4). */
const returnTo = z.string().max(2000).optional();
const email = typedText(EMAIL_MAXIMUM * 2);
/** Long enough for any passphrase, short enough that hashing it costs what any other does. */
const password = z.string().max(2000);
const code = z.string().max(200);
/** The first step was right: the second one is asked for, and there is no token yet (decisions §4). */
const login = z.union([identityToken, z.object({ secondStep: z.literal(true) })]);
/** As browsers write what a passkey answers (WebAuthn). */
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
/** One of them: a code of the authenticator app, a recovery code, a passkey. */
const secondStep = z.strictObject({
  code: code.optional(),
  recoveryCode: code.optional(),
  passkey: assertion.optional(),
});
/** As browsers read what is asked of a passkey (WebAuthn). */
const passkeyOptions = z.looseObject({ challenge: z.string() });
/** Said to everybody alike, whether the address has an account or not (decisions §4). */
const said = z.object({});

/** Where a person is logged in, as that person sees it. */
export const openSession = z.object({
  id,
  /** "Firefox on Windows", or as the person named it. */
  name: z.string(),
  /** The network address of the login. */
  client: z.string().nullable(),
  createdTimestamp: time,
  usedTimestamp: time,
  isThis: z.boolean(),
});

export type OpenSession = z.infer<typeof openSession>;

const ofSession = z.strictObject({ sessionid: id });
const offer = z.string().max(4000);
/** New codes, shown once; none where the person has some already. */
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
  /** Since when there is one. */
  authenticatorTimestamp: time.nullable(),
  recoveryCodesLeft: z.number(),
  /** When an admin's removal takes effect; the next login with a second step calls it off. */
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
  /** The id that the device gave it, in base64url. */
  removePasskey: { params: z.strictObject({ passkeyid: z.string().regex(/^[\w-]{1,2000}$/) }), answer: secondFactors },
  renewRecoveryCodes: { answer: recoveryCodes },
};

export const sessionCalls = {
  readToken: { answer: identityToken.nullable() },
  signInByPassword: { body: z.strictObject({ email, password }), answer: login },
  sendSignInLink: { body: z.strictObject({ email, returnTo }), answer: said },
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
    answer: said,
  },
  sendVerification: { body: z.strictObject({ returnTo }), answer: said },
  verifyAddress: { body: z.strictObject({ code }), answer: identityToken },
  sendPasswordReset: { body: z.strictObject({ email }), answer: said },
  resetPassword: { body: z.strictObject({ code, password }), answer: said },
  changePassword: { body: z.strictObject({ current: password.optional(), password }), answer: identityToken },
  /** Mails a code to the bearer. */
  sendProofCode: { answer: said },
  /** How who is logged in can prove that again, the best way first, and what their account asks besides. */
  startProof: {
    answer: z.object({
      ways: z.array(z.enum(['passkey', 'password', 'google', 'mail'])),
      passkey: passkeyOptions.nullable(),
      /** Needed with all ways but the passkey. */
      second: z.object({ passkey: z.boolean(), authenticator: z.boolean(), recoveryCodes: z.boolean() }).nullable(),
    }),
  },
  startGoogleProof: { answer: z.object({ url: z.string() }) },
  /**
   * For calls that need more than a token: who is logged in proves it again, by a passkey alone, or by one of the other ways,
   * with the second step where the account has one.
   */
  prove: {
    body: z.strictObject({
      passkey: assertion.optional(),
      password: password.optional(),
      /** After a trip to Google. */
      google: z.literal(true).optional(),
      /** By mail. */
      code: code.optional(),
      second: secondStep.optional(),
    }),
    answer: identityToken,
  },
  /** Null if no login waits for its second step any more. */
  startSecondStep: {
    answer: z
      .object({ passkey: passkeyOptions.nullable(), authenticator: z.boolean(), recoveryCodes: z.boolean() })
      .nullable(),
  },
  /** One of them. */
  finishSecondStep: { body: secondStep, answer: identityToken },
  startPasskeyLogin: { answer: passkeyOptions },
  signInByPasskey: { body: z.strictObject({ passkey: assertion }), answer: identityToken },
  signOut: { answer: said },
  signOutEverywhere: { answer: said },
  /** Everywhere but here. */
  signOutElsewhere: { answer: said },
  readSessions: { answer: z.array(openSession) },
  nameSession: { params: ofSession, body: z.strictObject({ name: typedText(NAME_MAXIMUM * 20) }), answer: said },
  endSession: { params: ofSession, answer: said },
};
