import { inLanguage, languageNamed } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { LINK_MINUTES, type LinkPurpose } from '#domain/mailed-links.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import type { AppDeps } from '#server/deps.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/queues.ts';
import { userById } from '#server/users/find-user.ts';
import { userByEmail } from './accounts.store.ts';
import { insertCode } from './mailed-codes.store.ts';
import { newProofCode } from './prove.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import {
  knownAddressMail,
  type LinkMail,
  newDeviceMail,
  passwordChangedMail,
  proofMail,
  resetMail,
  type SessionMail,
  secondFactorMail,
  signInMail,
  verificationMail,
} from './session-emails.ts';
import { verifiedEmailOf } from './sessions.store.ts';

type LinkDeps = Pick<AppDeps, 'db' | 'publicUrl' | 'now'>;
export type MailSessionDeps = LinkDeps & Pick<AppDeps, 'parent'> & { readonly mailer: Mailer };
type JobOf<Kind extends string> = Extract<JobData['mail-session'], { kind: Kind }>;

/**
 * Mails links to log in, verify an address or reset a password. Only here, where nobody waits for the answer, is it
 * looked up whether an address has an account (decisions §4).
 * @throws when the mail is not accepted; the job then retries with a new link
 */
export async function mailSession(deps: MailSessionDeps, job: JobData['mail-session']): Promise<void> {
  switch (job.kind) {
    case 'sign-in':
      return mailLink(deps, signInMail, { ...job, purpose: 'sign-in' });
    case 'known-address':
      return mailLink(deps, knownAddressMail, { ...job, purpose: 'sign-in' });
    case 'verify':
      return mailVerification(deps, job);
    case 'reset':
      return mailReset(deps, job);
    case 'proof':
      return mailProofCode(deps, job);
    case 'new-device':
      return mailNewDevice(deps, job);
    case 'password-changed':
      return mailPasswordChanged(deps, job);
    case 'second-factor':
      return mailSecondFactor(deps, job);
  }
}

/** Skipped if the address was verified meanwhile or the account is gone. */
async function mailVerification(deps: MailSessionDeps, job: JobOf<'verify'>): Promise<void> {
  const { userId, returnTo, language } = job;
  const user = await userById(deps.db.kysely, userId);
  if (!user || user.email_verified) return;
  await mailLink(deps, verificationMail, { purpose: 'verify', email: user.email, userId, returnTo, language });
}

async function mailReset(deps: MailSessionDeps, { email, language }: JobOf<'reset'>): Promise<void> {
  const user = await userByEmail(deps.db.kysely, email);
  if (user) await mailLink(deps, resetMail, { purpose: 'reset', email, userId: user.id, language });
}

/** Skipped once the session has ended. */
async function mailProofCode(deps: MailSessionDeps, job: JobOf<'proof'>): Promise<void> {
  const { userId, sessionId, language } = job;
  const email = await verifiedEmailOf(deps.db.kysely, sessionId);
  if (email === undefined) return;
  const code = await newProofCode(deps, { sessionId, userId, email });
  await deps.mailer.send(proofMail({ ...addressed(deps, { email, language }), code }));
}

/** Also if the session has ended again. */
async function mailNewDevice(deps: MailSessionDeps, job: JobOf<'new-device'>): Promise<void> {
  const user = await userById(deps.db.kysely, job.userId);
  if (!user) return;
  const { client, browser } = job;
  const login = { client, browser, at: new Date(job.at) };
  await deps.mailer.send(newDeviceMail({ ...addressed(deps, user), login }));
}

async function mailPasswordChanged(deps: MailSessionDeps, job: JobOf<'password-changed'>): Promise<void> {
  const user = await userById(deps.db.kysely, job.userId);
  if (!user) return;
  const changedAt = new Date(job.changedAt);
  await deps.mailer.send(passwordChangedMail({ ...addressed(deps, user), changedAt }));
}

async function mailSecondFactor(deps: MailSessionDeps, job: JobOf<'second-factor'>): Promise<void> {
  const user = await userById(deps.db.kysely, job.userId);
  if (!user) return;
  const { change, left } = job;
  await deps.mailer.send(secondFactorMail({ ...addressed(deps, user), change, left, at: new Date(job.at) }));
}

type Reader = { readonly email: string; readonly language?: string | null | undefined };

function addressed({ parent, publicUrl }: MailSessionDeps, { email, language }: Reader): SessionMail {
  return { email, language: languageNamed(language), parent, publicUrl: publicUrl() };
}

async function mailLink(
  deps: MailSessionDeps,
  write: (mail: LinkMail) => Parameters<Mailer['send']>[0],
  request: LinkRequest,
): Promise<void> {
  const link = await newMailedLink(deps, request);
  await deps.mailer.send(write({ ...addressed(deps, request), link }));
}

const PATHS: Readonly<Record<LinkPurpose, string>> = {
  'sign-in': pagePath('email-signin-page', {}),
  verify: pagePath('verify-email-page', {}),
  reset: pagePath('reset-password-page', {}),
};

export type LinkRequest = {
  readonly purpose: LinkPurpose;
  readonly email: string;
  readonly userId?: string;
  readonly returnTo?: string | undefined;
  /** Of the page that it opens; the first one if not given. */
  readonly language?: string | undefined;
};

/** A link that works once. It does not contain the address: its user has to know it, or be logged in. */
export async function newMailedLink(
  deps: LinkDeps,
  { purpose, email, userId, returnTo, language }: LinkRequest,
): Promise<string> {
  const { db, publicUrl, now } = deps;
  const code = newSecret();
  const expiresAt = new Date(now().getTime() + LINK_MINUTES[purpose] * 60_000);
  await insertCode(db.kysely, { purpose, hash: hashOfSecret(code), email, userId, expiresAt }, now());
  const target = safeReturnTo(returnTo);
  const query = new URLSearchParams({ code, ...(target === undefined ? {} : { return_to: target }) });
  return `${publicUrl()}${inLanguage(PATHS[purpose], languageNamed(language))}?${query.toString()}`;
}
