import { z } from 'zod';
import { time } from './shared.ts';

/** One setting, tried for real. */
const check = z.object({
  /** Of what: "Webhook". */
  subject: z.string(),
  state: z.enum(['ok', 'warning', 'wrong']),
  /** What was found and, where it is not ok, what to do; never a secret. */
  text: z.string(),
});

export type Check = z.infer<typeof check>;

const moment = time.nullable();

/** How the program runs, for admins. */
export const figures = z.object({
  /** Of the server, to reckon ages by. */
  createdTimestamp: time,
  jobsWaiting: z.number().int(),
  oldestJob: moment,
  /** Of the last seven days. */
  mailsFailed: z.number().int(),
  mailFailed: moment,
  unsettledCheckouts: z.number().int(),
  /** Of these, those that the payment provider should have settled. */
  overdueCheckouts: z.number().int(),
  reportsWaiting: z.number().int(),
  webhookVerified: moment,
  webhookRefused: moment,
  webhooksRefused: z.number().int(),
  /** The last whole one. */
  backupMade: moment,
  /** Since then. */
  backupFailed: moment,
  /** When a backup was last restored to try it, without a difference, and when that backup was begun. */
  restoreProven: moment,
  provenBackup: moment,
  provenSeconds: z.number().int().nullable(),
  /** Of a later try. */
  drillFailed: moment,
  drillProblem: z.string().nullable(),
  /** Whether none was proven for long, though there are backups. */
  drillDue: z.boolean(),
  booksVerified: moment,
  bookDifferences: z.number().int(),
});

export type ShownFigures = z.infer<typeof figures>;

export const operationCalls = {
  readFigures: { answer: figures },
  checkSettings: { answer: z.object({ createdTimestamp: time, checks: z.array(check) }) },
};
