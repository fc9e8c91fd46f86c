import { z } from 'zod';
import { localizeAddress, parseLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { LINK_MINUTES, type LinkPurpose } from '#domain/email-links.ts';
import type { UserId } from '#domain/ids.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { LANGUAGES } from '#messages';
import type { AppDeps, EmailDeps } from '#server/deps.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { findUserByEmail } from './accounts.store.ts';
import { createConfirmationCode } from './confirm-identity.ts';
import { insertCode } from './email-codes.store.ts';
import { generateSecret, hashSecret } from './secrets.ts';
import {
  addressChangedEmail,
  confirmationEmail,
  existingAccountEmail,
  type LinkEmail,
  newAddressEmail,
  newDeviceEmail,
  passwordChangedEmail,
  resetEmail,
  type SessionEmail,
  signInEmail,
  takenAddressEmail,
  verificationEmail,
} from './session-emails.ts';
import { findVerifiedEmail } from './sessions.store.ts';

type LinkDeps = Pick<AppDeps, 'db' | 'publicUrl' | 'now'>;
type SessionEmailDeps = EmailDeps & Pick<AppDeps, 'now'>;

const languageSchema = z.enum(LANGUAGES).optional();
const returnToSchema = z.string().optional();
const payloadSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sign-in'), email: z.string(), returnTo: returnToSchema, language: languageSchema }),
  z.object({ kind: z.literal('known-address'), email: z.string(), returnTo: returnToSchema, language: languageSchema }),
  z.object({ kind: z.literal('verify'), userId: z.string(), returnTo: returnToSchema, language: languageSchema }),
  z.object({ kind: z.literal('new-email'), userId: z.string(), email: z.string(), language: languageSchema }),
  z.object({
    kind: z.literal('email-changed'),
    formerEmail: z.string(),
    email: z.string(),
    changedAt: z.string(),
    language: z.string().nullable(),
  }),
  z.object({ kind: z.literal('confirmation'), userId: z.string(), sessionId: z.string(), language: languageSchema }),
  z.object({
    kind: z.literal('new-device'),
    userId: z.string(),
    at: z.string(),
    client: z.string(),
    browser: z.string(),
  }),
  z.object({ kind: z.literal('reset'), email: z.string(), language: languageSchema }),
  z.object({ kind: z.literal('password-changed'), userId: z.string(), changedAt: z.string() }),
]);

export type SessionEmailPayload = z.infer<typeof payloadSchema>;
type JobPayload<Kind extends string> = Extract<SessionEmailPayload, { kind: Kind }>;

/**
 * Emails links that log in, verify an address, or reset a password, and notices about logins and account changes.
 *  The job creates the links, so that none are readable in the queue. It also looks up whether an address has an
 *  account, so that response times don't reveal it (decisions §4). A retry sends a new link.
 */
export const sendSessionEmail = defineJob({
  name: 'send-session-email',
  payload: payloadSchema,
  async run(deps: SessionEmailDeps, email) {
    switch (email.kind) {
      case 'sign-in':
        return sendLink(deps, signInEmail, { ...email, purpose: 'sign-in' });
      case 'known-address':
        return sendLink(deps, existingAccountEmail, { ...email, purpose: 'sign-in' });
      case 'verify':
        return sendVerification(deps, email);
      case 'new-email':
        return sendNewEmailLink(deps, email);
      case 'email-changed':
        return sendEmailNotice(deps, email);
      case 'reset':
        return sendResetLink(deps, email);
      case 'confirmation':
        return sendConfirmationCode(deps, email);
      case 'new-device':
        return sendNewDeviceNotice(deps, email);
      case 'password-changed':
        return sendPasswordNotice(deps, email);
    }
  },
});

/** Sends nothing if the address has since been verified or the account has been deleted. */
async function sendVerification(deps: SessionEmailDeps, job: JobPayload<'verify'>): Promise<void> {
  const { userId, returnTo, language } = job;
  const user = await findUserRow(deps.db.kysely, userId);
  if (!user || user.email_verified) return;
  await sendLink(deps, verificationEmail, { purpose: 'verify', email: user.email, userId, returnTo, language });
}

