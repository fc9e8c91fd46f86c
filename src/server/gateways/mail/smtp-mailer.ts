import { createHash } from 'node:crypto';
import { isEmail } from '#domain/profile.ts';
import { type Check, kindOf, ok, wrong } from '#server/gateways/check.ts';
import { commandLine } from '#server/program-file.ts';
import { type Mailer, MailRefused } from './mailer.ts';

export type MailSender = { readonly name: string; readonly address: string };
export type SmtpOptions = {
  /** smtp://user:password@host:port, or smtps:// */
  readonly url: string;
  readonly from: MailSender;
  /** Whether nothing is sent without TLS, also where the address begins with smtp://. */
  readonly requireTls?: boolean;
  /** In which a mail is sent, also by a server that always says something; below what a job has. */
  readonly withinMs?: number;
};

/** Without a word of the server. */
const TIMEOUT_MS = 20_000;
const WITHIN_MS = 60_000;
/** Whoever tries the settings waits for the answer. */
const CHECK_TIMEOUT_MS = 10_000;

/** Every attempt to send the same mail has the same Message-ID, so that mail programs can drop duplicates. */
export function smtpMailer({ url, from, requireTls = false, withinMs = WITHIN_MS }: SmtpOptions): Mailer {
  let opened: ReturnType<typeof transportTo> | undefined;
  const transport = () => {
    opened ??= transportTo({ url, requireTls }, TIMEOUT_MS);
    return opened;
  };
  return {
    send: async ({ to, subject, text, html, messageKey, attachments = [] }) => {
      // Checked again here, because a line break in an address would add recipients.
      if (!isEmail(to)) throw new Error('A mail was not sent: its recipient is not an email address');
      const mail = {
        from,
        to,
        subject,
        text,
        html,
        messageId: messageId(messageKey, from.address),
        signal: AbortSignal.timeout(withinMs),
        attachments: attachments.map(({ name, type, base64 }) => ({
          filename: name,
          contentType: type,
          content: base64,
          encoding: 'base64',
        })),
      };
      await (await transport()).sendMail(mail).catch((error: unknown) => {
        throw refusalOf(error) ?? error;
      });
    },
    close: async () => (await opened)?.close(),
  };
}

async function transportTo({ url, requireTls }: Pick<SmtpOptions, 'url' | 'requireTls'>, timeout: number) {
  // Not loaded by a program that sends nothing yet.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    // Otherwise it would go on in the clear where somebody in between takes STARTTLS out of the greeting.
    requireTLS: requireTls === true,
    // No mail may make the transport read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Logs in, and sends nothing. */
export async function checkSmtp(options: Pick<SmtpOptions, 'url' | 'requireTls'>): Promise<Check> {
  const transport = await transportTo(options, CHECK_TIMEOUT_MS);
  const { hostname } = new URL(options.url);
  try {
    await transport.verify();
    return ok(
      'Mail',
      `${hostname} takes mail from this program. “${commandLine('doctor --mail you@example.org')}” sends one.`,
    );
  } catch (error) {
    const code = kindOf(error);
    if (code === 'EAUTH')
      return wrong('Mail', `${hostname} refuses the user or password of SMTP_URL. Copy both again.`);
    if (code === 'ETLS')
      return wrong('Mail', `${hostname} offers no TLS. Use smtps:// and its port, or another server.`);
    return wrong(
      'Mail',
      `${hostname} cannot be reached (${code}). Are host and port of SMTP_URL right, and is the port open?`,
    );
  } finally {
    transport.close();
  }
}

/** What the mail server says about a recipient or a mail: 550 is for good, 451 is for now (RFC 5321). */
function refusalOf(error: unknown): MailRefused | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return undefined;
  // Any other refusal, such as of our password, is about the program and not about the mail.
  const isAboutMail = (error.code === 'EENVELOPE' && !isAboutSender(error)) || error.code === 'EMESSAGE';
  const { responseCode } = error;
  if (!isAboutMail || typeof responseCode !== 'number' || responseCode < 500) return undefined;
  return new MailRefused(String(responseCode));
}

/** A server that does not take mail from our address takes none at all until somebody mends that. */
function isAboutSender(error: Error): boolean {
  return 'command' in error && error.command === 'MAIL FROM';
}

function messageId(messageKey: string, from: string): string {
  const unique = createHash('sha256').update(messageKey).digest('hex').slice(0, 32);
  return `<${unique}@${from.split('@')[1] ?? 'localhost'}>`;
}
