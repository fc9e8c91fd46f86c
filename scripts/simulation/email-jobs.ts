import { sql } from 'kysely';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { sendReturnedGiftEmail } from '#server/features/receipts/send-returned-gift-email.job.ts';
import {
  sendEndedRecurringGiftEmail,
  sendFailedRenewalEmail,
} from '#server/features/recurring-gifts/recurring-gift-emails.job.ts';
import { queueTeamEmails } from '#server/features/team-emails/queue-team-emails.ts';
import { sendTeamEmail } from '#server/features/team-emails/send-team-email.job.ts';
import { EmailRejectedError } from '#server/gateways/email/mailer.ts';
import type { Job } from '#server/jobs/define-job.ts';
import type { Product } from './product.ts';

/** Runs alone, since PDFs are made outside the simulated schedule. */
export async function runEmailJobs(product: Product): Promise<string> {
  if (!product.world().emailsReceipts) return '';
  const jobs = await findWaitingJobs(product);
  for (const job of jobs) await runJob(product, job);
  return `${jobs.length} jobs`;
}

/** Queues emails to the team about new events. Several processes may do this concurrently. */
export async function queueEmailsOfTeam({ deps }: Product): Promise<string> {
  await queueTeamEmails(deps);
  return 'done';
}

type WaitingJob = { readonly id: number; readonly name: string; readonly data: object; readonly tries: number };

export async function findWaitingJobs({ inspector }: Product): Promise<readonly WaitingJob[]> {
  return (await sql<WaitingJob>`select * from simulated_jobs order by id`.execute(inspector)).rows;
}

/** The same as in the server's queues. */
const LAST_TRY = 30;

const JOBS: readonly Job<object, Product['deps']>[] = [
  sendReceiptEmail,
  sendFailedRenewalEmail,
  sendEndedRecurringGiftEmail,
  sendReturnedGiftEmail,
  sendTeamEmail,
];

async function runJob({ deps, inspector }: Product, { id, name, data, tries }: WaitingJob): Promise<void> {
  try {
    await JOBS.find((job) => job.name === name)?.run(deps, data, { isLast: tries >= LAST_TRY });
  } catch (error) {
    if (!(error instanceof EmailRejectedError)) {
      await sql`update simulated_jobs set tries = tries + 1 where id = ${id}`.execute(inspector);
      return;
    }
  }
  await sql`delete from simulated_jobs where id = ${id}`.execute(inspector);
}
