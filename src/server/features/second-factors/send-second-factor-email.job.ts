import { z } from 'zod';
import { languageNamed, localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { REMOVAL_HOURS } from '#domain/second-factor.ts';
import { type Language, m } from '#messages';
import type { AppDeps, Parent } from '#server/deps.ts';
import { userById } from '#server/entities/find-user.ts';
import {
  button,
  composeEmail,
  greetingTo,
  paragraph,
  senderLines,
  utcTimeText,
} from '#server/gateways/email/compose-email.ts';
import type { Email, Mailer } from '#server/gateways/email/mailer.ts';
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

type Deps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/** Emails a user after every change or use of a second factor, so that an owner who didn't make the change notices. */
export const sendSecondFactorEmail = defineJob({
  name: 'send-second-factor-email',
  payload: z.object({
    userId: z.string(),
    change: z.enum(CHANGES),
    at: z.string(),
    left: z.number().optional(),
  }),
  async run({ db, parent, publicUrl, mailer }: Deps, { userId, change, at, left }) {
    const user = await userById(db.kysely, userId);
    if (!user) return;
    await mailer.send(
      secondFactorEmail({
        email: user.email,
        language: languageNamed(user.language),
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

type SecondFactorEmail = {
  readonly email: string;
  readonly language: Language;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
  readonly change: SecondFactorChange;
  readonly at: Date;
  /** Number of unused recovery codes. */
  readonly unusedCodeCount?: number | undefined;
};

/** The email doesn't contain the user's name, because a stranger may have entered it. */
export function secondFactorEmail(details: SecondFactorEmail): Email {
  const { email, language, parent, publicUrl, messageKey, change, at, unusedCodeCount = 0 } = details;
  const options = { locale: language };
  const { subject, title, lead } = TEXTS[change];
  const firstSentence = lead({ moment: utcTimeText(at, language) }, options);
  const isAboutCodes = change === 'recovery-code-used' || change === 'few-recovery-codes';
  return composeEmail({
    language,
    to: email,
    subject: subject({}, options),
    title: title({}, options),
    preheader: firstSentence,
    greeting: greetingTo(null, language),
    parts: [
      paragraph(firstSentence),
      ...(isAboutCodes ? [paragraph(m.mailStepCodes({ count: unusedCodeCount }, options))] : []),
      ...(change === 'removal-asked'
        ? [paragraph(m.mailStepObjection({ hours: String(REMOVAL_HOURS) }, options))]
        : []),
      button(m.mailStepButton({}, options), publicUrl + localizeAddress(pagePath('account-page', {}), language)),
      paragraph(m.mailStepStranger({ email: parent.contactEmail }, options)),
    ],
    sender: senderLines(parent, publicUrl, language),
    publicUrl,
    messageKey,
  });
}

const TEXTS = {
  'passkey-added': {
    subject: m.mailPasskeyAddedSubject,
    title: m.mailPasskeyAddedTitle,
    lead: m.mailPasskeyAddedLead,
  },
  'passkey-removed': {
    subject: m.mailPasskeyRemovedSubject,
    title: m.mailPasskeyRemovedTitle,
    lead: m.mailPasskeyRemovedLead,
  },
  'authenticator-added': {
    subject: m.mailAuthenticatorAddedSubject,
    title: m.mailAuthenticatorAddedTitle,
    lead: m.mailAuthenticatorAddedLead,
  },
  'authenticator-removed': {
    subject: m.mailAuthenticatorRemovedSubject,
    title: m.mailAuthenticatorRemovedTitle,
    lead: m.mailAuthenticatorRemovedLead,
  },
  'recovery-codes-renewed': {
    subject: m.mailCodesRenewedSubject,
    title: m.mailCodesRenewedTitle,
    lead: m.mailCodesRenewedLead,
  },
  'recovery-code-used': { subject: m.mailCodeUsedSubject, title: m.mailCodeUsedTitle, lead: m.mailCodeUsedLead },
  'few-recovery-codes': { subject: m.mailFewCodesSubject, title: m.mailFewCodesTitle, lead: m.mailCodeUsedLead },
  'removed-by-admin': {
    subject: m.mailStepRemovedSubject,
    title: m.mailStepRemovedTitle,
    lead: m.mailStepRemovedLead,
  },
  'removal-asked': { subject: m.mailStepAskedSubject, title: m.mailStepAskedTitle, lead: m.mailStepAskedLead },
} as const satisfies Readonly<Record<SecondFactorChange, unknown>>;
