import { z } from 'zod';
import { isEmail } from '#domain/profile.ts';
import { getReceiptLanguage, type ReceiptDocument } from '#domain/receipt.ts';
import { m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { composeEmail, composeGreeting, paragraph } from '#server/gateways/email/compose-email.ts';
import type { Email, Mailer } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
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

type RedirectEmail = {
  readonly document: ReceiptDocument;
  readonly email: string;
  readonly publicUrl: string;
  readonly messageKey: string;
};

export function redirectEmail({ document, email, publicUrl, messageKey }: RedirectEmail): Email {
  const { number, orgName, donor, donee } = document;
  const language = getReceiptLanguage(document);
  const options = { locale: language };
  const title = m.emailReceiptElsewhereTitle({ number: String(number) }, options);
  return composeEmail({
    language,
    to: email,
    subject: m.emailReceiptElsewhereSubject({ program: orgName }, options),
    preheader: title,
    greeting: composeGreeting(donor, language),
    title,
    parts: [
      paragraph(m.emailReceiptElsewhereText({ program: orgName }, options)),
      paragraph(m.emailReceiptElsewhereContact({ email: donee.contactEmail }, options)),
    ],
    sender: [donee.name, `EIN ${donee.ein}`, donee.address, donee.contactEmail],
    publicUrl,
    messageKey,
  });
}
