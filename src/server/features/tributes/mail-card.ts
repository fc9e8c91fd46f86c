import { pagePath } from '#contract/pages.ts';
import { isEmail } from '#domain/profile.ts';
import { type Tribute, type TributeCard, type TributeKind, tributeText } from '#domain/tribute.ts';
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
import { type Mail, type Mailer, MailRefused } from '#server/gateways/mail/mailer.ts';
import type { JobData, JobTry } from '#server/jobs/jobs.ts';
import { sendRecorded } from '#server/jobs/send-recorded.ts';
import { type CardRow, cardById, endCard, TEST_PAYMENT } from './tributes.store.ts';

export type MailCardDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl' | 'sandbox' | 'mailbox' | 'now'> & {
  readonly mailer: Mailer;
};

/**
 * Mails the card of a tribute, unless this mailing has ended before, or the donor was erased. That of a test payment goes
 * to the development mailbox alone.
 * @throws when it was not sent for now, so that the job is tried again
 */
export async function mailCard(
  deps: MailCardDeps,
  { checkoutId, mailing }: JobData['mail-card'],
  at: JobTry = { isLast: false },
): Promise<void> {
  const { db, now } = deps;
  const card = await cardById(db.kysely, checkoutId);
  if (card?.card_status !== 'sending' || card.card_mailing !== mailing) return;
  const end = (status: 'mailed' | 'refused' | 'failed', code: string | null) =>
    endCard(db.kysely, mailing, { checkoutId, status, code, at: now() });
  // Otherwise anyone could write to anyone, and pay with a test card.
  if (modeOf(deps, card) && !deps.mailbox) return end('failed', TEST_PAYMENT);
  await sendRecorded(() => deps.mailer.send(mailOf(deps, card)), at, end);
}

function modeOf({ sandbox }: MailCardDeps, { livemode }: CardRow) {
  return testPayment(sandbox, livemode ?? undefined);
}

function mailOf(deps: MailCardDeps, card: CardRow): Mail {
  const { parent, publicUrl } = deps;
  const { checkout_id, card_mailing, card_email, org_id: orgid } = card;
  if (card_email === null || !isEmail(card_email)) throw new MailRefused('address');
  const mode = modeOf(deps, card);
  return cardMail({
    kind: card.kind,
    name: card.name,
    orgName: card.org_name,
    card: {
      email: card_email,
      name: card.card_name ?? '',
      message: card.card_message ?? '',
      signed: card.card_signed ?? '',
    },
    link: publicUrl() + pagePath('home-page', { orgid }),
    mark: mode && MARKS[mode],
    parent,
    publicUrl: publicUrl(),
    messageKey: `card-${checkout_id}-${card_mailing}`,
  });
}

const MARKS = {
  sandbox: 'Sandbox: no money moved, and no gift was made.',
  test: 'Test payment: no money moved, and no gift was made.',
} as const;

type CardMail = Tribute & {
  readonly card: TributeCard;
  readonly orgName: string;
  /** The organization's home page. */
  readonly link: string;
  /** Set where no money moved. */
  readonly mark: string | undefined;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
};

/** Never says how much was given. */
export function cardMail({ kind, name, card, orgName, link, mark, parent, publicUrl, messageKey }: CardMail): Mail {
  const tribute = tributeText({ kind, name });
  const giver = card.signed || 'A donor who wishes to stay anonymous';
  const news = `${giver} has made a gift to ${orgName} ${lowered(tribute)}.`;
  return writeLetter({
    to: card.email,
    subject: `A gift ${lowered(tribute)}`,
    preheader: news,
    greeting: greetingTo(card.name),
    title: `A gift ${lowered(tribute)}`,
    parts: [
      ...(mark === undefined ? [] : [note(mark)]),
      paragraph(news),
      ...(card.message ? [quotation(card.message, card.signed || undefined)] : []),
      paragraph(THANKS[kind](orgName)),
      button(`Visit ${orgName}`, link),
      note(
        'You got this card because the person who gave asked us to mail it to you. It is sent once: you are on no list, and there is nothing to do.',
      ),
    ],
    sender: senderLines(parent, publicUrl),
    publicUrl,
    messageKey,
  });
}

const THANKS: Readonly<Record<TributeKind, (orgName: string) => string>> = {
  honor: (orgName) => `All of us at ${orgName} are grateful for this gift, and glad to bring you the news.`,
  memory: (orgName) => `All of us at ${orgName} are grateful for this gift. Our thoughts are with you.`,
};

function lowered(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
