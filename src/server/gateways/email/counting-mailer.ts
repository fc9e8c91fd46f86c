import type { Metrics } from '#server/process/metrics.ts';
import { timeCall } from '#server/process/time-call.ts';
import { EmailRejectedError, type Mailer } from './mailer.ts';

/** Counts emails by outcome and times them, for the metrics. */
export function createCountingMailer(mailer: Mailer, metrics: Pick<Metrics, 'count' | 'serviceCall'>): Mailer {
  const count = (outcome: 'sent' | 'rejected' | 'failed') => metrics.count('fund_mails_total', { outcome });
  return {
    send: async (email) => {
      try {
        await timeCall(metrics, 'mail', () => mailer.send(email), isRejection);
      } catch (error) {
        count(isRejection(error) ? 'rejected' : 'failed');
        throw error;
      }
      count('sent');
    },
  };
}

function isRejection(error: unknown): boolean {
  return error instanceof EmailRejectedError;
}
