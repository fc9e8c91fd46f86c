import { z } from 'zod';
import { ROLES } from '#domain/permissions.ts';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '#domain/profile.ts';
import { MAX_PASSKEY_NAME_LENGTH } from '#domain/second-factor.ts';
import { id, printableText, time } from './shared.ts';

export const identityToken = z.object({ token: z.string(), expiresAt: z.iso.datetime() }).meta({
  id: 'IdentityToken',
  description: 'A bearer identity token, which pages store only in memory, and its expiry.',
});

export type IdentityToken = z.infer<typeof identityToken>;

/** Page to open after signing in. Anything but a path of this site is ignored (decisions §4). */
const returnTo = z.string().max(2000).optional();
const email = printableText(MAX_EMAIL_LENGTH * 2);
/** Long enough for any passphrase, but short enough to hash quickly. */
const password = z.string().max(2000);
const code = z.string().max(200);
/** A token, or a request for the second step after a correct first step (decisions §4). */
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
/** Exactly one of: a code from the authenticator app, a recovery code, or a passkey. */
const secondStep = z.strictObject({
  code: code.optional(),
  recoveryCode: code.optional(),
  passkey: assertion.optional(),
});
/** A passkey request in the browsers' format (WebAuthn). */
const passkeyOptions = z.looseObject({ challenge: z.string() });
/** The same response for every address, with or without an account (decisions §4). */
const emptyResponse = z.object({});

export const openSession = z
  .object({
    id,
    name: z.string().describe('Name chosen by the user, or a default such as "Firefox on Windows".'),
    ipAddress: z.string().nullable().describe('IP address of the login.'),
    createdTimestamp: time,
    lastUsedTimestamp: time,
    isCurrent: z.boolean(),
  })
  .meta({ id: 'OpenSession', description: 'A session, for its user.' });

export type OpenSession = z.infer<typeof openSession>;

const sessionParams = z.strictObject({ sessionid: id });
const offer = z.string().max(4000);
/** New codes, shown once; empty if the user already has some. */
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
      lastUsedTimestamp: time.nullable(),
    }),
  ),
  authenticatorTimestamp: time.nullable().describe('When it was added.'),
  remainingRecoveryCodes: z.number(),
  removalTimestamp: time
    .nullable()
    .describe("When an admin's removal takes effect. A login with a second step cancels it."),
});

export type SecondFactors = z.infer<typeof secondFactors>;
export type PasskeyOptions = z.infer<typeof passkeyOptions>;

/** The second step of the caller's own logins. */
export const secondFactorCalls = {
  readSecondFactors: { summary: "List the caller's second factors", response: secondFactors },
  offerAuthenticator: {
    summary: 'Get a new key for an authenticator app',
    response: z.object({ key: z.string(), address: z.string(), offer: z.string() }),
  },
  addAuthenticator: {
    summary: 'Add an authenticator app',
    body: z.strictObject({ offer, code }),
    response: recoveryCodes,
  },
  removeAuthenticator: { summary: 'Remove the authenticator app', response: secondFactors },
  offerPasskey: {
    summary: 'Get the options for creating a passkey',
    response: z.object({ options: passkeyOptions, offer: z.string() }),
  },
  addPasskey: {
    summary: 'Add a passkey',
    body: z.strictObject({ offer, name: printableText(MAX_PASSKEY_NAME_LENGTH * 2), passkey: attestation }),
    response: recoveryCodes,
  },
  removePasskey: {
    summary: 'Remove a passkey',
    description: 'Credential id in base64url, chosen by the device.',
    params: z.strictObject({ passkeyid: z.string().regex(/^[\w-]{1,2000}$/) }),
    response: secondFactors,
  },
  renewRecoveryCodes: { summary: 'Replace the recovery codes', response: recoveryCodes },
};

