import { z } from 'zod';
import { isEmail } from '#domain/profile.ts';
import { type ReceiptDocument, receiptLanguage } from '#domain/receipt.ts';
import { m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { greetingTo, paragraph, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { receiptSource } from './receipt-sources.store.ts';

/** Tells a donor that an editor sent the receipt to another address. Doesn't name that address, as the donor's may be mistyped. */
export const sendReceiptRedirectEmail = defineJob({
  name: 'send-receipt-redirect-email',
  payload: z.object({ orgId: z.string(), receiptNumber: z.number() }),
  async run(
    { db, mailer, publicUrl }: Pick<AppDeps, 'db' | 'publicUrl'> & { readonly mailer: Mailer },
    { orgId, receiptNumber: number },
  ) {
    const source = await receiptSource(db.kysely, { orgId, number });
    if (!source?.email || !isEmail(source.email)) return;
    const messageKey = `receipt-elsewhere-${orgId}-${number}-${source.alternate_email ?? ''}`;
    await mailer.send(
      redirectMail({ document: source.document, email: source.email, publicUrl: publicUrl(), messageKey }),
    );
  },
});

type RedirectMail = {
  readonly document: ReceiptDocument;
  readonly email: string;
  readonly publicUrl: string;
  readonly messageKey: string;
};

export function redirectMail({ document, email, publicUrl, messageKey }: RedirectMail): Mail {
  const { number, program, donor, donee } = document;
  const language = receiptLanguage(document);
  const options = { locale: language };
  const title = m.mailReceiptElsewhereTitle({ number: String(number) }, options);
  return writeLetter({
    language,
    to: email,
    subject: m.mailReceiptElsewhereSubject({ program }, options),
    preheader: title,
    greeting: greetingTo(donor, language),
    title,
    parts: [
      paragraph(m.mailReceiptElsewhereText({ program }, options)),
      paragraph(m.mailReceiptElsewhereContact({ email: donee.contactEmail }, options)),
    ],
    sender: [donee.name, `EIN ${donee.ein}`, donee.address, donee.contactEmail],
    publicUrl,
    messageKey,
  });
}
