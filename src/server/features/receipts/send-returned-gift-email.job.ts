import { z } from 'zod';
import { dayText } from '#domain/days.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import { type ReceiptDocument, receiptLanguage } from '#domain/receipt.ts';
import { type InLanguage, m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { facts, greetingTo, note, paragraph, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import type { ReturnTold } from './note-on-receipt.ts';
import { historyOf } from './receipt-document.ts';
import { receiptFilePath } from './receipt-link.ts';
import { receiptSource } from './receipt-sources.store.ts';
import { returnById } from './receipts.store.ts';
import { giftLinkOf } from './send-receipt-email.job.ts';

export type ReturnMailDeps = Pick<AppDeps, 'db' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Emails a donor about a refund or dispute, with the amount that the receipt still covers. If the status changed before this
 * email was sent, only the next email is sent.
 */
export const sendReturnedGiftEmail = defineJob({
  name: 'send-returned-gift-email',
  payload: z.object({
    returnId: z.string(),
    status: z.enum(['succeeded', 'lost', 'failed', 'won']),
    amount: z.number(),
  }),
  async run({ db, mailer, publicUrl }: ReturnMailDeps, { returnId, status, amount }) {
    const returned = await returnById(db.kysely, returnId);
    if (returned?.status !== status || !returned.email || !isEmail(returned.email)) return;
    const source = await receiptSource(db.kysely, { orgId: returned.org_id, number: returned.number });
    if (!source) return;
    const { remaining } = await historyOf(db.kysely, source);
    const { document } = source;
    const mail = returnMail({
      document,
      remaining,
      email: returned.email,
      amount,
      status,
      fileLink: publicUrl() + receiptFilePath({ orgId: source.org_id, key: source.key }),
      giftLink: await giftLinkOf(db.kysely, publicUrl(), source, receiptLanguage(document)),
      publicUrl: publicUrl(),
      messageKey: `returned-gift-${returnId}-${status}`,
    });
    await mailer.send(mail);
  },
});

type ReturnMail = {
  readonly document: ReceiptDocument;
  /** How much of the gift was kept. */
  readonly remaining: Cents;
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
  const { document, remaining, email, amount: cents, status, fileLink, giftLink, publicUrl, messageKey } = returned;
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
        [m.mailReturnedGoodFor({}, options), formatCents(remaining)],
      ]),
      paragraph(text({}, options)),
      paragraph(mark ?? goodFor(String(number), remaining, options)),
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

function goodFor(number: string, remaining: Cents, options: InLanguage): string {
  return remaining === 0
    ? m.mailNoLongerGood({ number }, options)
    : m.mailGoodForTaxes({ number, amount: formatCents(remaining) }, options);
}
