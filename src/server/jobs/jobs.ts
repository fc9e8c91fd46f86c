import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

/** Work that is done after the transaction which asked for it, again and again until it succeeds. */
export type JobData = {
  /** Mails the receipt of this number. */
  'mail-receipt': { readonly orgId: string; readonly receiptNumber: number };
};

export type JobName = keyof JobData;

export type Jobs = {
  /** Queues a job in the caller's transaction: it exists if and only if the transaction commits. */
  enqueue<Name extends JobName>(tx: Transaction<Tables>, name: Name, data: JobData[Name]): Promise<void>;
};
