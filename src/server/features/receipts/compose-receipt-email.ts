import { getReceiptLanguage, type ReceiptDocument } from '#domain/receipt.ts';
import { composeEmail, type EmailContent, type Envelope } from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';

/** The receipt determines the language and the sender. */
export type ReceiptEnvelope = Omit<Envelope, 'language' | 'parent'> & { readonly document: ReceiptDocument };

/** Composes an email about a receipt, to its donor. */
export function composeReceiptEmail(
  { document, email, publicUrl, messageKey }: ReceiptEnvelope,
  content: Omit<EmailContent, 'name' | 'sender'>,
): Email {
  const { donor, donee } = document;
  return composeEmail(
    { email, language: getReceiptLanguage(document), parent: donee, publicUrl, messageKey },
    { ...content, name: donor, sender: [donee.name, `EIN ${donee.ein}`, donee.address, donee.contactEmail] },
  );
}
