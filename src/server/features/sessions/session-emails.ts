import { createHash } from 'node:crypto';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { CONFIRMATION_CODE_MINUTES, formatLinkLifetime, type LinkPurpose } from '#domain/email-links.ts';
import { maskEmail } from '#domain/profile.ts';
import { type InLanguage, m } from '#messages';
import {
  button,
  composeEmail,
  detailRows,
  type EmailPart,
  type Envelope,
  formatUtcTime,
  loginUrl,
  note,
  outlineButtons,
  paragraph,
} from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';

/** Account emails don't contain the user's name, because a stranger may have entered it. */
export type SessionEmail = Omit<Envelope, 'messageKey'>;
export type LinkEmail = SessionEmail & { readonly link: string };

export function signInEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return composeAccountEmail('sign-in', email, {
    subject: m.emailSignInSubject({}, options),
    title: m.emailSignInTitle({}, options),
    lead: m.emailSignInLead({}, options),
    parts: [
      button(m.logIn({}, options), email.link),
      expiryNote('sign-in', m.emailOtherBrowser, options),
      note(m.emailIgnore({}, options)),
      note(m.emailKeepPrivate({}, options)),
    ],
  });
}

export function verificationEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return composeAccountEmail('verify', email, {
    subject: m.emailVerifySubject({}, options),
    title: m.verifyTitle({}, options),
    lead: m.emailVerifyLead({}, options),
    parts: [
      button(m.emailVerifyButton({}, options), email.link),
      expiryNote('verify', m.emailVerifyWhere, options),
      note(m.emailVerifyStranger({}, options)),
      note(m.emailKeepPrivate({}, options)),
    ],
  });
}

export function resetEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return composeAccountEmail('reset', email, {
    subject: m.emailResetSubject({}, options),
    title: m.emailResetTitle({}, options),
    lead: m.emailResetLead({}, options),
    parts: [
      button(m.emailResetButton({}, options), email.link),
      expiryNote('reset', m.emailResetAfter, options),
      note(m.emailResetIgnore({}, options)),
      note(m.emailKeepPrivate({}, options)),
    ],
  });
}

/** Email to a logged-in user who must confirm their identity. */
export function confirmationEmail(email: SessionEmail & { readonly code: string }): Email {
  const options = { locale: email.language };
  const lifetime = m.waitMinutes({ count: CONFIRMATION_CODE_MINUTES }, options);
  return composeAccountEmail('confirmation', email, {
    subject: m.emailConfirmationSubject({}, options),
    title: m.confirmationTitle({}, options),
    lead: m.emailConfirmationLead({ code: email.code }, options),
    parts: [
      note(m.emailConfirmationUse({ life: lifetime }, options)),
      note(m.emailConfirmationStranger({}, options)),
      ...resetPasswordButtons(email),
    ],
  });
}

/** Email to the owner of an address that someone tried to sign up with. */
export function existingAccountEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return composeAccountEmail('known-address', email, {
    subject: m.emailKnownSubject({}, options),
    title: m.emailKnownTitle({}, options),
    lead: m.emailKnownLead({}, options),
    parts: [
      button(m.logIn({}, options), email.link),
      expiryNote('sign-in', m.emailOtherBrowser, options),
      note(m.emailKnownForgot({}, options)),
      ...resetPasswordButtons(email),
      note(m.emailIgnore({}, options)),
      note(m.emailKeepPrivate({}, options)),
    ],
  });
}

/** Email to the new address of an account. Its link changes the address. */
export function newAddressEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return composeAccountEmail('new-email', email, {
    subject: m.emailNewEmailSubject({}, options),
    title: m.emailNewEmailTitle({}, options),
    lead: m.emailNewEmailLead({}, options),
    parts: [
      button(m.emailNewEmailButton({}, options), email.link),
      expiryNote('new-email', m.emailVerifyWhere, options),
      note(m.emailNewEmailStranger({}, options)),
      note(m.emailKeepPrivate({}, options)),
    ],
  });
}

