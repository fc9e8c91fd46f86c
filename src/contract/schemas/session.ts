import { z } from 'zod';
import { EMAIL_MAXIMUM, NAME_MAXIMUM } from '#domain/profile.ts';
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

export const sessionCalls = {
  readToken: { answer: identityToken.nullable() },
  signInByPassword: { body: z.strictObject({ email, password }), answer: identityToken },
  sendSignInLink: { body: z.strictObject({ email, returnTo }), answer: said },
  signInByLink: { body: z.strictObject({ email, code }), answer: identityToken },
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
  /** For calls that need more than a token: who is logged in proves it again, by the password or by a mailed code. */
  prove: {
    body: z.strictObject({ password: password.optional(), code: code.optional() }),
    answer: identityToken,
  },
  signOut: { answer: said },
  signOutEverywhere: { answer: said },
  /** Everywhere but here. */
  signOutElsewhere: { answer: said },
  readSessions: { answer: z.array(openSession) },
  nameSession: { params: ofSession, body: z.strictObject({ name: typedText(NAME_MAXIMUM * 20) }), answer: said },
  endSession: { params: ofSession, answer: said },
};
