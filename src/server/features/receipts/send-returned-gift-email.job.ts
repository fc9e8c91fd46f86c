import { z } from 'zod';
import { localizeAddress } from '#contract/languages.ts';
import { dayText } from '#domain/days.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import { getReceiptLanguage } from '#domain/receipt.ts';
import { type InLanguage, m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { findRecurringGiftLink, giftHomesPath } from '#server/features/recurring-gifts/gift-paths.ts';
import { button, detailRows, outlineButtons, paragraph } from '#server/gateways/email/compose-email.ts';
import type { Email, Mailer } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { composeReceiptEmail, type ReceiptEnvelope } from './compose-receipt-email.ts';
import { readHistory } from './receipt-document.ts';
import { receiptFilePath } from './receipt-link.ts';
import { findReceiptSource } from './receipt-sources.store.ts';
import { findReturn } from './receipts.store.ts';

export type ReturnEmailDeps = Pick<AppDeps, 'db' | 'publicUrl'> & { readonly mailer: Mailer };

/** Outcomes of a refund (succeeded or failed) and of a dispute (lost or won by the fund). */
const RETURN_OUTCOMES = ['succeeded', 'lost', 'failed', 'won'] as const;

export type ReturnOutcome = (typeof RETURN_OUTCOMES)[number];

/**
 * Emails a donor about a refund or dispute, with the amount that the receipt still covers. Sends nothing if the status has
 * changed, because another email is queued for the new status.
 */
export const sendReturnedGiftEmail = defineJob({
  name: 'send-returned-gift-email',
  payload: z.object({
    returnId: z.string(),
    status: z.enum(RETURN_OUTCOMES),
    amount: z.number(),
  }),
  async run({ db, mailer, publicUrl }: ReturnEmailDeps, { returnId, status, amount }) {
    const row = await findReturn(db.kysely, returnId);
    if (row?.status !== status || !row.email || !isEmail(row.email)) return;
    const source = await findReceiptSource(db.kysely, { orgId: row.org_id, number: row.number });
    if (!source) return;
    const { remaining } = await readHistory(db.kysely, source);
    const { org_id: orgId, checkout_id: checkoutId, key, document } = source;
    const language = getReceiptLanguage(document);
    const email = returnEmail({
      document,
      remaining,
      email: row.email,
      amount,
      status,
      fileLink: publicUrl() + receiptFilePath({ orgId, key }),
      homesLink: publicUrl() + localizeAddress(giftHomesPath(orgId, key), language),
      giftLink: await findRecurringGiftLink(db.kysely, publicUrl(), { orgId, checkoutId }, language),
      publicUrl: publicUrl(),
      messageKey: `returned-gift-${returnId}-${status}`,
    });
    await mailer.send(email);
  },
});

type ReturnEmail = ReceiptEnvelope & {
  /** Amount of the gift that the fund keeps. */
  readonly remaining: Cents;
  /** Amount that was returned to the donor or to the fund. */
  readonly amount: Cents;
  readonly status: keyof typeof RETURN_MESSAGES;
  readonly fileLink: string;
  /** Link to the page that shows where the gift went. */
  readonly homesLink?: string;
  /** Link to the recurring gift's page. */
  readonly giftLink?: string | undefined;
  /** Link to the page for a new gift. */
  readonly donateLink?: string;
};

export function returnEmail(details: ReturnEmail): Email {
  const { document, remaining, amount: cents, status } = details;
  const { number, orgName, givenOn, testPaymentNotice } = document;
  const options = { locale: getReceiptLanguage(document) };
  const { subject, title, row: amountLabel, text } = RETURN_MESSAGES[status];
  const amount = formatCents(cents);
  const isFullRefund = status === 'succeeded' && cents === document.amount;
  const headline = (isFullRefund ? m.emailRefundedWholeTitle : title)({ amount, program: orgName }, options);
  return composeReceiptEmail(details, {
    subject: subject({ program: orgName }, options),
    preheader: headline,
    title: headline,
    parts: [
      detailRows([
        [amountLabel({}, options), amount],
        [m.giftPageGift({}, options), formatCents(document.amount)],
        [m.receiptGivenOn({}, options), dayText(givenOn, options)],
        [m.receiptNumber({}, options), String(number)],
        [m.emailReturnedGoodFor({}, options), formatCents(remaining)],
      ]),
      paragraph(text({}, options)),
      paragraph(testPaymentNotice ?? formatTaxSentence(String(number), remaining, options)),
      button(m.emailSeeReceipt({}, options), details.fileLink),
      ...outlineButtons(
        [m.giftHomesTitle({}, options), remaining > 0 ? details.homesLink : undefined],
        [m.emailManageGift({}, options), details.giftLink],
        [m.giftPageBegin({}, options), details.donateLink],
      ),
    ],
  });
}

const RETURN_MESSAGES = {
  succeeded: {
    subject: m.emailRefundedSubject,
    title: m.emailRefundedTitle,
    row: m.emailRefundedRow,
    text: m.emailRefundedText,
  },
  lost: { subject: m.emailTakenSubject, title: m.emailTakenTitle, row: m.emailTakenRow, text: m.emailTakenText },
  failed: {
    subject: m.emailNotRefundedSubject,
    title: m.emailNotRefundedTitle,
    row: m.emailNotRefundedRow,
    text: m.emailNotRefundedText,
  },
  won: {
    subject: m.emailTakenReturnedSubject,
    title: m.emailTakenReturnedTitle,
    row: m.emailTakenReturnedRow,
    text: m.emailTakenReturnedText,
  },
  bounced: {
    subject: m.emailBouncedSubject,
    title: m.emailBouncedTitle,
    row: m.emailBouncedRow,
    text: m.emailBouncedText,
  },
} as const satisfies Readonly<Record<ReturnOutcome | 'bounced', unknown>>;

function formatTaxSentence(number: string, remaining: Cents, options: InLanguage): string {
  return remaining === 0
    ? m.emailNoLongerGood({ number }, options)
    : m.emailGoodForTaxes({ number, amount: formatCents(remaining) }, options);
}
