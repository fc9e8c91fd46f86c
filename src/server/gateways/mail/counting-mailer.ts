import type { Metrics } from '#server/program/metrics.ts';
import { type Mailer, MailRejected } from './mailer.ts';

/** Counts emails by outcome in the metrics. */
export function countingMailer(mailer: Mailer, metrics: Pick<Metrics, 'count'>): Mailer {
  const count = (outcome: 'sent' | 'rejected' | 'failed') => metrics.count('fund_mails_total', { outcome });
  return {
    send: async (mail) => {
      try {
        await mailer.send(mail);
      } catch (error) {
        count(error instanceof MailRejected ? 'rejected' : 'failed');
        throw error;
      }
      count('sent');
    },
    close: () => mailer.close(),
  };
}
