import { createHash } from 'node:crypto';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { type LinkPurpose, linkLifetime, PROOF_CODE_MINUTES } from '#domain/email-links.ts';
import { maskedEmail } from '#domain/profile.ts';
import { type InLanguage, type Language, m } from '#messages';
import type { Parent } from '#server/deps.ts';
import {
  button,
  composeEmail,
  type EmailPart,
  factRows,
  greetingTo,
  loginUrl,
  note,
  outlineButtons,
  paragraph,
  senderLines,
  utcTimeText,
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

export function signInEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return emailOf('sign-in', email, {
    subject: m.mailSignInSubject({}, options),
    title: m.mailSignInTitle({}, options),
    lead: m.mailSignInLead({}, options),
    parts: [
      button(m.logIn({}, options), email.link),
      expiry('sign-in', m.mailOtherBrowser, options),
      note(m.mailIgnore({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

export function verificationEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return emailOf('verify', email, {
    subject: m.mailVerifySubject({}, options),
    title: m.verifyTitle({}, options),
    lead: m.mailVerifyLead({}, options),
    parts: [
      button(m.mailVerifyButton({}, options), email.link),
      expiry('verify', m.mailVerifyWhere, options),
      note(m.mailVerifyStranger({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

export function resetEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return emailOf('reset', email, {
    subject: m.mailResetSubject({}, options),
    title: m.mailResetTitle({}, options),
    lead: m.mailResetLead({}, options),
    parts: [
      button(m.mailResetButton({}, options), email.link),
      expiry('reset', m.mailResetAfter, options),
      note(m.mailResetIgnore({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

/** Email to a logged-in user who must confirm their identity. */
export function confirmationEmail(email: SessionEmail & { readonly code: string }): Email {
  const options = { locale: email.language };
  const lifetime = m.waitMinutes({ count: PROOF_CODE_MINUTES }, options);
  return emailOf('confirmation', email, {
    subject: m.mailConfirmationSubject({}, options),
    title: m.confirmationTitle({}, options),
    lead: m.mailConfirmationLead({ code: email.code }, options),
    parts: [
      note(m.mailConfirmationUse({ life: lifetime }, options)),
      note(m.mailConfirmationStranger({}, options)),
      ...resetPasswordButtons(email),
    ],
  });
}

/** Email to the owner of an address that someone tried to sign up with. */
export function existingAccountEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return emailOf('known-address', email, {
    subject: m.mailKnownSubject({}, options),
    title: m.mailKnownTitle({}, options),
    lead: m.mailKnownLead({}, options),
    parts: [
      button(m.logIn({}, options), email.link),
      expiry('sign-in', m.mailOtherBrowser, options),
      note(m.mailKnownForgot({}, options)),
      ...resetPasswordButtons(email),
      note(m.mailIgnore({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

/** Email to the new address of an account. Its link changes the address. */
export function newAddressEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return emailOf('new-email', email, {
    subject: m.mailNewEmailSubject({}, options),
    title: m.mailNewEmailTitle({}, options),
    lead: m.mailNewEmailLead({}, options),
    parts: [
      button(m.mailNewEmailButton({}, options), email.link),
      expiry('new-email', m.mailVerifyWhere, options),
      note(m.mailNewEmailStranger({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

/** Email to the owner of an address that someone tried to use for another account. */
export function takenAddressEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return emailOf('taken-address', email, {
    subject: m.mailAddressTakenSubject({}, options),
    title: m.mailAddressTakenTitle({}, options),
    lead: m.mailAddressTakenLead({}, options),
    parts: [
      paragraph(m.mailAddressTakenHow({ email: email.parent.contactEmail }, options)),
      button(m.logIn({}, options), email.link),
      expiry('sign-in', m.mailOtherBrowser, options),
      note(m.mailIgnore({}, options)),
      note(m.mailKeepPrivate({}, options)),
    ],
  });
}

/** Alerts the account's old address after its email was changed. */
export function addressChangedEmail(
  email: SessionEmail & { readonly newEmail: string; readonly changedAt: Date },
): Email {
  const { language, parent, changedAt, newEmail } = email;
  const options = { locale: language };
  const moment = utcTimeText(changedAt, language);
  return emailOf('email-changed', email, {
    subject: m.mailEmailChangedSubject({}, options),
    title: m.mailEmailChangedTitle({}, options),
    lead: m.mailEmailChangedLead({ moment, email: maskedEmail(newEmail) }, options),
    parts: [
      paragraph(m.mailEmailChangedAfter({}, options)),
      paragraph(m.mailEmailChangedStranger({ email: parent.contactEmail }, options)),
    ],
  });
}

/** Alerts the account owner to a login from a new browser. */
export function newDeviceEmail(
  email: SessionEmail & { readonly login: { readonly at: Date; readonly client: string; readonly browser: string } },
): Email {
  const { language, parent, publicUrl, login } = email;
  const options = { locale: language };
  return emailOf('new-device', email, {
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
      ...resetPasswordButtons(email),
      paragraph(m.mailLetUsKnow({ email: parent.contactEmail }, options)),
    ],
  });
}

/** Alerts the account owner to a password change. */
export function passwordChangedEmail(email: SessionEmail & { readonly changedAt: Date }): Email {
  const { language, parent, changedAt } = email;
  const options = { locale: language };
  return emailOf('password-changed', email, {
    subject: m.mailPasswordSubject({}, options),
    title: m.mailPasswordTitle({}, options),
    lead: m.mailPasswordLead({ moment: utcTimeText(changedAt, language) }, options),
    parts: [
      paragraph(m.mailPasswordOthers({}, options)),
      paragraph(m.mailPasswordStranger({}, options)),
      ...resetPasswordButtons(email),
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

function emailOf(kind: string, details: SessionEmail, { lead, parts, ...content }: Content): Email {
  const { email, language, parent, publicUrl } = details;
  return composeEmail({
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

function resetPasswordButtons({ publicUrl, language }: SessionEmail): EmailPart[] {
  const link = publicUrl + localizeAddress(pagePath('forgot-password-page', {}), language);
  return outlineButtons([m.mailResetButton({}, { locale: language }), link]);
}
