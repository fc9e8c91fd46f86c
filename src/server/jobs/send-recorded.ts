import { onceAvailable } from '#server/db/unavailable.ts';
import { MailRefused } from '#server/gateways/mail/mailer.ts';
import type { JobTry } from './queues.ts';

/** @param code of the mail server */
type End = (status: 'mailed' | 'refused' | 'failed', code: string | null) => Promise<void>;

/**
 * Sends a mail and records how that ended. Its success is recorded right after, also if the database is away just then:
 * only a crash between the two sends it a second time, with the same Message-ID.
 * @throws when it was not sent, so that the job is tried again
 */
export async function sendRecorded(send: () => Promise<void>, { isLast }: JobTry, end: End): Promise<void> {
  try {
    await send();
  } catch (error) {
    const status = error instanceof MailRefused ? 'refused' : 'failed';
    if (status === 'refused' || isLast) await end(status, codeOf(error));
    throw error;
  }
  await onceAvailable(() => end('mailed', null));
}

/** Without the message, which can contain the address. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