export const sessionCalls = {
  readToken: { summary: 'Get an identity token for the session', response: identityToken.nullable() },
  signInWithPassword: { summary: 'Log in with a password', body: z.strictObject({ email, password }), response: login },
  sendSignInLink: {
    summary: 'Email a sign-in link',
    body: z.strictObject({ email, returnTo }),
    response: emptyResponse,
  },
  signInWithLink: { summary: 'Log in with an emailed link', body: z.strictObject({ email, code }), response: login },
  readInvitation: {
    summary: 'Read an invitation before accepting it',
    body: z.strictObject({ code }),
    response: z.object({
      role: z.enum(ROLES),
      orgName: z.string(),
      invitedBy: z.string().describe('Name or address of the inviter, or the name of the organization.'),
    }),
  },
  acceptInvitation: {
    summary: 'Accept an invitation',
    body: z.strictObject({ code, name: printableText(MAX_NAME_LENGTH * 2).default('') }),
    response: login,
  },
  signInWithGoogle: {
    summary: 'Start a login with Google',
    body: z.strictObject({ returnTo, loginHint: email.optional() }),
    response: z.object({ url: z.string() }),
  },
  signUp: {
    summary: 'Create an account',
    body: z.strictObject({ email, password, name: printableText(MAX_NAME_LENGTH * 2).default(''), returnTo }),
    response: emptyResponse,
  },
  sendVerification: {
    summary: "Email a link that verifies the caller's address",
    body: z.strictObject({ returnTo }),
    response: emptyResponse,
  },
  verifyAddress: {
    summary: "Verify the caller's address, or change it to a new one, with an emailed link",
    body: z.strictObject({ code }),
    response: identityToken,
  },
  changeName: {
    summary: "Change the caller's name",
    body: z.strictObject({ name: printableText(MAX_NAME_LENGTH * 2) }),
    response: emptyResponse,
  },
  requestEmailChange: {
    summary: "Request a change of the caller's email address",
    description: 'Emails a link to the new address. The address changes when the caller opens the link.',
    body: z.strictObject({ email }),
    response: emptyResponse,
  },
  sendPasswordReset: {
    summary: 'Email a link for resetting a password',
    body: z.strictObject({ email }),
    response: emptyResponse,
  },
  resetPassword: {
    summary: 'Set a new password with an emailed link',
    body: z.strictObject({ code, password }),
    response: emptyResponse,
  },
  changePassword: {
    summary: "Change the caller's password",
    body: z.strictObject({ current: password.optional(), password }),
    response: identityToken,
  },
  sendConfirmationCode: {
    summary: "Email a code that confirms the caller's identity",
    description: 'Emails a code to the caller.',
    response: emptyResponse,
  },
  startConfirmation: {
    summary: 'List the ways the caller can confirm their identity',
    description: "Ways to confirm a logged-in user's identity, best first, and the account's second factors.",
    response: z.object({
      methods: z.array(z.enum(['passkey', 'password', 'google', 'mail'])),
      passkey: passkeyOptions.nullable(),
      secondFactor: z
        .object({ passkey: z.boolean(), authenticator: z.boolean(), recoveryCodes: z.boolean() })
        .nullable()
        .describe('Required in addition to any method except a passkey.'),
    }),
  },
  startGoogleConfirmation: {
    summary: "Start confirming the caller's identity with Google",
    response: z.object({ url: z.string() }),
  },
  confirmIdentity: {
    summary: "Confirm the caller's identity",
    description:
      'For calls that need more than a token. The user confirms with a passkey alone, or with another method plus the second step if the account has one.',
    body: z.strictObject({
      passkey: assertion.optional(),
      password: password.optional(),
      google: z.literal(true).optional().describe('After the return from Google.'),
      code: code.optional().describe('The emailed code.'),
      secondFactor: secondStep.optional(),
    }),
    response: identityToken,
  },
  startSecondStep: {
    summary: "List the ways to complete a login's second step",
    description: 'Null if no login has a pending second step.',
    response: z
      .object({ passkey: passkeyOptions.nullable(), authenticator: z.boolean(), recoveryCodes: z.boolean() })
      .nullable(),
  },
  finishSecondStep: {
    summary: "Complete a login's second step",
    description: 'Requires exactly one of the factors.',
    body: secondStep,
    response: identityToken,
  },
  startPasskeyLogin: { summary: 'Get the options for logging in with a passkey', response: passkeyOptions },
  signInWithPasskey: {
    summary: 'Log in with a passkey',
    body: z.strictObject({ passkey: assertion }),
    response: identityToken,
  },
  signOut: { summary: 'Log out', response: emptyResponse },
  signOutEverywhere: { summary: 'End all sessions of the caller', response: emptyResponse },
  signOutElsewhere: {
    summary: 'Log out all other sessions of the caller',
    description: 'Ends all other sessions.',
    response: emptyResponse,
  },
  readSessions: { summary: "List the caller's sessions", response: z.array(openSession) },
  nameSession: {
    summary: 'Rename a session',
    params: sessionParams,
    body: z.strictObject({ name: printableText(MAX_NAME_LENGTH * 20) }),
    response: emptyResponse,
  },
  endSession: { summary: 'End a session', params: sessionParams, response: emptyResponse },
};
