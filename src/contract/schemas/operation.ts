import { z } from 'zod';
import { time } from './shared.ts';

/** Result of testing one setting for real. */
const check = z.object({
  subject: z.string().describe('Subject, such as "Webhook".'),
  state: z.enum(['ok', 'warning', 'wrong']),
  text: z.string().describe("The result and, if it isn't ok, the remedy; never a secret."),
});

export type Check = z.infer<typeof check>;

const moment = time.nullable();

export const figures = z
  .object({
    createdTimestamp: time.describe("The server's time, to compute ages."),
    jobsWaiting: z.number().int(),
    oldestJob: moment,
    mailsFailed: z.number().int().describe('In the last seven days.'),
    mailFailed: moment,
    unsettledCheckouts: z.number().int(),
    overdueCheckouts: z.number().int().describe('Those among them that the payment provider should have settled.'),
    reportsWaiting: z.number().int(),
    webhookVerified: moment,
    webhookRejected: moment,
    webhooksRejected: z.number().int(),
    backupMade: moment.describe('The last complete backup.'),
    backupFailed: moment.describe('A later failed attempt.'),
    restoreProven: moment.describe('The last successful restore drill, and when its backup began.'),
    provenBackup: moment,
    provenSeconds: z.number().int().nullable(),
    drillFailed: moment.describe('A later failed drill.'),
    drillProblem: z.string().nullable(),
    drillDue: z.boolean().describe('True if backups exist but no drill has succeeded for a long time.'),
    booksVerified: moment,
    bookDifferences: z.number().int(),
    providerCompared: moment.describe('The last comparison of the books with the payment provider.'),
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
