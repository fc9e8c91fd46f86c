import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { isEmail } from '#domain/profile.ts';
import type { Mailer } from './mailer.ts';

export type MailSender = { readonly name: string; readonly address: string };
export type SmtpOptions = {
  /** smtp://user:password@host:port, or smtps:// */
  readonly url: string;
  readonly from: MailSender;
};

const TIMEOUT_MS = 20_000;

/** Every attempt to send the same mail has the same Message-ID, so that mail programs can drop duplicates. */
export function smtpMailer({ url, from }: SmtpOptions): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // No mail may make the transport read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text, html, messageKey }) => {
      // Checked again here, because a line break in an address would add recipients.
      if (!isEmail(to)) throw new Error('A mail was not sent: its recipient is not an email address');
      await transport.sendMail({ from, to, subject, text, html, messageId: messageId(messageKey, from.address) });
    },
    close: async () => transport.close(),
  };
}

function messageId(messageKey: string, from: string): string {
  const unique = createHash('sha256').update(messageKey).digest('hex').slice(0, 32);
  return `<${unique}@${from.split('@')[1] ?? 'localhost'}>`;
}
