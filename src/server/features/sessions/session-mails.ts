import { createHash } from 'node:crypto';
import { pagePath } from '#contract/pages.ts';
import { linkLife } from '#domain/mailed-links.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { Parent } from '#server/deps.ts';
import { button, type LetterPart, note, paragraph } from '#server/gateways/mail/letter.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { senderLines } from '#server/gateways/mail/sender-lines.ts';
import { writeLetter } from '#server/gateways/mail/write-letter.ts';

/** What every mail about somebody's own account is made of. Nobody's name stands in one: it may be a stranger's words. */
export type SessionMail = { readonly email: string; readonly parent: Parent; readonly publicUrl: string };
/** The same with a link, built from the public address and a code, which is a key to the account. */
export type LinkMail = SessionMail & { readonly link: string };

const KEEP_IT = 'The link is for you alone: please do not pass it on.';

/** Somebody asked for a link to sign in with. */
export function signInMail(mail: LinkMail): Mail {
  return mailOf('sign-in', mail, {
    subject: `Your link to sign in to ${PROGRAM_NAME}`,
    title: `Sign in to ${PROGRAM_NAME}`,
    said: 'A link to sign in was asked for with this address.',
    parts: [
      button('Sign in', mail.link),
      note(`It works once, within ${linkLife('sign-in')}. In another browser it asks for your email address first.`),
      note('If you did not ask for it, you need not do anything: without the link nobody gets in.'),
      note(KEEP_IT),
    ],
  });
}

/** An account waits for a proof that its address is its owner's. */
export function verificationMail(mail: LinkMail): Mail {
  return mailOf('verify', mail, {
    subject: `Please verify your email address for ${PROGRAM_NAME}`,
    title: 'Verify your email address',
    said: `An account at ${PROGRAM_NAME} has this address. Please show that it is yours.`,
    parts: [
      button('Verify this address', mail.link),
      note(`It works once, within ${linkLife('verify')}, where you are signed in to that account.`),
      note(
        'If you made no account, please do not open it. Until it is opened, the account can do nothing in your name.',
      ),
      note(KEEP_IT),
    ],
  });
}

/** Somebody asked for a link to choose a new password with. */
export function resetMail(mail: LinkMail): Mail {
  return mailOf('reset', mail, {
    subject: `Choose a new password for ${PROGRAM_NAME}`,
    title: 'Choose a new password',
    said: 'A link to choose a new password was asked for with this address.',
    parts: [
      button('Choose a new password', mail.link),
      note(`It works once, within ${linkLife('reset')}. Afterwards you are signed out wherever you were signed in.`),
      note('If you did not ask for it, you need not do anything: your password stays as it is.'),
      note(KEEP_IT),
    ],
  });
}

/** Somebody tried to sign up with an address that has an account already. */
export function knownAddressMail(mail: LinkMail): Mail {
  return mailOf('known-address', mail, {
    subject: `You have an account at ${PROGRAM_NAME} already`,
    title: 'You have an account already',
    said: 'Somebody, perhaps you, tried to sign up with this address, which has an account. Nothing about it was changed.',
    parts: [
      button('Sign in', mail.link),
      note(`It works once, within ${linkLife('sign-in')}. In another browser it asks for your email address first.`),
      note('You forgot your password? Choose a new one:', forgotPassword(mail)),
      note('If it was not you, you need not do anything: without the link nobody gets in.'),
      note(KEEP_IT),
    ],
  });
}

/** A password was changed or chosen anew, so that whoever did not do it learns of it. */
export function passwordChangedMail(mail: SessionMail & { readonly changedAt: Date }): Mail {
  const { parent, changedAt } = mail;
  return mailOf('password-changed', mail, {
    subject: `Your password for ${PROGRAM_NAME} was changed`,
    title: 'Your password was changed',
    said: `The password of your account was changed on ${momentText(changedAt)}.`,
    parts: [
      paragraph('Every other device that was signed in was signed out.'),
      paragraph('If it was not you, choose a new password at once:', forgotPassword(mail)),
      paragraph(`And please tell us: ${parent.contactEmail}`),
    ],
  });
}

type Content = {
  readonly subject: string;
  readonly title: string;
  /** The first sentence, which mail programs show beside the subject too. */
  readonly said: string;
  readonly parts: readonly LetterPart[];
};

function mailOf(kind: string, { email, parent, publicUrl }: SessionMail, { said, parts, ...content }: Content): Mail {
  return writeLetter({
    ...content,
    to: email,
    preheader: said,
    greeting: 'Hello,',
    parts: [paragraph(said), ...parts],
    sender: senderLines(parent, publicUrl),
    publicUrl,
    messageKey: `${kind}-${fingerprint(email, said, parts)}`,
  });
}

/** Tells one mail from the next, and gives nothing away: the link in it is a key. */
function fingerprint(...content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

function forgotPassword({ publicUrl }: SessionMail): string {
  return publicUrl + pagePath('forgot-password-page', {});
}

/** "March 14, 2026 at 9:30 AM (UTC)": where its owner is, nobody knows. */
function momentText(moment: Date): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(moment)} (UTC)`;
}
