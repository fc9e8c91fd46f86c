import { z } from 'zod';
import { localizeAddress, parseLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { isEmail } from '#domain/profile.ts';
import { removeFinalPeriod } from '#domain/site-name.ts';
import type { Tribute, TributeCard, TributeKind } from '#domain/tribute.ts';
import { m } from '#messages';
import type { AppDeps, EmailDeps } from '#server/deps.ts';
import { getTestPaymentKind } from '#server/features/receipts/receipt-document.ts';
import {
  button,
  composeEmail,
  type Envelope,
  note,
  paragraph,
  quotation,
} from '#server/gateways/email/compose-email.ts';
import { type Email, EmailRejectedError } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { sendAndRecord } from '#server/jobs/send-and-record.ts';
import { type CardRow, findCard, recordCardOutcome, TEST_PAYMENT_CODE } from './tributes.store.ts';

export type CardEmailDeps = EmailDeps & Pick<AppDeps, 'sandbox' | 'mailbox' | 'now'>;

/**
 * Emails a tribute card, unless its mailing has ended or the donor's data was erased. Cards for test payments are sent
 * only to the development mailbox.
 */
export const sendTributeCard = defineJob({
  name: 'send-tribute-card',
  payload: z.object({ checkoutId: z.string(), mailingId: z.string() }),
  async run(deps: CardEmailDeps, { checkoutId, mailingId }, attempt) {
    const { db, now } = deps;
    const card = await findCard(db.kysely, checkoutId);
    if (card?.card_status !== 'sending' || card.card_mailing_id !== mailingId) return;
    const recordOutcome = (status: 'sent' | 'rejected' | 'failed', code: string | null) =>
      recordCardOutcome(db.kysely, mailingId, { checkoutId, status, code, changedAt: now() });
    // Don't send the card: anyone could use a test card to email strangers.
    if (getTestMode(deps, card) && !deps.mailbox) return recordOutcome('failed', TEST_PAYMENT_CODE);
    await sendAndRecord(() => deps.mailer.send(createEmail(deps, card)), attempt, recordOutcome);
  },
});

function getTestMode({ sandbox }: CardEmailDeps, { livemode }: CardRow) {
  return getTestPaymentKind(sandbox, livemode ?? undefined);
}

function createEmail(deps: CardEmailDeps, card: CardRow): Email {
  const { parent, publicUrl } = deps;
  const { checkout_id, card_mailing_id, card_email, org_id: orgId } = card;
  if (card_email === null || !isEmail(card_email)) throw new EmailRejectedError('address');
  const mode = getTestMode(deps, card);
  const language = parseLanguage(card.language);
  return cardEmail({
    language,
    kind: card.kind,
    name: card.name,
    orgName: card.org_name,
    card: {
      email: card_email,
      name: card.card_name ?? '',
      message: card.card_message ?? '',
      signature: card.card_signature ?? '',
    },
    link: publicUrl() + localizeAddress(pagePath('home-page', { orgid: orgId }), language),
    testPaymentNotice: mode && TEST_NOTICES[mode]({}, { locale: language }),
    parent,
    publicUrl: publicUrl(),
    messageKey: `card-${checkout_id}-${card_mailing_id}`,
  });
}

const TEST_NOTICES = { sandbox: m.emailCardSandbox, test: m.emailCardTest } as const;

/** `language` is the donor's language. */
type CardEmail = Omit<Envelope, 'email'> &
  Tribute & {
    readonly card: TributeCard;
    readonly orgName: string;
    /** Link to the organization's home page. */
    readonly link: string;
    /** Set for a test payment. */
    readonly testPaymentNotice: string | undefined;
  };

/** Composes the email with the card, which never mentions the amount. */
export function cardEmail({ kind, name, card, orgName: org, link, testPaymentNotice, ...rest }: CardEmail): Email {
  const envelope = { ...rest, email: card.email };
  const options = { locale: envelope.language };
  const texts = CARD_MESSAGES[kind];
  const signature = card.signature;
  const names = { org, name: removeFinalPeriod(name) };
  const sentence =
    signature === '' ? texts.unsigned(names, options) : texts.news({ giver: signature, ...names }, options);
  const subject = texts.subject({ name }, options);
  return composeEmail(envelope, {
    subject,
    preheader: sentence,
    name: card.name,
    title: subject,
    parts: [
      ...(testPaymentNotice === undefined ? [] : [note(testPaymentNotice)]),
      paragraph(sentence),
      ...(card.message ? [quotation(card.message, signature || undefined)] : []),
      paragraph(texts.thanks({ org }, options)),
      button(m.emailCardVisit({ org }, options), link),
      note(m.emailCardWhy({}, options)),
    ],
  });
}

const CARD_MESSAGES = {
  honor: {
    subject: m.emailCardHonorSubject,
    news: m.emailCardHonorNews,
    unsigned: m.emailCardHonorUnsigned,
    thanks: m.emailCardHonorThanks,
  },
  memory: {
    subject: m.emailCardMemorySubject,
    news: m.emailCardMemoryNews,
    unsigned: m.emailCardMemoryUnsigned,
    thanks: m.emailCardMemoryThanks,
  },
} as const satisfies Readonly<Record<TributeKind, unknown>>;
