import { createHash } from 'node:crypto';
import { isEmail } from '#domain/profile.ts';
import { errorLabel, failing, ok, type SettingCheck } from '#server/gateways/check.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { EmailRejectedError, type Mailer } from './mailer.ts';

export type Sender = { readonly name: string; readonly address: string };
export type SmtpOptions = {
  /** smtp://user:password@host:port, or smtps:// */
  readonly url: string;
  readonly from: Sender;
  /** Requires TLS, even if the URL begins with smtp://. */
  readonly requireTls?: boolean;
  /** Time limit for one email, even if the server keeps responding; shorter than a job’s time limit. */
  readonly sendTimeoutMs?: number;
};

/** Maximum time to wait for each response from the server. */
const IDLE_TIMEOUT_MS = 20_000;
const SEND_TIMEOUT_MS = 60_000;
/** Shorter than `IDLE_TIMEOUT_MS`, because an operator is waiting for the result. */
const CHECK_TIMEOUT_MS = 10_000;

/** Sends email via SMTP. All attempts to send one email have the same Message-ID, so that clients can drop duplicates. */
export function createSmtpMailer({
  url,
  from,
  requireTls = false,
  sendTimeoutMs = SEND_TIMEOUT_MS,
}: SmtpOptions): Mailer {
  return {
    send: async ({ to, subject, text, html, messageKey, attachments = [] }) => {
      // Checked again here, because a line break in an address could add recipients.
      if (!isEmail(to)) throw new Error('The email was not sent: the recipient is not an email address');
      const email = {
        from,
        to,
        subject,
        text,
        html,
        messageId: createMessageId(messageKey, from.address),
        signal: AbortSignal.timeout(sendTimeoutMs),
        attachments: attachments.map(({ name, type, base64, contentId }) => ({
          filename: name,
          contentType: type,
          content: base64,
          encoding: 'base64',
          ...(contentId === undefined ? {} : { cid: contentId, contentDisposition: 'inline' as const }),
        })),
      };
      // Each email has its own connection.
      const transport = await createSmtpTransport({ url, requireTls }, IDLE_TIMEOUT_MS);
      try {
        await transport.sendMail(email);
      } catch (error) {
        throw toRejection(error) ?? error;
      } finally {
        transport.close();
      }
    },
  };
}

async function createSmtpTransport({ url, requireTls }: Pick<SmtpOptions, 'url' | 'requireTls'>, timeout: number) {
  // Loaded on first use.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    // Prevents a downgrade to plain text if an attacker removes STARTTLS from the greeting.
    requireTLS: requireTls === true,
    // Prevents an email from making the transport read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Checks the login without sending an email. */
export async function checkSmtp(options: Pick<SmtpOptions, 'url' | 'requireTls'>): Promise<SettingCheck> {
  const transport = await createSmtpTransport(options, CHECK_TIMEOUT_MS);
  const { hostname } = new URL(options.url);
  try {
    await transport.verify();
    return ok(
      'Email',
      `${hostname} accepts email from this program. To send a test email, run “${formatCommandLine('doctor --email you@example.org')}”.`,
    );
  } catch (error) {
    const code = errorLabel(error);
    if (code === 'EAUTH')
      return failing('Email', `${hostname} rejects the user or password of SMTP_URL. Copy both again.`);
    if (code === 'ETLS')
      return failing('Email', `${hostname} doesn’t support TLS. Use smtps:// and its port, or another server.`);
    return failing(
      'Email',
      `Can’t reach ${hostname} (${code}). Are the host and port in SMTP_URL correct, and is the port open?`,
    );
  } finally {
    transport.close();
  }
}

/** Detects a permanent rejection of the recipient or the email: 550 is permanent, 451 is temporary (RFC 5321). */
function toRejection(error: unknown): EmailRejectedError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return undefined;
  // Other rejections, such as a wrong password, are problems with the settings and not with this email.
  const concernsThisEmail = (error.code === 'EENVELOPE' && !isAboutSender(error)) || error.code === 'EMESSAGE';
  const { responseCode } = error;
  if (!concernsThisEmail || typeof responseCode !== 'number' || responseCode < 500) return undefined;
  return new EmailRejectedError(String(responseCode));
}

/** Detects a rejected sender address, which blocks all email until the settings are fixed. */
function isAboutSender(error: Error): boolean {
  return 'command' in error && error.command === 'MAIL FROM';
}

function createMessageId(messageKey: string, from: string): string {
  const unique = createHash('sha256').update(messageKey).digest('hex').slice(0, 32);
  return `<${unique}@${from.split('@')[1] ?? 'localhost'}>`;
}
