import { createHash } from 'node:crypto';
import { pagePath } from '#contract/pages.ts';
import { type LinkPurpose, linkLife, PROOF_CODE_MINUTES } from '#domain/mailed-links.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { REMOVAL_HOURS } from '#domain/second-factor.ts';
import type { Parent } from '#server/deps.ts';
import {
  button,
  facts,
  type LetterPart,
  note,
  paragraph,
  senderLines,
  throughLogin,
  writeLetter,
} from '#server/gateways/mail/letter.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import type { SecondFactorChange } from '#server/jobs/jobs.ts';

/** Account mails contain no name: it could be a stranger's words. */
export type SessionMail = { readonly email: string; readonly parent: Parent; readonly publicUrl: string };
/** The link is a key to the account. */
export type LinkMail = SessionMail & { readonly link: string };

const KEEP_PRIVATE = note('Please don’t forward this email.');
const IGNORE = note('If this wasn’t you, you can ignore this email.');

export function signInMail(mail: LinkMail): Mail {
  return mailOf('sign-in', mail, {
    subject: `Your sign-in link for ${PROGRAM_NAME}`,
    title: `Log in to ${PROGRAM_NAME}`,
    lead: 'Someone, hopefully you, asked for a sign-in link with this address.',
    parts: [
      button('Log in', mail.link),
      expiry('sign-in', 'In another browser we’ll ask for your email first.'),
      IGNORE,
      KEEP_PRIVATE,
    ],
  });
}

export function verificationMail(mail: LinkMail): Mail {
  return mailOf('verify', mail, {
    subject: `Please verify your email for ${PROGRAM_NAME}`,
    title: 'Verify your email',
    lead: 'Please confirm this is your email address.',
    parts: [
      button('Verify my email', mail.link),
      expiry('verify', 'Open it in the browser where you’re logged in.'),
      note(
        `Didn’t create an account at ${PROGRAM_NAME}? Then please don’t open the link. Without it the account can’t do anything in your name.`,
      ),
      KEEP_PRIVATE,
    ],
  });
}

export function resetMail(mail: LinkMail): Mail {
  return mailOf('reset', mail, {
    subject: `Choose a new password for ${PROGRAM_NAME}`,
    title: 'Choose a new password',
    lead: 'Someone, hopefully you, asked to reset the password for the account with this address.',
    parts: [
      button('Choose a new password', mail.link),
      expiry('reset', 'After that you’ll be logged out everywhere.'),
      note('If this wasn’t you, you can ignore this email. Your password stays the same.'),
      KEEP_PRIVATE,
    ],
  });
}

/** To someone who is logged in, and is asked to confirm that. */
export function proofMail(mail: SessionMail & { readonly code: string }): Mail {
  return mailOf('proof', mail, {
    subject: `Your code for ${PROGRAM_NAME}`,
    title: 'Confirm it’s you',
    lead: `Your code is ${mail.code}. Please keep it to yourself.`,
    parts: [
      note(`Type it where you were asked for it. It works once and expires in ${PROOF_CODE_MINUTES} minutes.`),
      note(
        'Didn’t ask for it? Then someone else is logged in to your account. Don’t give them the code, and choose a new password, which logs everyone out:',
        forgotPassword(mail),
      ),
    ],
  });
}

/** To an owner whose address someone tried to sign up with. */
export function knownAddressMail(mail: LinkMail): Mail {
  return mailOf('known-address', mail, {
    subject: `You already have an account at ${PROGRAM_NAME}`,
    title: 'You already have an account',
    lead: 'Someone, hopefully you, tried to sign up with this address, which already has an account. Nothing was changed.',
    parts: [
      button('Log in', mail.link),
      expiry('sign-in', 'In another browser we’ll ask for your email first.'),
      note('Forgot your password? Choose a new one:', forgotPassword(mail)),
      IGNORE,
      KEEP_PRIVATE,
    ],
  });
}

/** Sent after a login in a browser that is not known, so that an owner who was not it finds out. */
export function newDeviceMail(
  mail: SessionMail & { readonly login: { readonly at: Date; readonly client: string; readonly browser: string } },
): Mail {
  const { parent, publicUrl, login } = mail;
  return mailOf('new-device', mail, {
    subject: `New login to your account at ${PROGRAM_NAME}`,
    title: 'New login to your account',
    lead: 'Someone, hopefully you, logged in to your account in a browser that is new to us.',
    parts: [
      facts([
        ['When', momentText(login.at)],
        ['Browser', login.browser],
        ['Network address', login.client],
      ]),
      paragraph('If this was you, there is nothing to do.'),
      button('See where you’re logged in', throughLogin(publicUrl, pagePath('user-home-page', {}))),
      paragraph('If this wasn’t you, choose a new password right away, which logs everyone out:', forgotPassword(mail)),
      paragraph(`And please let us know: ${parent.contactEmail}`),
    ],
  });
}

