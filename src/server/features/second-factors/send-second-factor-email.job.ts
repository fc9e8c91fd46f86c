import { z } from 'zod';
import { localizeAddress, parseLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { REMOVAL_OBJECTION_HOURS } from '#domain/second-factor.ts';
import { m } from '#messages';
import type { EmailDeps } from '#server/deps.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { button, composeEmail, type Envelope, formatUtcTime, paragraph } from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';

const CHANGES = [
  'passkey-added',
  'passkey-removed',
  'authenticator-added',
  'authenticator-removed',
  'recovery-codes-renewed',
  'recovery-code-used',
  'few-recovery-codes',
  'removed-by-admin',
  'removal-asked',
] as const;

export type SecondFactorChange = (typeof CHANGES)[number];

/** Emails a user after every change or use of a second factor, so that an owner who didn't make the change notices. */
export const sendSecondFactorEmail = defineJob({
  name: 'send-second-factor-email',
  payload: z.object({
    userId: z.string(),
    change: z.enum(CHANGES),
    at: z.string(),
    left: z.number().optional(),
  }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { userId, change, at, left }) {
    const user = await findUserRow(db.kysely, userId);
    if (!user) return;
    await mailer.send(
      secondFactorEmail({
        email: user.email,
        language: parseLanguage(user.language),
        parent,
        publicUrl: publicUrl(),
        messageKey: `second-factor-${userId}-${change}-${Date.parse(at)}`,
        change,
        at: new Date(at),
        unusedCodeCount: left,
      }),
    );
  },
});

type SecondFactorEmail = Envelope & {
  readonly change: SecondFactorChange;
  readonly at: Date;
  /** Number of unused recovery codes. */
  readonly unusedCodeCount?: number | undefined;
};

/** The email doesn't contain the user's name, because a stranger may have entered it. */
export function secondFactorEmail(details: SecondFactorEmail): Email {
  const { language, parent, publicUrl, change, at, unusedCodeCount = 0 } = details;
  const options = { locale: language };
  const { subject, title, lead } = TEXTS[change];
  const firstSentence = lead({ moment: formatUtcTime(at, language) }, options);
  const isAboutCodes = change === 'recovery-code-used' || change === 'few-recovery-codes';
  return composeEmail(details, {
    subject: subject({}, options),
    title: title({}, options),
    preheader: firstSentence,
    name: null,
    parts: [
      paragraph(firstSentence),
      ...(isAboutCodes ? [paragraph(m.emailStepCodes({ count: unusedCodeCount }, options))] : []),
      ...(change === 'removal-asked'
        ? [paragraph(m.emailStepObjection({ hours: String(REMOVAL_OBJECTION_HOURS) }, options))]
        : []),
      button(m.emailStepButton({}, options), publicUrl + localizeAddress(pagePath('account-page', {}), language)),
      paragraph(m.emailStepStranger({ email: parent.contactEmail }, options)),
    ],
  });
}

const TEXTS = {
  'passkey-added': {
    subject: m.emailPasskeyAddedSubject,
    title: m.emailPasskeyAddedTitle,
    lead: m.emailPasskeyAddedLead,
  },
  'passkey-removed': {
    subject: m.emailPasskeyRemovedSubject,
    title: m.emailPasskeyRemovedTitle,
    lead: m.emailPasskeyRemovedLead,
  },
  'authenticator-added': {
    subject: m.emailAuthenticatorAddedSubject,
    title: m.emailAuthenticatorAddedTitle,
    lead: m.emailAuthenticatorAddedLead,
  },
  'authenticator-removed': {
    subject: m.emailAuthenticatorRemovedSubject,
    title: m.emailAuthenticatorRemovedTitle,
    lead: m.emailAuthenticatorRemovedLead,
  },
  'recovery-codes-renewed': {
    subject: m.emailCodesRenewedSubject,
    title: m.emailCodesRenewedTitle,
    lead: m.emailCodesRenewedLead,
  },
  'recovery-code-used': { subject: m.emailCodeUsedSubject, title: m.emailCodeUsedTitle, lead: m.emailCodeUsedLead },
  'few-recovery-codes': { subject: m.emailFewCodesSubject, title: m.emailFewCodesTitle, lead: m.emailCodeUsedLead },
  'removed-by-admin': {
    subject: m.emailStepRemovedSubject,
    title: m.emailStepRemovedTitle,
    lead: m.emailStepRemovedLead,
  },
  'removal-asked': { subject: m.emailStepAskedSubject, title: m.emailStepAskedTitle, lead: m.emailStepAskedLead },
} as const satisfies Readonly<Record<SecondFactorChange, unknown>>;
