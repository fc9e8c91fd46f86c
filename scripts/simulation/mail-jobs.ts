import { sql } from 'kysely';
import { mailReceipt } from '#server/features/receipts/send-receipt-email.job.ts';
import { mailReturnedGift } from '#server/features/receipts/send-returned-gift-email.job.ts';
import { mailEndedGift, mailFailedRenewal } from '#server/features/subscriptions/gift-emails.job.ts';
import { MailRefused } from '#server/gateways/mail/mailer.ts';
import type { JobData, JobName } from '#server/jobs/queues.ts';
import type { Product } from './product.ts';

/** Runs alone, since PDFs are made outside of the simulated schedule. */
export async function mailAll(product: Product): Promise<string> {
  if (!product.world().mailsReceipts) return '';
  const jobs = await waitingJobs(product);
  for (const job of jobs) await runJob(product, job);
  return `${jobs.length} jobs`;
}

type Job = { readonly id: number; readonly name: JobName; readonly data: never; readonly tries: number };

export async function waitingJobs({ inspector }: Product): Promise<readonly Job[]> {
  return (await sql<Job>`select * from simulated_jobs order by id`.execute(inspector)).rows;
}

/** As many tries as in the program's queues. */
const LAST_TRY = 30;

async function runJob({ deps, inspector }: Product, { id, name, data, tries }: Job): Promise<void> {
  try {
    await handlers[name]?.(deps, data, tries >= LAST_TRY);
  } catch (error) {
    if (!(error instanceof MailRefused)) {
      await sql`update simulated_jobs set tries = tries + 1 where id = ${id}`.execute(inspector);
      return;
    }
  }
  await sql`delete from simulated_jobs where id = ${id}`.execute(inspector);
}

type Handler<Name extends JobName> = (deps: Product['deps'], data: JobData[Name], isLast: boolean) => Promise<void>;

const handlers: { readonly [Name in JobName]?: Handler<Name> } = {
  'send-receipt': (deps, data, isLast) => mailReceipt(deps, data, { isLast }),
  'mail-failed-renewal': (deps, data) => mailFailedRenewal(deps, data),
  'mail-ended-gift': (deps, data) => mailEndedGift(deps, data),
  'mail-returned-gift': (deps, data) => mailReturnedGift(deps, data),
};
