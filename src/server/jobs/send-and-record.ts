import { retryUntilAvailable } from '#server/db/unavailable.ts';
import { EmailRejectedError } from '#server/gateways/email/mailer.ts';
import type { JobAttempt } from './define-job.ts';

/** @param code the mail server's response code */
type RecordOutcome = (status: 'sent' | 'rejected' | 'failed', code: string | null) => Promise<void>;

/** Longer than a failover, and shorter than what a minute for sending leaves of the job's two minutes. */
const MAX_WAIT_MS = 45_000;

/**
 * Sends an email and records the outcome.
 *
 * Waits for the database if it becomes unavailable after the email was sent. Only a crash at that moment, or a longer
 * outage, causes a second email, with the same Message-ID.
 *
 * @throws if the email wasn't sent, so that the job is retried
 */
export async function sendAndRecord(
  send: () => Promise<void>,
  { isLastAttempt }: JobAttempt,
  recordOutcome: RecordOutcome,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    const status = error instanceof EmailRejectedError ? 'rejected' : 'failed';
    if (status === 'rejected' || isLastAttempt) await recordOutcome(status, getErrorCode(error));
    throw error;
  }
  await retryUntilAvailable(() => recordOutcome('sent', null), MAX_WAIT_MS);
}

/** The error's code. Its message can contain the address. */
function getErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
