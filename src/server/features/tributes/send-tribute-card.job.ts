import { z } from 'zod';
import { inLanguage, languageNamed } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { isEmail } from '#domain/profile.ts';
import { beforePeriod } from '#domain/program-name.ts';
import type { Tribute, TributeCard, TributeKind } from '#domain/tribute.ts';
import { type Language, m } from '#messages';
import type { AppDeps, Parent } from '#server/deps.ts';
import { testPayment } from '#server/features/receipts/receipt-document.ts';
import {
  button,
  greetingTo,
  note,
  paragraph,
  quotation,
  senderLines,
  writeLetter,
} from '#server/gateways/mail/letter.ts';
import { type Mail, type Mailer, MailRejected } from '#server/gateways/mail/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { sendAndRecord } from '#server/jobs/send-and-record.ts';
import { type CardRow, cardById, endCard, TEST_PAYMENT } from './tributes.store.ts';

export type MailCardDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl' | 'sandbox' | 'mailbox' | 'now'> & {
  readonly mailer: Mailer;
};

/**
 * Emails the card of a tribute, unless its mailing has ended or the donor was erased. Cards of test payments go to the
 * development mailbox only.
 */
export const sendTributeCard = defineJob({
  name: 'send-tribute-card',
  payload: z.object({ checkoutId: z.string(), mailingId: z.string() }),
  async run(deps: MailCardDeps, { checkoutId, mailingId }, attempt) {
    const { db, now } = deps;
    const card = await cardById(db.kysely, checkoutId);
    if (card?.card_status !== 'sending' || card.card_mailing_id !== mailingId) return;
    const end = (status: 'sent' | 'rejected' | 'failed', code: string | null) =>
      endCard(db.kysely, mailingId, { checkoutId, status, code, at: now() });
    // Prevents sending email to anyone by paying with a test card.
    if (modeOf(deps, card) && !deps.mailbox) return end('failed', TEST_PAYMENT);
    await sendAndRecord(() => deps.mailer.send(mailOf(deps, card)), attempt, end);
  },
});

function modeOf({ sandbox }: MailCardDeps, { livemode }: CardRow) {
  return testPayment(sandbox, livemode ?? undefined);
}

function mailOf(deps: MailCardDeps, card: CardRow): Mail {
  const { parent, publicUrl } = deps;
  const { checkout_id, card_mailing_id, card_email, org_id: orgId } = card;
  if (card_email === null || !isEmail(card_email)) throw new MailRejected('address');
  const mode = modeOf(deps, card);
  const language = languageNamed(card.language);
  return cardMail({
    language,
    kind: card.kind,
    name: card.name,
    orgName: card.org_name,
    card: {
      email: card_email,
      name: card.card_name ?? '',
      message: card.card_message ?? '',
      signed: card.card_signature ?? '',
    },
    link: publicUrl() + inLanguage(pagePath('home-page', { orgid: orgId }), language),
    mark: mode && MARKS[mode]({}, { locale: language }),
    parent,
    publicUrl: publicUrl(),
    messageKey: `card-${checkout_id}-${card_mailing_id}`,
  });
}

const MARKS = { sandbox: m.mailCardSandbox, test: m.mailCardTest } as const;

type CardMail = Tribute & {
  /** The donor's language. */
  readonly language: Language;
  readonly card: TributeCard;
  readonly orgName: string;
  /** The organization's home page. */
  readonly link: string;
  /** Set for a test payment. */
  readonly mark: string | undefined;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
};

/** The card never mentions the amount. */
export function cardMail({ kind, name, card, orgName: org, link, mark, language, ...mail }: CardMail): Mail {
  const { parent, publicUrl, messageKey } = mail;
  const options = { locale: language };
  const words = WORDS[kind];
  const giver = card.signed;
  const names = { org, name: beforePeriod(name) };
  const sentence = giver === '' ? words.unsigned(names, options) : words.news({ giver, ...names }, options);
  const subject = words.subject({ name }, options);
  return writeLetter({
    language,
    to: card.email,
    subject,
    preheader: sentence,
    greeting: greetingTo(card.name, language),
    title: subject,
    parts: [
      ...(mark === undefined ? [] : [note(mark)]),
      paragraph(sentence),
      ...(card.message ? [quotation(card.message, giver || undefined)] : []),
      paragraph(words.thanks({ org }, options)),
      button(m.mailCardVisit({ org }, options), link),
      note(m.mailCardWhy({}, options)),
    ],
    sender: senderLines(parent, publicUrl, language),
    publicUrl,
    messageKey,
  });
}

const WORDS = {
  honor: {
    subject: m.mailCardHonorSubject,
    news: m.mailCardHonorNews,
    unsigned: m.mailCardHonorUnsigned,
    thanks: m.mailCardHonorThanks,
  },
  memory: {
    subject: m.mailCardMemorySubject,
    news: m.mailCardMemoryNews,
    unsigned: m.mailCardMemoryUnsigned,
    thanks: m.mailCardMemoryThanks,
  },
} as const satisfies Readonly<Record<TributeKind, unknown>>;
