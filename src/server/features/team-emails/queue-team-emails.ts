import { DAY_MS } from '#domain/days.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { defineRecurringJob, type JobQueue } from '#server/jobs/define-job.ts';
import { sendTeamEmail } from './send-team-email.job.ts';
import { insertTeamEmails } from './team-emails.store.ts';

/** Longest outage after which no email is skipped. */
const MAX_OUTAGE_MS = 7 * DAY_MS;
/** Maximum number of emails per run. */
const BATCH_SIZE = 500;

type QueueDeps = Pick<AppDeps, 'db' | 'now'> & { readonly jobs: Pick<JobQueue, 'enqueueAll'> };

/** Queues an email to each team member who chose emails about a new gift, story, problem, or statement. */
export async function queueTeamEmails({ db, now, jobs }: QueueDeps): Promise<void> {
  const since = new Date(now().getTime() - MAX_OUTAGE_MS);
  await inTransaction(db, async (tx) => {
    const emails = await insertTeamEmails(tx, { since, now: now(), max: BATCH_SIZE });
    await jobs.enqueueAll(tx, sendTeamEmail, emails);
  });
}

export const queueTeamEmailsJob = defineRecurringJob({
  name: 'queue-team-emails',
  initialDelayMs: 20_000,
  intervalMs: 60_000,
  isExclusive: true,
  run: queueTeamEmails,
});
