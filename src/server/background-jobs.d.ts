import type { Log } from './db/connection.ts';
import type { AppDeps } from './deps.ts';
import { type AlarmDeps } from './features/alarms/check-alarms.ts';
import { type BackupSchedule } from './features/backups/scheduled-backups.ts';
import type { Signals } from './features/provider-events/event-signals.ts';
import { type InvitationLink } from './features/sessions/accept-invitation.ts';
import type { Mailer } from './gateways/mail/mailer.ts';
import type { Job, RecurringJob } from './jobs/define-job.ts';
/** Dependencies of all jobs. Each job names the ones it needs. */
export type JobDeps = AppDeps &
  AlarmDeps & {
    readonly mailer: Mailer;
    readonly log: Log;
    readonly events: Signals;
    readonly waitForEvents: () => Promise<void>;
    readonly newInvitationLink: (invitation: InvitationLink) => Promise<string>;
    readonly backups: BackupSchedule | undefined;
  };
type StartDeps = AppDeps & Omit<JobDeps, keyof AppDeps | 'waitForEvents' | 'newInvitationLink'>;
export declare function jobDeps(deps: StartDeps): JobDeps;
export declare const QUEUED_JOBS: readonly Job<object, JobDeps>[];
/** The provider's list of events and each kind of payment are read apart: one failure holds up nothing else. */
export declare const RECURRING_JOBS: readonly RecurringJob<JobDeps>[];