/** Email to the owner of an address that someone tried to use for another account. */
export function takenAddressEmail(email: LinkEmail): Email {
  const options = { locale: email.language };
  return composeAccountEmail('taken-address', email, {
    subject: m.emailAddressTakenSubject({}, options),
    title: m.emailAddressTakenTitle({}, options),
    lead: m.emailAddressTakenLead({}, options),
    parts: [
      paragraph(m.emailAddressTakenHow({ email: email.parent.contactEmail }, options)),
      button(m.logIn({}, options), email.link),
      expiryNote('sign-in', m.emailOtherBrowser, options),
      note(m.emailIgnore({}, options)),
      note(m.emailKeepPrivate({}, options)),
    ],
  });
}

/** Notifies the account's old address that the account's email was changed. */
export function addressChangedEmail(
  email: SessionEmail & { readonly newEmail: string; readonly changedAt: Date },
): Email {
  const { language, parent, changedAt, newEmail } = email;
  const options = { locale: language };
  const moment = formatUtcTime(changedAt, language);
  return composeAccountEmail('email-changed', email, {
    subject: m.emailEmailChangedSubject({}, options),
    title: m.emailEmailChangedTitle({}, options),
    lead: m.emailEmailChangedLead({ moment, email: maskEmail(newEmail) }, options),
    parts: [
      paragraph(m.emailEmailChangedAfter({}, options)),
      paragraph(m.emailEmailChangedStranger({ email: parent.contactEmail }, options)),
    ],
  });
}

/** Alerts the account owner to a login from a new browser. */
export function newDeviceEmail(
  email: SessionEmail & { readonly login: { readonly at: Date; readonly client: string; readonly browser: string } },
): Email {
  const { language, parent, publicUrl, login } = email;
  const options = { locale: language };
  return composeAccountEmail('new-device', email, {
    subject: m.emailDeviceSubject({}, options),
    title: m.emailDeviceTitle({}, options),
    lead: m.emailDeviceLead({}, options),
    parts: [
      detailRows([
        [m.emailDeviceWhen({}, options), formatUtcTime(login.at, language)],
        [m.emailDeviceBrowser({}, options), login.browser],
        [m.emailDeviceNetwork({}, options), login.client],
      ]),
      paragraph(m.emailDeviceFine({}, options)),
      button(m.emailDeviceButton({}, options), loginUrl(publicUrl, pagePath('account-page', {}), language)),
      paragraph(m.emailDeviceStranger({}, options)),
      ...resetPasswordButtons(email),
      paragraph(m.emailLetUsKnow({ email: parent.contactEmail }, options)),
    ],
  });
}

/** Alerts the account owner to a password change. */
export function passwordChangedEmail(email: SessionEmail & { readonly changedAt: Date }): Email {
  const { language, parent, changedAt } = email;
  const options = { locale: language };
  return composeAccountEmail('password-changed', email, {
    subject: m.emailPasswordSubject({}, options),
    title: m.emailPasswordTitle({}, options),
    lead: m.emailPasswordLead({ moment: formatUtcTime(changedAt, language) }, options),
    parts: [
      paragraph(m.emailPasswordOthers({}, options)),
      paragraph(m.emailPasswordStranger({}, options)),
      ...resetPasswordButtons(email),
      paragraph(m.emailLetUsKnow({ email: parent.contactEmail }, options)),
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

function composeAccountEmail(kind: string, details: SessionEmail, { lead, parts, ...content }: Content): Email {
  const messageKey = `${kind}-${hashContent(details.email, lead, parts)}`;
  return composeEmail(
    { ...details, messageKey },
    { ...content, preheader: lead, name: null, parts: [paragraph(lead), ...parts] },
  );
}

function expiryNote(purpose: LinkPurpose, hint: typeof m.emailOtherBrowser, options: InLanguage): EmailPart {
  return note(`${m.emailExpires({ life: formatLinkLifetime(purpose, options) }, options)} ${hint({}, options)}`);
}

/** Identifies an email without revealing its link. */
function hashContent(...content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

function resetPasswordButtons({ publicUrl, language }: SessionEmail): EmailPart[] {
  const link = publicUrl + localizeAddress(pagePath('forgot-password-page', {}), language);
  return outlineButtons([m.emailResetButton({}, { locale: language }), link]);
}
