import type { AppDeps } from '#server/deps.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { type LinkWish, newMailedLink } from './mailed-link.ts';
import { personByEmail, personById } from './people.store.ts';
import {
  knownAddressMail,
  type LinkMail,
  passwordChangedMail,
  resetMail,
  signInMail,
  verificationMail,
} from './session-mails.ts';

export type MailSessionDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl' | 'now'> & { readonly mailer: Mailer };

/**
 * Mails what belongs to signing in. Only here, when nobody waits for an answer any more, is it asked whether an address
 * has an account (decisions §4).
 * @throws when the mail was not taken: the job tries again, with a link of its own
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
    case 'password-changed':
      return mailPasswordChanged(deps, job);
  }
}

type JobOf<Kind extends string> = Extract<JobData['mail-session'], { kind: Kind }>;

async function mailLink(
  deps: MailSessionDeps,
  write: (mail: LinkMail) => Parameters<Mailer['send']>[0],
  wish: LinkWish,
) {
  const link = await newMailedLink(deps, wish);
  const { parent, publicUrl, mailer } = deps;
  await mailer.send(write({ email: wish.email, link, parent, publicUrl: publicUrl() }));
}

/** Unless the address was proven meanwhile, or the account is gone. */
async function mailVerification(deps: MailSessionDeps, { userId, returnTo }: JobOf<'verify'>): Promise<void> {
  const person = await personById(deps.db.kysely, userId);
  if (!person || person.email_verified) return;
  await mailLink(deps, verificationMail, { purpose: 'verify', email: person.email, userId, returnTo });
}

/** An address without an account has no password to choose anew. */
async function mailReset(deps: MailSessionDeps, { email }: JobOf<'reset'>): Promise<void> {
  const person = await personByEmail(deps.db.kysely, email);
  if (person) await mailLink(deps, resetMail, { purpose: 'reset', email, userId: person.id });
}

async function mailPasswordChanged(deps: MailSessionDeps, job: JobOf<'password-changed'>): Promise<void> {
  const { db, parent, publicUrl, mailer } = deps;
  const person = await personById(db.kysely, job.userId);
  if (!person) return;
  const changedAt = new Date(job.changedAt);
  await mailer.send(passwordChangedMail({ email: person.email, changedAt, parent, publicUrl: publicUrl() }));
}
