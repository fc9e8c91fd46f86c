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
import type { SimulatedApp } from './simulated-app.ts';

/** Runs the pending jobs without other tasks, since PDFs are generated outside the simulated schedule. */
export async function runEmailJobs(app: SimulatedApp): Promise<string> {
  if (!app.world().sendsReceiptEmails) return '';
  const jobs = await findPendingJobs(app);
  for (const job of jobs) await runJob(app, job);
  return `${jobs.length} jobs`;
}

/** Queues emails to the team about new events. Several processes may do this concurrently. */
export async function queuePendingTeamEmails({ deps }: SimulatedApp): Promise<string> {
  await queueTeamEmails(deps);
  return 'done';
}

type PendingJob = { readonly id: number; readonly name: string; readonly data: object; readonly tries: number };

export async function findPendingJobs({ inspector }: SimulatedApp): Promise<readonly PendingJob[]> {
  return (await sql<PendingJob>`select * from simulated_jobs order by id`.execute(inspector)).rows;
}

/** The same as in the server's queues. */
const MAX_TRIES = 30;

const JOBS: readonly Job<object, SimulatedApp['deps']>[] = [
  sendReceiptEmail,
  sendFailedRenewalEmail,
  sendEndedRecurringGiftEmail,
  sendReturnedGiftEmail,
  sendTeamEmail,
];

async function runJob({ deps, inspector }: SimulatedApp, { id, name, data, tries }: PendingJob): Promise<void> {
  try {
    await JOBS.find((job) => job.name === name)?.run(deps, data, { isLastAttempt: tries >= MAX_TRIES });
  } catch (error) {
    if (!(error instanceof EmailRejectedError)) {
      await sql`update simulated_jobs set tries = tries + 1 where id = ${id}`.execute(inspector);
      return;
    }
  }
  await sql`delete from simulated_jobs where id = ${id}`.execute(inspector);
}
