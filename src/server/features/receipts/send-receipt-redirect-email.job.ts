import { z } from 'zod';
import { isEmail } from '#domain/profile.ts';
import { getReceiptLanguage } from '#domain/receipt.ts';
import { m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { paragraph } from '#server/gateways/email/compose-email.ts';
import type { Email, Mailer } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { composeReceiptEmail, type ReceiptEnvelope } from './compose-receipt-email.ts';
import { findReceiptSource } from './receipt-sources.store.ts';

/**
 * Notifies a donor that an editor sent the receipt to another address. Omits that address, because the donor's own address
 * may be mistyped.
 */
export const sendReceiptRedirectEmail = defineJob({
  name: 'send-receipt-redirect-email',
  payload: z.object({ orgId: z.string(), receiptNumber: z.number() }),
  async run(
    { db, mailer, publicUrl }: Pick<AppDeps, 'db' | 'publicUrl'> & { readonly mailer: Mailer },
    { orgId, receiptNumber: number },
  ) {
    const receipt = await findReceiptSource(db.kysely, { orgId, number });
    if (!receipt?.email || !isEmail(receipt.email)) return;
    const messageKey = `receipt-elsewhere-${orgId}-${number}-${receipt.alternate_email ?? ''}`;
    await mailer.send(
      redirectEmail({ document: receipt.document, email: receipt.email, publicUrl: publicUrl(), messageKey }),
    );
  },
});

export function redirectEmail(details: ReceiptEnvelope): Email {
  const { number, orgName, donee } = details.document;
  const options = { locale: getReceiptLanguage(details.document) };
  const title = m.emailReceiptElsewhereTitle({ number: String(number) }, options);
  return composeReceiptEmail(details, {
    subject: m.emailReceiptElsewhereSubject({ program: orgName }, options),
    preheader: title,
    title,
    parts: [
      paragraph(m.emailReceiptElsewhereText({ program: orgName }, options)),
      paragraph(m.emailReceiptElsewhereContact({ email: donee.contactEmail }, options)),
    ],
  });
}
