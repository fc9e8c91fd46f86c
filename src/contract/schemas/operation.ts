import { z } from 'zod';
import { time } from './shared.ts';

/** Result of testing one setting for real. */
const check = z.object({
  /** Subject, such as "Webhook". */
  subject: z.string(),
  state: z.enum(['ok', 'warning', 'wrong']),
  /** The result and, if it isn't ok, the remedy; never a secret. */
  text: z.string(),
});

export type Check = z.infer<typeof check>;

const moment = time.nullable();

/** The program's state, for admins. */
export const figures = z.object({
  /** The server's time, to compute ages. */
  createdTimestamp: time,
  jobsWaiting: z.number().int(),
  oldestJob: moment,
  /** In the last seven days. */
  mailsFailed: z.number().int(),
  mailFailed: moment,
  unsettledCheckouts: z.number().int(),
  /** Those among them that the payment provider should have settled. */
  overdueCheckouts: z.number().int(),
  reportsWaiting: z.number().int(),
  webhookVerified: moment,
  webhookRefused: moment,
  webhooksRefused: z.number().int(),
  /** The last complete backup. */
  backupMade: moment,
  /** A later failed attempt. */
  backupFailed: moment,
  /** The last successful restore drill, and when its backup began. */
  restoreProven: moment,
  provenBackup: moment,
  provenSeconds: z.number().int().nullable(),
  /** A later failed drill. */
  drillFailed: moment,
  drillProblem: z.string().nullable(),
  /** True if backups exist but no drill has succeeded for a long time. */
  drillDue: z.boolean(),
  booksVerified: moment,
  bookDifferences: z.number().int(),
});

export type ShownFigures = z.infer<typeof figures>;

export const operationCalls = {
  readFigures: { answer: figures },
  checkSettings: { answer: z.object({ createdTimestamp: time, checks: z.array(check) }) },
};
