import { onceAvailable } from '#server/db/unavailable.ts';
import { MailRefused } from '#server/gateways/mail/mailer.ts';
import type { JobAttempt } from './define-job.ts';

/** @param code the mail server's response code */
type End = (status: 'mailed' | 'refused' | 'failed', code: string | null) => Promise<void>;

/**
 * Sends an email and records the outcome.
 *
 * If the database is away just after the email was sent, waits for it. Only a crash between the two sends the email again,
 * with the same Message-ID.
 *
 * @throws if the email wasn't sent, so that the job is retried
 */
export async function sendRecorded(send: () => Promise<void>, { isLast }: JobAttempt, end: End): Promise<void> {
  try {
    await send();
  } catch (error) {
    const status = error instanceof MailRefused ? 'refused' : 'failed';
    if (status === 'refused' || isLast) await end(status, codeOf(error));
    throw error;
  }
  await onceAvailable(() => end('mailed', null));
}

/** The code alone: the message can contain the address. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
