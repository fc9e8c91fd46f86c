import { z } from 'zod';
import { time } from './shared.ts';

/** Result of testing one setting for real. */
const check = z.object({
  subject: z.string().describe('Subject, such as "Webhook".'),
  state: z.enum(['ok', 'warning', 'wrong']),
  text: z.string().describe("The result and, if it isn't ok, the remedy; never a secret."),
});

export type Check = z.infer<typeof check>;

const nullableTime = time.nullable();

export const figures = z
  .object({
    createdTimestamp: time.describe("The server's time, to compute ages."),
    jobsWaiting: z.number().int(),
    oldestJob: nullableTime,
    mailsFailed: z.number().int().describe('In the last seven days.'),
    mailFailed: nullableTime,
    unsettledCheckouts: z.number().int(),
    overdueCheckouts: z
      .number()
      .int()
      .describe('Unsettled checkouts that the payment provider should have settled by now.'),
    reportsWaiting: z.number().int(),
    webhookVerified: nullableTime,
    webhookRejected: nullableTime,
    webhooksRejected: z.number().int(),
    backupMade: nullableTime.describe('The last complete backup.'),
    backupFailed: nullableTime.describe('A later failed attempt.'),
    restoreProven: nullableTime.describe('The last successful restore drill, and when its backup began.'),
    provenBackup: nullableTime,
    provenSeconds: z.number().int().nullable(),
    drillFailed: nullableTime.describe('A later failed drill.'),
    drillProblem: z.string().nullable(),
    drillDue: z.boolean().describe('True if backups exist but no drill has succeeded for a long time.'),
    booksVerified: nullableTime,
    bookDifferences: z.number().int(),
    providerCompared: nullableTime.describe('The last comparison of the books with the payment provider.'),
    providerDifferences: z.number().int(),
  })
  .meta({ id: 'OperationFigures', description: "The program's state, for admins." });

export type StatusFigures = z.infer<typeof figures>;

export const operationCalls = {
  readFigures: { summary: 'Read the state of jobs, payments, webhooks, backups, and books', response: figures },
  checkSettings: {
    summary: "Test the program's settings",
    response: z.object({ createdTimestamp: time, checks: z.array(check) }),
  },
};