/** Sent after every change, so that an owner who did not make it finds out. */
export function passwordChangedMail(mail: SessionMail & { readonly changedAt: Date }): Mail {
  const { parent, changedAt } = mail;
  return mailOf('password-changed', mail, {
    subject: `Your password for ${PROGRAM_NAME} was changed`,
    title: 'Your password was changed',
    lead: `The password for your account was changed on ${momentText(changedAt)}.`,
    parts: [
      paragraph('All your other devices were logged out.'),
      paragraph('If this wasn’t you, choose a new password right away:', forgotPassword(mail)),
      paragraph(`And please let us know: ${parent.contactEmail}`),
    ],
  });
}

export type SecondFactorMail = SessionMail & {
  readonly change: SecondFactorChange;
  readonly at: Date;
  /** Recovery codes. */
  readonly left?: number | undefined;
};

/** Sent after every change of how the second step is made, so that an owner who did not make it finds out. */
export function secondFactorMail(mail: SecondFactorMail): Mail {
  const { parent, publicUrl, change, at, left = 0 } = mail;
  const { subject, title, lead } = SECOND_FACTOR_TEXTS[change];
  const codes = left === 1 ? '1 recovery code is' : `${left} recovery codes are`;
  const isAboutCodes = change === 'recovery-code-used' || change === 'few-recovery-codes';
  return mailOf(change, mail, {
    ...{ subject, title },
    lead: `${lead} ${momentText(at)}.`,
    parts: [
      ...(isAboutCodes ? [paragraph(`${codes} left. You can make new ones in your account.`)] : []),
      ...(change === 'removal-asked' ? [paragraph(REMOVAL_OBJECTION)] : []),
      button('Open my account', publicUrl + pagePath('user-home-page', {})),
      paragraph(`If this wasn’t you, please let us know right away: ${parent.contactEmail}`),
    ],
  });
}

const REMOVAL_OBJECTION = `In ${REMOVAL_HOURS} hours you can log in without the second step. To keep it, just log in with it before then: that calls the removal off.`;

type SecondFactorText = { readonly subject: string; readonly title: string; readonly lead: string };

/** Each lead ends with a moment. */
const SECOND_FACTOR_TEXTS: Readonly<Record<SecondFactorChange, SecondFactorText>> = {
  'passkey-added': {
    subject: `A passkey was added to your account at ${PROGRAM_NAME}`,
    title: 'A passkey was added',
    lead: 'A passkey for logging in to your account was added on',
  },
  'passkey-removed': {
    subject: `A passkey was removed from your account at ${PROGRAM_NAME}`,
    title: 'A passkey was removed',
    lead: 'A passkey for logging in to your account was removed on',
  },
  'authenticator-added': {
    subject: `An authenticator app was added to your account at ${PROGRAM_NAME}`,
    title: 'An authenticator app was added',
    lead: 'An authenticator app for logging in to your account was added on',
  },
  'authenticator-removed': {
    subject: `The authenticator app was removed from your account at ${PROGRAM_NAME}`,
    title: 'The authenticator app was removed',
    lead: 'The authenticator app for logging in to your account was removed on',
  },
  'recovery-codes-renewed': {
    subject: `New recovery codes for your account at ${PROGRAM_NAME}`,
    title: 'New recovery codes',
    lead: 'New recovery codes, in place of the former ones, were made on',
  },
  'recovery-code-used': {
    subject: `A recovery code was used at ${PROGRAM_NAME}`,
    title: 'A recovery code was used',
    lead: 'Someone, hopefully you, logged in to your account with a recovery code on',
  },
  'few-recovery-codes': {
    subject: `Few recovery codes are left for your account at ${PROGRAM_NAME}`,
    title: 'Few recovery codes are left',
    lead: 'Someone, hopefully you, logged in to your account with a recovery code on',
  },
  'removed-by-admin': {
    subject: `The second step of your login at ${PROGRAM_NAME} was removed`,
    title: 'The second step was removed',
    lead: 'Passkeys, authenticator app and recovery codes of your account were removed by an admin on',
  },
  'removal-asked': {
    subject: `The second step of your login at ${PROGRAM_NAME} will be removed`,
    title: 'The second step will be removed',
    lead: 'An admin was asked to remove the second step of your login on',
  },
};

type Content = {
  readonly subject: string;
  readonly title: string;
  /** The first sentence; mail programs also show it beside the subject. */
  readonly lead: string;
  readonly parts: readonly LetterPart[];
};

function mailOf(kind: string, { email, parent, publicUrl }: SessionMail, { lead, parts, ...content }: Content): Mail {
  return writeLetter({
    ...content,
    to: email,
    preheader: lead,
    greeting: 'Hello,',
    parts: [paragraph(lead), ...parts],
    sender: senderLines(parent, publicUrl),
    publicUrl,
    messageKey: `${kind}-${fingerprint(email, lead, parts)}`,
  });
}

function expiry(purpose: LinkPurpose, more: string): LetterPart {
  return note(`It works once and expires in ${linkLife(purpose)}. ${more}`);
}

/** Identifies a mail without revealing the link in it. */
function fingerprint(...content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

function forgotPassword({ publicUrl }: SessionMail): string {
  return publicUrl + pagePath('forgot-password-page', {});
}

/** "March 14, 2026 at 9:30 AM (UTC)": the user's time zone is unknown. */
function momentText(moment: Date): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(moment)} (UTC)`;
}
