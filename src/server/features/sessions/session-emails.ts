import { createHash } from 'node:crypto';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { type LinkPurpose, linkLifetime, PROOF_CODE_MINUTES } from '#domain/email-links.ts';
import { maskedEmail } from '#domain/profile.ts';
import { type InLanguage, type Language, m } from '#messages';
import type { Parent } from '#server/deps.ts';
import {
  button,
  type EmailPart,
  factRows,
  greetingTo,
  loginUrl,
  note,
  outlineButtons,
  paragraph,
  senderLines,
  utcTimeText,
  writeLetter,
} from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';

/** Account emails don't contain the user's name, because a stranger may have entered it. */
export type SessionEmail = {
  readonly email: string;
  readonly language: Language;
  readonly parent: Parent;
  readonly publicUrl: string;
};
export type LinkEmail = SessionEmail & { readonly link: string };

export function signInEmail(mail: LinkEmail): Email {
  const options = { locale: mail.language };
  return mailOf('sign-in', mail, {
    subject: m.mailSignInSubject({}, options),
    title: m.mailSignInTitle({}, options),
    lead: m.mailSignInLead({}, options),
    parts: [
      button(m.logIn({}, options), mail.link),
      expiry('sign-in', m.mailOtherBrowser, options),
      note(m.mailIgnore({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

export function verificationEmail(mail: LinkEmail): Email {
  const options = { locale: mail.language };
  return mailOf('verify', mail, {
    subject: m.mailVerifySubject({}, options),
    title: m.verifyTitle({}, options),
    lead: m.mailVerifyLead({}, options),
    parts: [
      button(m.mailVerifyButton({}, options), mail.link),
      expiry('verify', m.mailVerifyWhere, options),
      note(m.mailVerifyStranger({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

export function resetEmail(mail: LinkEmail): Email {
  const options = { locale: mail.language };
  return mailOf('reset', mail, {
    subject: m.mailResetSubject({}, options),
    title: m.mailResetTitle({}, options),
    lead: m.mailResetLead({}, options),
    parts: [
      button(m.mailResetButton({}, options), mail.link),
      expiry('reset', m.mailResetAfter, options),
      note(m.mailResetIgnore({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

/** Email to a logged-in user who must confirm their identity. */
export function proofEmail(mail: SessionEmail & { readonly code: string }): Email {
  const options = { locale: mail.language };
  const lifetime = m.waitMinutes({ count: PROOF_CODE_MINUTES }, options);
  return mailOf('proof', mail, {
    subject: m.mailProofSubject({}, options),
    title: m.proofTitle({}, options),
    lead: m.mailProofLead({ code: mail.code }, options),
    parts: [
      note(m.mailProofUse({ life: lifetime }, options)),
      note(m.mailProofStranger({}, options)),
      ...newPassword(mail),
    ],
  });
}

/** Email to the owner of an address that someone tried to sign up with. */
export function knownAddressEmail(mail: LinkEmail): Email {
  const options = { locale: mail.language };
  return mailOf('known-address', mail, {
    subject: m.mailKnownSubject({}, options),
    title: m.mailKnownTitle({}, options),
    lead: m.mailKnownLead({}, options),
    parts: [
      button(m.logIn({}, options), mail.link),
      expiry('sign-in', m.mailOtherBrowser, options),
      note(m.mailKnownForgot({}, options)),
      ...newPassword(mail),
      note(m.mailIgnore({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

/** Email to the new address of an account. Its link changes the address. */
export function newEmailMail(mail: LinkEmail): Email {
  const options = { locale: mail.language };
  return mailOf('new-email', mail, {
    subject: m.mailNewEmailSubject({}, options),
    title: m.mailNewEmailTitle({}, options),
    lead: m.mailNewEmailLead({}, options),
    parts: [
      button(m.mailNewEmailButton({}, options), mail.link),
      expiry('new-email', m.mailVerifyWhere, options),
      note(m.mailNewEmailStranger({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

/** Email to the owner of an address that someone tried to use for another account. */
export function takenAddressMail(mail: LinkEmail): Email {
  const options = { locale: mail.language };
  return mailOf('taken-address', mail, {
    subject: m.mailAddressTakenSubject({}, options),
    title: m.mailAddressTakenTitle({}, options),
    lead: m.mailAddressTakenLead({}, options),
    parts: [
      paragraph(m.mailAddressTakenHow({ email: mail.parent.contactEmail }, options)),
      button(m.logIn({}, options), mail.link),
      expiry('sign-in', m.mailOtherBrowser, options),
      note(m.mailIgnore({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

/** Email to the former address of an account, so that its owner notices a stranger's change. */
export function emailChangedMail(mail: SessionEmail & { readonly newEmail: string; readonly changedAt: Date }): Email {
  const { language, parent, changedAt, newEmail } = mail;
  const options = { locale: language };
  const moment = utcTimeText(changedAt, language);
  return mailOf('email-changed', mail, {
    subject: m.mailEmailChangedSubject({}, options),
    title: m.mailEmailChangedTitle({}, options),
    lead: m.mailEmailChangedLead({ moment, email: maskedEmail(newEmail) }, options),
    parts: [
      paragraph(m.mailEmailChangedAfter({}, options)),
      paragraph(m.mailEmailChangedStranger({ email: parent.contactEmail }, options)),
    ],
  });
}

/** Email after a login in an unknown browser, so that the account's owner notices a stranger's login. */
export function newDeviceMail(
  mail: SessionEmail & { readonly login: { readonly at: Date; readonly client: string; readonly browser: string } },
): Email {
  const { language, parent, publicUrl, login } = mail;
  const options = { locale: language };
  return mailOf('new-device', mail, {
    subject: m.mailDeviceSubject({}, options),
    title: m.mailDeviceTitle({}, options),
    lead: m.mailDeviceLead({}, options),
    parts: [
      factRows([
        [m.mailDeviceWhen({}, options), utcTimeText(login.at, language)],
        [m.mailDeviceBrowser({}, options), login.browser],
        [m.mailDeviceNetwork({}, options), login.client],
      ]),
      paragraph(m.mailDeviceFine({}, options)),
      button(m.mailDeviceButton({}, options), loginUrl(publicUrl, pagePath('account-page', {}), language)),
      paragraph(m.mailDeviceStranger({}, options)),
      ...newPassword(mail),
      paragraph(m.mailLetUsKnow({ email: parent.contactEmail }, options)),
    ],
  });
}

/** Email after a password change, so that the account's owner notices a stranger's change. */
export function passwordChangedMail(mail: SessionEmail & { readonly changedAt: Date }): Email {
  const { language, parent, changedAt } = mail;
  const options = { locale: language };
  return mailOf('password-changed', mail, {
    subject: m.mailPasswordSubject({}, options),
    title: m.mailPasswordTitle({}, options),
    lead: m.mailPasswordLead({ moment: utcTimeText(changedAt, language) }, options),
    parts: [
      paragraph(m.mailPasswordOthers({}, options)),
      paragraph(m.mailPasswordStranger({}, options)),
      ...newPassword(mail),
      paragraph(m.mailLetUsKnow({ email: parent.contactEmail }, options)),
    ],
  });
}

type Content = {
  readonly subject: string;
  readonly title: string;
  /** First sentence. Email clients also show it next to the subject. */
  readonly lead: string;
  readonly parts: readonly EmailPart[];
};

function mailOf(kind: string, mail: SessionEmail, { lead, parts, ...content }: Content): Email {
  const { email, language, parent, publicUrl } = mail;
  return writeLetter({
    ...content,
    language,
    to: email,
    preheader: lead,
    greeting: greetingTo(null, language),
    parts: [paragraph(lead), ...parts],
    sender: senderLines(parent, publicUrl, language),
    publicUrl,
    messageKey: `${kind}-${fingerprint(email, lead, parts)}`,
  });
}

function expiry(purpose: LinkPurpose, hint: typeof m.mailOtherBrowser, options: InLanguage): EmailPart {
  return note(`${m.mailExpires({ life: linkLifetime(purpose, options) }, options)} ${hint({}, options)}`);
}

/** Identifies an email without revealing its link. */
function fingerprint(...content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

function newPassword({ publicUrl, language }: SessionEmail): EmailPart[] {
  const link = publicUrl + localizeAddress(pagePath('forgot-password-page', {}), language);
  return outlineButtons([m.mailResetButton({}, { locale: language }), link]);
}
