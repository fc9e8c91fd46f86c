import type { Log } from '#server/log.ts';
import type { AppDeps } from './deps.ts';
import { sweepActivityJob } from './features/activity/record-activity.ts';
import { type AlarmDeps, checkAlarmsJob } from './features/alarms/check-alarms.ts';
import { sendAlarmEmail } from './features/alarms/send-alarm-email.job.ts';
import { announceHomesJob, sendGrantEmail } from './features/allocation/send-grant-email.job.ts';
import type { BackupDeps } from './features/backups/make-backup.ts';
import { makeDueBackupJob } from './features/backups/scheduled-backups.ts';
import { removeUnusedPicture } from './features/cells/add-picture.ts';
import { sweepCheckoutsJob } from './features/checkouts/sweep-checkouts.ts';
import { sendGiftsClaimEmail } from './features/donors/claim-gifts.ts';
import { sendCorrectedAddressEmail } from './features/donors/send-corrected-address-email.job.ts';
import { sweepEditorsJob } from './features/editors/change-role.ts';
import { sendInvitationEmail, sendLostRoleEmail, sendNewRoleEmail } from './features/editors/editor-emails.job.ts';
import { compareBooksJob, verifyBooksJob } from './features/operation/verify-books.ts';
import { refreshCheckoutsJob, refreshFeesJob } from './features/payments/refresh-checkouts.ts';
import { sendAlertEmail } from './features/payments/send-alert-email.job.ts';
import { sendCardAlarmEmail } from './features/payments/send-card-alarm-email.job.ts';
import { sweepPledgesJob } from './features/pledges/record-pledge.ts';
import { sendPledgeEmail } from './features/pledges/send-pledge-email.job.ts';
import { applyEventsJob, queueUnhandledEventsJob } from './features/provider-events/apply-events.ts';
import { postAccountFeesJob } from './features/provider-events/post-account-fees.ts';
import { readEventListJob } from './features/provider-events/read-event-list.ts';
import { readPayoutListJob } from './features/provider-events/read-payout-list.ts';
import { sweepRateLimitsJob } from './features/rate-limits/check-rate-limit.ts';
import { sendBouncedCheckEmail } from './features/receipts/send-bounced-check-email.job.ts';
import { sendReceiptEmail } from './features/receipts/send-receipt-email.job.ts';
import { sendReceiptRedirectEmail } from './features/receipts/send-receipt-redirect-email.job.ts';
import { sendReturnedGiftEmail } from './features/receipts/send-returned-gift-email.job.ts';
import { refreshSubscriptionsJob } from './features/recurring-gifts/record-subscription.ts';
import {
  sendChangedRecurringGiftEmail,
  sendEndedRecurringGiftEmail,
  sendFailedRenewalEmail,
} from './features/recurring-gifts/recurring-gift-emails.job.ts';
import { sendSecondFactorEmail } from './features/second-factors/send-second-factor-email.job.ts';
import { createInvitationLink, type InvitationLink } from './features/sessions/accept-invitation.ts';
import { sendSessionEmail } from './features/sessions/send-session-email.job.ts';
import { sweepSessionsJob } from './features/sessions/session-lifecycle.ts';
import { finishSignUp } from './features/sessions/sign-up.ts';
import { sendDeclinedStoryEmail, sendStoryClaimEmail } from './features/stories/claim-story.ts';
import { sendStoryEmail } from './features/stories/send-story-email.job.ts';
import { queueTeamEmailsJob } from './features/team-emails/queue-team-emails.ts';
import { sendTeamEmail } from './features/team-emails/send-team-email.job.ts';
import { sweepTeamNotesJob } from './features/team-notes/team-notes.ts';
import { sendTributeCard } from './features/tributes/send-tribute-card.job.ts';
import { sweepTributesJob } from './features/tributes/tributes.ts';
import { sendAdminChangeEmail } from './features/users/send-admin-change-email.job.ts';
import type { Mailer } from './gateways/email/mailer.ts';
import { removePicture } from './gateways/pictures/remove-picture.job.ts';
import type { Job, RecurringJob } from './jobs/define-job.ts';

/** Dependencies of all jobs. Each job declares the dependencies it needs. */
export type JobDeps = AppDeps &
  AlarmDeps & {
    readonly mailer: Mailer;
    readonly log: Log;
    readonly createInvitationLink: (invitation: InvitationLink) => Promise<string>;
    readonly backups: BackupDeps | undefined;
  };

export function createJobDeps(deps: Omit<JobDeps, 'createInvitationLink'>): JobDeps {
  return { ...deps, createInvitationLink: (invitation) => createInvitationLink(deps, invitation) };
}

export const QUEUED_JOBS: readonly Job<object, JobDeps>[] = [
  finishSignUp,
  removePicture,
  removeUnusedPicture,
  sendAdminChangeEmail,
  sendAlarmEmail,
  sendAlertEmail,
  sendBouncedCheckEmail,
  sendCardAlarmEmail,
  sendChangedRecurringGiftEmail,
  sendCorrectedAddressEmail,
  sendEndedRecurringGiftEmail,
  sendFailedRenewalEmail,
  sendGiftsClaimEmail,
  sendGrantEmail,
  sendInvitationEmail,
  sendLostRoleEmail,
  sendNewRoleEmail,
  sendPledgeEmail,
  sendReceiptEmail,
  sendReceiptRedirectEmail,
  sendDeclinedStoryEmail,
  sendReturnedGiftEmail,
  sendSecondFactorEmail,
  sendSessionEmail,
  sendStoryClaimEmail,
  sendStoryEmail,
  sendTeamEmail,
  sendTributeCard,
];

/** Each of the provider's lists has its own job, so that one failing list doesn't delay the others. */
export const RECURRING_JOBS: readonly RecurringJob<JobDeps>[] = [
  sweepActivityJob,
  checkAlarmsJob,
  refreshCheckoutsJob,
  sweepCheckoutsJob,
  sweepEditorsJob,
  applyEventsJob,
  readEventListJob,
  postAccountFeesJob,
  refreshFeesJob,
  announceHomesJob,
  queueUnhandledEventsJob,
  compareBooksJob,
  verifyBooksJob,
  readPayoutListJob,
  sweepPledgesJob,
  sweepRateLimitsJob,
  makeDueBackupJob,
  sweepSessionsJob,
  refreshSubscriptionsJob,
  queueTeamEmailsJob,
  sweepTeamNotesJob,
  sweepTributesJob,
];