/** Sends a link that changes the address, or a notice if the address already has an account. */
async function sendNewEmailLink(deps: SessionEmailDeps, job: JobPayload<'new-email'>): Promise<void> {
  const { userId, email, language } = job;
  const { kysely } = deps.db;
  if (!(await findUserRow(kysely, userId))) return;
  if (await findUserByEmail(kysely, email)) {
    await sendLink(deps, takenAddressEmail, { purpose: 'sign-in', email, language });
  } else {
    const returnTo = pagePath('account-page', {});
    await sendLink(deps, newAddressEmail, { purpose: 'new-email', email, userId, returnTo, language });
  }
}

async function sendEmailNotice(deps: SessionEmailDeps, job: JobPayload<'email-changed'>): Promise<void> {
  const { formerEmail, email: newEmail, language } = job;
  const email = createSessionEmail(deps, { email: formerEmail, language });
  await deps.mailer.send(addressChangedEmail({ ...email, newEmail, changedAt: new Date(job.changedAt) }));
}

async function sendResetLink(deps: SessionEmailDeps, { email, language }: JobPayload<'reset'>): Promise<void> {
  const user = await findUserByEmail(deps.db.kysely, email);
  if (user) await sendLink(deps, resetEmail, { purpose: 'reset', email, userId: user.id, language });
}

/** Sends nothing if the session has ended. */
async function sendConfirmationCode(deps: SessionEmailDeps, job: JobPayload<'confirmation'>): Promise<void> {
  const { userId, sessionId, language } = job;
  const email = await findVerifiedEmail(deps.db.kysely, sessionId);
  if (email === undefined) return;
  const code = await createConfirmationCode(deps, { sessionId, userId, email });
  await deps.mailer.send(confirmationEmail({ ...createSessionEmail(deps, { email, language }), code }));
}

/** Sends the email even if the session has since ended. */
async function sendNewDeviceNotice(deps: SessionEmailDeps, job: JobPayload<'new-device'>): Promise<void> {
  const user = await findUserRow(deps.db.kysely, job.userId);
  if (!user) return;
  const { client, browser } = job;
  const login = { client, browser, at: new Date(job.at) };
  await deps.mailer.send(newDeviceEmail({ ...createSessionEmail(deps, user), login }));
}

async function sendPasswordNotice(deps: SessionEmailDeps, job: JobPayload<'password-changed'>): Promise<void> {
  const user = await findUserRow(deps.db.kysely, job.userId);
  if (!user) return;
  const changedAt = new Date(job.changedAt);
  await deps.mailer.send(passwordChangedEmail({ ...createSessionEmail(deps, user), changedAt }));
}

type Recipient = { readonly email: string; readonly language?: string | null | undefined };

function createSessionEmail({ parent, publicUrl }: SessionEmailDeps, { email, language }: Recipient): SessionEmail {
  return { email, language: parseLanguage(language), parent, publicUrl: publicUrl() };
}

async function sendLink(
  deps: SessionEmailDeps,
  createEmail: (email: LinkEmail) => Email,
  request: LinkRequest,
): Promise<void> {
  const link = await createEmailLink(deps, request);
  await deps.mailer.send(createEmail({ ...createSessionEmail(deps, request), link }));
}

const PATHS: Readonly<Record<LinkPurpose, string>> = {
  'sign-in': pagePath('email-signin-page', {}),
  verify: pagePath('verify-email-page', {}),
  'new-email': pagePath('verify-email-page', {}),
  reset: pagePath('reset-password-page', {}),
};

export type LinkRequest = {
  readonly purpose: LinkPurpose;
  readonly email: string;
  readonly userId?: UserId;
  readonly returnTo?: string | undefined;
  /** Language of the linked page. Defaults to English. */
  readonly language?: string | undefined;
};

/**
 * Creates a single-use link. The link doesn't contain the address, so the user has to enter the address or be logged
 * in.
 */
export async function createEmailLink(
  deps: LinkDeps,
  { purpose, email, userId, returnTo, language }: LinkRequest,
): Promise<string> {
  const { db, publicUrl, now } = deps;
  const code = generateSecret();
  const expiresAt = new Date(now().getTime() + LINK_MINUTES[purpose] * 60_000);
  await insertCode(db.kysely, { purpose, hash: hashSecret(code), email, userId, expiresAt }, now());
  const target = safeReturnTo(returnTo);
  const query = new URLSearchParams({ code, ...(purpose === 'new-email' ? { new: '1' } : {}) });
  if (target !== undefined) query.set('return_to', target);
  return `${publicUrl()}${localizeAddress(PATHS[purpose], parseLanguage(language))}?${query.toString()}`;
}
