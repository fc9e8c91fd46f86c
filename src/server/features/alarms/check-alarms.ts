import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { updateAlarm } from '#domain/alarms.ts';
import {
  type AlarmName,
  CLOCK_WRONG,
  DISK_LOW,
  HEALTH_CHECK_NAMES,
  isClockWrong,
  isDiskLow,
} from '#domain/health-checks.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { listVerifiedAdminIds } from '#server/entities/find-user.ts';
import { claimAlarmCheck } from '#server/features/operation/alarm-events.ts';
import { readFailingChecks } from '#server/features/operation/read-failing-checks.ts';
import { readFigures } from '#server/features/operation/read-figures.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { lockAlarm, saveAlarm } from './alarms.store.ts';
import { type AlarmRecipient, sendAlarmEmail } from './send-alarm-email.job.ts';

export type AlarmDeps = Pick<AppDeps, 'db' | 'jobs' | 'now' | 'payments'> & {
  /** Recipients of alarms. If empty, all admins. */
  readonly alarmEmails: readonly string[];
  /** Folder on the disk to check. */
  readonly dataDir: string;
};

/**
 * Checks for problems that would otherwise go unnoticed, and sends an email when an alarm begins or ends.
 *
 * Call it every five minutes. Each process checks its own disk and clock; only one checks everything else.
 */
export async function checkAlarms(deps: AlarmDeps, log: Log): Promise<void> {
  const { db, now, payments } = deps;
  await recordAlarm(deps, log, DISK_LOW.name, await isLocalDiskLow(deps.dataDir), os.hostname());
  const clockLeadMs = payments.clockLeadMs();
  if (clockLeadMs !== undefined)
    await recordAlarm(deps, log, CLOCK_WRONG.name, isClockWrong(clockLeadMs), os.hostname());
  if (!(await claimAlarmCheck(db, now()))) return;
  const time = now();
  const failingChecks = await readFailingChecks(db, time, await readFigures(db, time));
  const failingNames = new Set(failingChecks.map(({ name }) => name));
  for (const name of HEALTH_CHECK_NAMES) await recordAlarm(deps, log, name, failingNames.has(name));
}

async function isLocalDiskLow(folder: string): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return isDiskLow(bavail * bsize, blocks * bsize);
}

/** @param host the affected machine, if the alarm is about one machine */
export async function recordAlarm(
  { db, jobs, now, alarmEmails }: Omit<AlarmDeps, 'payments'>,
  log: Log,
  alarm: AlarmName,
  isActive: boolean,
  host?: string,
): Promise<void> {
  const time = now();
  const key = host === undefined ? alarm : `${alarm}@${host}`;
  const alarmChange = await inTransaction(db, async (tx) => {
    const update = updateAlarm(await lockAlarm(tx, key), isActive, time);
    await saveAlarm(tx, key, update.state);
    const change = update.email;
    if (change === undefined) return undefined;
    const recipients: readonly AlarmRecipient[] =
      alarmEmails.length > 0
        ? alarmEmails.map((email) => ({ email }))
        : (await listVerifiedAdminIds(tx)).map((userId) => ({ userId }));
    await jobs.enqueueAll(
      tx,
      sendAlarmEmail,
      recipients.map((to) => ({ to, alarm, change, at: time.toISOString(), host })),
    );
    return change;
  });
  // Log the change as well, in case email doesn't work.
  if (alarmChange === 'began') log.error({ alarm: key }, 'an alarm began: see docs/running.md, Alarms');
  if (alarmChange === 'over') log.info({ alarm: key }, 'an alarm ended');
}

export const checkAlarmsJob = defineRecurringJob({
  name: 'check-alarms',
  initialDelayMs: 3 * 60_000,
  intervalMs: 5 * 60_000,
  isExclusive: false,
  run: (deps: AlarmDeps & { readonly log: Log }) => checkAlarms(deps, deps.log),
});
