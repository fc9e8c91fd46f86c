import { z } from 'zod';
import { time } from './shared.ts';

/** Result of testing one setting against the real service. */
const settingCheck = z.object({
  subject: z.string().describe('Subject, such as "Webhook".'),
  state: z.enum(['ok', 'warning', 'error']),
  text: z.string().describe("The result and, if it isn't ok, the remedy; never a secret."),
});

export type SettingCheck = z.infer<typeof settingCheck>;

const nullableTime = time.nullable();

export const operationStatus = z
  .object({
    createdTimestamp: time.describe("The server's time, to compute ages."),
    pendingJobCount: z.number().int(),
    oldestJobCreatedAt: nullableTime,
    failedEmailCount: z.number().int().describe('In the last seven days.'),
    lastEmailFailedAt: nullableTime,
    unsettledCheckouts: z.number().int(),
    overdueCheckouts: z
      .number()
      .int()
      .describe('Unsettled checkouts that the payment provider should have settled by now.'),
    pendingEventCount: z.number().int(),
    lastWebhookVerifiedAt: nullableTime,
    lastWebhookRejectedAt: nullableTime,
    rejectedWebhookCount: z.number().int(),
    lastBackupAt: nullableTime.describe('The last complete backup.'),
    lastBackupFailedAt: nullableTime.describe('The last failed backup after the last complete one.'),
    lastDrillSucceededAt: nullableTime.describe('The last successful restore drill.'),
    drilledBackupStartedAt: nullableTime.describe('Start time of the backup that this drill restored.'),
    drillDurationSeconds: z.number().int().nullable(),
    lastDrillFailedAt: nullableTime.describe('The last failed drill after the last successful one.'),
    drillProblem: z.string().nullable(),
    isDrillOverdue: z.boolean().describe('True if backups exist but no drill has succeeded for a long time.'),
    booksVerifiedAt: nullableTime,
    bookDifferences: z.number().int(),
    providerComparedAt: nullableTime.describe('The last comparison of the books with the payment provider.'),
    providerDifferences: z.number().int(),
  })
  .meta({ id: 'OperationStatus', description: "The program's state, for admins." });

export type OperationStatus = z.infer<typeof operationStatus>;

export const operationCalls = {
  readOperationStatus: {
    summary: 'Read the status of jobs, payments, webhooks, backups, and books',
    response: operationStatus,
  },
  checkSettings: {
    summary: "Test the program's settings",
    response: z.object({ createdTimestamp: time, checks: z.array(settingCheck) }),
  },
};
