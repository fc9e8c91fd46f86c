import type { Kysely } from 'kysely';
import { z } from 'zod';
import { localizeAddress } from '#contract/languages.ts';
import { RECEIPT_LINK_DAYS } from '#domain/checkout.ts';
import { dayText } from '#domain/days.ts';
import { formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import {
  buildReceiptSummary,
  getReceiptLanguage,
  officialStatement,
  type ReceiptHistory,
  receiptEffect,
  receiptStatements,
} from '#domain/receipt.ts';
import { type InLanguage, type Language, m } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { findRecurringGiftLink, giftHomesPath } from '#server/features/recurring-gifts/gift-paths.ts';
import {
  amountRows,
  button,
  detailRows,
  type EmailPart,
  heading,
  note,
  outlineButtons,
  paragraph,
} from '#server/gateways/email/compose-email.ts';
import { type Email, EmailRejectedError, type Mailer } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { sendAndRecord } from '#server/jobs/send-and-record.ts';
import { composeReceiptEmail, type ReceiptEnvelope } from './compose-receipt-email.ts';
import { readHistory } from './receipt-document.ts';
import { AUTOMATIC_MAILING, beginMailing, recordMailingOutcome } from './receipt-emails.store.ts';
import { receiptFilePath, receiptPath } from './receipt-link.ts';
import { createReceiptPdf, receiptFileName } from './receipt-pdf.ts';
import { findReceiptSource, hasPublicStory, type ReceiptWithReturns } from './receipt-sources.store.ts';

export type ReceiptEmailDeps = Pick<AppDeps, 'db' | 'publicUrl' | 'now' | 'events'> & { readonly mailer: Mailer };

/** Emails a receipt unless its mailing has ended. Records the attempt before sending and the outcome afterward. */
export const sendReceiptEmail = defineJob({
  name: 'send-receipt-email',
  payload: z.object({ orgId: z.string(), receiptNumber: z.number(), mailingId: z.string() }),
  async run(deps: ReceiptEmailDeps, { orgId, receiptNumber: number, mailingId }, attempt) {
    // Wait for pending payments, since writing a PDF takes as long as recording several payments.
    await deps.events.whenNotBusy();
    const { db, now } = deps;
    const source = await findReceiptSource(db.kysely, { orgId, number });
    const email = source?.alternate_email ?? source?.email;
    // The donor was erased, and a trigger has marked the receipt as having no address.
    if (!source || !email) return;
    const mailing = { orgId, number, mailingId };
    if (!(await beginMailing(db.kysely, mailing, now()))) return;
    const send = async () => deps.mailer.send(await createEmail(deps, source, email, mailingId));
    await sendAndRecord(send, attempt, (status, code) =>
      recordMailingOutcome(db.kysely, mailing, { status, error_code: code }, now()),
    );
  },
});

async function createEmail(
  deps: ReceiptEmailDeps,
  source: ReceiptWithReturns,
  email: string,
  mailingId: string,
): Promise<Email> {
  if (!isEmail(email)) throw new EmailRejectedError('address');
  const { db, publicUrl } = deps;
  const { org_id: orgId, number, document } = source;
  const history = await readHistory(db.kysely, source);
  const file = await createReceiptPdf(document, history);
  const language = getReceiptLanguage(document);
  const message = receiptEmail({
    document,
    history,
    email,
    ...(source.alternate_email === null ? await createDonorLinks(db.kysely, publicUrl(), source, email, language) : {}),
    publicUrl: publicUrl(),
    messageKey: `receipt-${orgId}-${number}${mailingId === AUTOMATIC_MAILING ? '' : `-${mailingId}`}`,
  });
  const name = receiptFileName(document);
  const receipt = { name, type: 'application/pdf', base64: file.toString('base64') };
  return { ...message, attachments: [receipt, ...(message.attachments ?? [])] };
}

/** Links that let the recipient act for the donor. Only the donor's own address gets them. */
async function createDonorLinks(
  db: Kysely<Tables>,
  publicUrl: string,
  source: ReceiptWithReturns,
  email: string,
  language: Language,
): Promise<Pick<ReceiptEmail, 'fileLink' | 'homesLink' | 'storyLink' | 'giftLink'>> {
  const { org_id: orgId, checkout_id: checkoutId, key } = source;
  const asksForStory = checkoutId !== null && !(await hasPublicStory(db, orgId, { email, checkoutId }));
  return {
    fileLink: publicUrl + receiptFilePath({ orgId, key }),
    homesLink: publicUrl + localizeAddress(giftHomesPath(orgId, key), language),
    storyLink: asksForStory
      ? publicUrl + localizeAddress(receiptPath({ orgId, checkoutId, key }), language)
      : undefined,
    giftLink: await findRecurringGiftLink(db, publicUrl, { orgId, checkoutId }, language),
  };
}

/**
 * `messageKey` differs when an editor sends the receipt again, because email programs hide a second email with the same key.
 */
export type ReceiptEmail = ReceiptEnvelope & {
  readonly history: ReceiptHistory;
  /** Link to the receipt as a PDF. */
  readonly fileLink?: string;
  /** Link to the page that shows where the gift went. */
  readonly homesLink?: string;
  /** Link to the page for submitting a story; undefined for a check, or if the donor's story is public. */
  readonly storyLink?: string | undefined;
  /** Link to the recurring gift's page. */
  readonly giftLink?: string | undefined;
};

export function receiptEmail(receipt: ReceiptEmail): Email {
  const { document, history, fileLink, homesLink, storyLink, giftLink } = receipt;
  const { number, orgName, renewal } = document;
  const options = { locale: getReceiptLanguage(document) };
  const effect = receiptEffect(document, history);
  const thanks = m.emailReceiptThanks({ amount: formatCents(document.amount), program: orgName }, options);
  const asOf = m.emailReceiptRecurring({ day: dayText(document.issuedOn, options) }, options);
  return composeReceiptEmail(receipt, {
    subject: m.emailReceiptSubject({ program: orgName, number: String(number) }, options),
    preheader: thanks,
    title: thanks,
    parts: [
      ...(effect === '' ? [] : [paragraph(effect)]),
      ...(fileLink === undefined ? [] : [button(m.emailSeeReceipt({}, options), fileLink)]),
      ...outlineButtons([m.giftHomesTitle({}, options), homesLink]),
      note(m.emailReceiptAttached({}, options)),
      heading(m.giftYours({}, options)),
      amountRows(document.lines.map((line) => [line.text, formatCents(line.amount)])),
      detailRows(buildReceiptSummary(document, history)),
      ...(renewal.length === 0 ? [] : [heading(asOf)]),
      ...renewal.map((sentence) => paragraph(sentence)),
      ...outlineButtons([m.emailManageGift({}, options), giftLink]),
      ...storyInvitation(storyLink, options),
      paragraph(receiptStatements(document).join(' ')),
      ...officialStatement(document).map((statement) => note(statement)),
    ],
  });
}

function storyInvitation(storyLink: string | undefined, options: InLanguage): EmailPart[] {
  if (storyLink === undefined) return [];
  return [
    paragraph(m.emailReceiptStory({}, options)),
    ...outlineButtons([m.tellYourStory({}, options), storyLink]),
    note(m.emailReceiptStoryLink({ days: String(RECEIPT_LINK_DAYS) }, options)),
  ];
}
