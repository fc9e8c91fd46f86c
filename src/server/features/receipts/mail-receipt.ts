import type { Kysely } from 'kysely';
import { RECEIPT_LINK_DAYS } from '#domain/checkout.ts';
import { dayText } from '#domain/days.ts';
import { formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import {
  printedOn,
  type ReceiptDocument,
  type ReceiptHistory,
  receiptEffect,
  receiptStatements,
  receiptSummary,
} from '#domain/receipt.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { giftPathOf } from '#server/features/subscriptions/gift-path.ts';
import {
  button,
  facts,
  greetingTo,
  heading,
  type LetterPart,
  note,
  paragraph,
  writeLetter,
} from '#server/gateways/mail/letter.ts';
import { type Mail, type Mailer, MailRefused } from '#server/gateways/mail/mailer.ts';
import type { JobData, JobTry } from '#server/jobs/jobs.ts';
import { sendRecorded } from '#server/jobs/send-recorded.ts';
import { receiptFileName } from './read-receipt.ts';
import { type DocumentDeps, documentOf, historyOf } from './receipt-document.ts';
import { receiptFilePath, receiptPath } from './receipt-link.ts';
import { beginMailing, endMailing, FIRST_MAILING } from './receipt-mails.store.ts';
import { receiptPdf } from './receipt-pdf.ts';
import { type ReceiptSource, receiptSource } from './receipt-sources.store.ts';

export type MailReceiptDeps = DocumentDeps & Pick<AppDeps, 'db' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Mails a receipt, unless this mailing has ended before. The try is recorded before the mail is sent, and how it ended
 * right after.
 * @throws when it was not sent for now, so that the job is tried again
 */
export async function mailReceipt(
  deps: MailReceiptDeps,
  { orgId, receiptNumber: number, again }: JobData['send-receipt'],
  at: JobTry = { isLast: false },
): Promise<void> {
  const { db, now } = deps;
  const source = await receiptSource(db.kysely, { orgId, number });
  // Erased before it was mailed: a trigger lists it as a receipt without an address.
  if (!source?.email) return;
  const mailing = { orgId, number, mailing: again ?? FIRST_MAILING };
  if (!(await beginMailing(db.kysely, mailing, now()))) return;
  const email = source.email;
  const send = async () => deps.mailer.send(await mailOf(deps, source, email, again));
  await sendRecorded(send, at, (status, code) => endMailing(db.kysely, mailing, { status, code }, now()));
}

async function mailOf(
  deps: MailReceiptDeps,
  source: ReceiptSource,
  email: string,
  again: string | undefined,
): Promise<Mail> {
  if (!isEmail(email)) throw new MailRefused('address');
  const { db, publicUrl } = deps;
  const { org_id: orgId, number, checkout_id: checkoutId, key } = source;
  const document = await documentOf(db.kysely, deps, source);
  const history = await historyOf(db.kysely, source);
  const file = await receiptPdf(document, history);
  const mail = receiptMail({
    document,
    history,
    email,
    fileLink: publicUrl() + receiptFilePath({ orgId, key }),
    link: checkoutId === null ? undefined : publicUrl() + receiptPath({ orgId, checkoutId, key }),
    giftLink: await giftLinkOf(db.kysely, publicUrl(), source),
    publicUrl: publicUrl(),
    messageKey: ['receipt', orgId, number, again].filter(Boolean).join('-'),
  });
  const name = receiptFileName(document.number);
  return { ...mail, attachments: [{ name, type: 'application/pdf', base64: file.toString('base64') }] };
}

/** Only where something recurs: a cart can also have one-time items alone. */
export async function giftLinkOf(
  db: Kysely<Tables>,
  publicUrl: string,
  { org_id: orgId, checkout_id: checkoutId }: ReceiptSource,
): Promise<string | undefined> {
  const path = checkoutId === null ? undefined : await giftPathOf(db, { orgId, checkoutId });
  return path && publicUrl + path;
}

export type MailedReceipt = {
  readonly document: ReceiptDocument;
  readonly history: ReceiptHistory;
  readonly email: string;
  /** The receipt as a PDF. */
  readonly fileLink: string;
  /** The page for submitting a story; a check has none. */
  readonly link: string | undefined;
  /** The page of a recurring gift. */
  readonly giftLink: string | undefined;
  readonly publicUrl: string;
  /** Another one when an editor sends it again: mail programs hide a second mail with the same key. */
  readonly messageKey: string;
};

export function receiptMail(receipt: MailedReceipt): Mail {
  const { document, history, email, fileLink, link, giftLink, publicUrl, messageKey } = receipt;
  const { number, program, donor, amount, donee, renewal } = document;
  const effect = receiptEffect(document, history);
  const thanks = `Thank you for your gift of ${formatCents(amount)} to ${program}.`;
  return writeLetter({
    to: email,
    subject: `Your gift to ${program}: receipt no. ${number}`,
    preheader: thanks,
    greeting: greetingTo(donor),
    title: thanks,
    parts: [
      facts(receiptSummary(document, history)),
      heading('Your gift'),
      facts(document.lines.map((line) => [line.text, formatCents(line.amount)])),
      ...(effect === '' ? [] : [paragraph(effect)]),
      ...(renewal.length === 0 ? [] : [heading(`Your recurring gift, as of ${dayText(printedOn(document))}`)]),
      ...renewal.map((sentence) => paragraph(sentence)),
      ...(giftLink === undefined ? [] : [paragraph('Manage or stop this gift:', giftLink)]),
      ...storyInvitation(link),
      paragraph(receiptStatements(document).join(' ')),
      note('The receipt is attached as a PDF. You can also download it here:', fileLink),
    ],
    sender: [donee.name, `EIN ${donee.ein}`, donee.address, donee.contactEmail],
    publicUrl,
    messageKey,
  });
}

function storyInvitation(link: string | undefined): LetterPart[] {
  if (link === undefined) return [];
  return [
    paragraph('Tell your story or view your gift.'),
    button('Tell your story', link),
    note(`This link works for ${RECEIPT_LINK_DAYS} days. Please don’t share it.`),
  ];
}
