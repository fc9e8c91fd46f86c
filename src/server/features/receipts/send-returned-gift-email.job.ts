import { dayText } from '#domain/days.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import { type ReceiptDocument, receiptLanguage } from '#domain/receipt.ts';
import { type InLanguage, m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { facts, greetingTo, note, paragraph, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/queues.ts';
import type { ReturnTold } from './note-on-receipt.ts';
import { historyOf } from './receipt-document.ts';
import { receiptFilePath } from './receipt-link.ts';
import { receiptSource } from './receipt-sources.store.ts';
import { returnById } from './receipts.store.ts';
import { giftLinkOf } from './send-receipt-email.job.ts';

export type ReturnMailDeps = Pick<AppDeps, 'db' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Mails a donor that money of a gift went back, and what the receipt is good for since. If it changed before the
 * mail was sent, the next mail says so.
 * @throws when the mail server does not take it, so that the job is tried again
 */
export async function mailReturnedGift(
  { db, mailer, publicUrl }: ReturnMailDeps,
  { returnId, status, amount }: JobData['mail-returned-gift'],
): Promise<void> {
  const returned = await returnById(db.kysely, returnId);
  if (returned?.status !== status || !returned.email || !isEmail(returned.email)) return;
  const source = await receiptSource(db.kysely, { orgId: returned.org_id, number: returned.number });
  if (!source) return;
  const { kept } = await historyOf(db.kysely, source);
  const { document } = source;
  const mail = returnMail({
    document,
    kept,
    email: returned.email,
    amount,
    status,
    fileLink: publicUrl() + receiptFilePath({ orgId: source.org_id, key: source.key }),
    giftLink: await giftLinkOf(db.kysely, publicUrl(), source, receiptLanguage(document)),
    publicUrl: publicUrl(),
    messageKey: `returned-gift-${returnId}-${status}`,
  });
  await mailer.send(mail);
}

type ReturnMail = {
  readonly document: ReceiptDocument;
  /** How much of the gift was kept. */
  readonly kept: Cents;
  readonly email: string;
  /** What went back, or came back to the fund. */
  readonly amount: Cents;
  readonly status: ReturnTold;
  readonly fileLink: string;
  /** The page of a recurring gift. */
  readonly giftLink: string | undefined;
  readonly publicUrl: string;
  readonly messageKey: string;
};

export function returnMail(returned: ReturnMail): Mail {
  const { document, kept, email, amount: cents, status, fileLink, giftLink, publicUrl, messageKey } = returned;
  const { number, program, donor, donee, givenOn, mark } = document;
  const language = receiptLanguage(document);
  const options = { locale: language };
  const { subject, title, row, text } = WORDS[status];
  const amount = formatCents(cents);
  const news = title({ amount, program }, options);
  return writeLetter({
    language,
    to: email,
    subject: subject({ program }, options),
    preheader: news,
    greeting: greetingTo(donor, language),
    title: news,
    parts: [
      facts([
        [row({}, options), amount],
        [m.giftPageGift({}, options), formatCents(document.amount)],
        [m.receiptGivenOn({}, options), dayText(givenOn, options)],
        [m.receiptNumber({}, options), String(number)],
        [m.mailReturnedGoodFor({}, options), formatCents(kept)],
      ]),
      paragraph(text({}, options)),
      paragraph(mark ?? goodFor(String(number), kept, options)),
      ...(giftLink === undefined ? [] : [paragraph(m.mailReturnedManage({}, options), giftLink)]),
      note(m.mailReturnedReceipt({}, options), fileLink),
    ],
    sender: [donee.name, `EIN ${donee.ein}`, donee.address, donee.contactEmail],
    publicUrl,
    messageKey,
  });
}

const WORDS = {
  succeeded: {
    subject: m.mailRefundedSubject,
    title: m.mailRefundedTitle,
    row: m.mailRefundedRow,
    text: m.mailRefundedText,
  },
  lost: { subject: m.mailTakenSubject, title: m.mailTakenTitle, row: m.mailTakenRow, text: m.mailTakenText },
  failed: {
    subject: m.mailNotRefundedSubject,
    title: m.mailNotRefundedTitle,
    row: m.mailNotRefundedRow,
    text: m.mailNotRefundedText,
  },
  won: {
    subject: m.mailTakenReturnedSubject,
    title: m.mailTakenReturnedTitle,
    row: m.mailTakenReturnedRow,
    text: m.mailTakenReturnedText,
  },
} as const satisfies Readonly<Record<ReturnTold, unknown>>;

function goodFor(number: string, kept: Cents, options: InLanguage): string {
  return kept === 0
    ? m.mailNoLongerGood({ number }, options)
    : m.mailGoodForTaxes({ number, amount: formatCents(kept) }, options);
}
