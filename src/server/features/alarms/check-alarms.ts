import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { ALARMS, type AlarmName, activeConditions, isDiskLow, updateAlarm } from '#domain/alarms.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { adminIds } from '#server/entities/find-user.ts';
import { claimAlarmLook, databaseBackAt, eventFoundAt } from '#server/features/operation/alarm-marks.ts';
import { readFigures } from '#server/features/operation/read-figures.ts';
import { countFailedEvents } from '#server/features/provider-events/apply-events.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { lockedAlarm, saveAlarm, workFacts } from './alarms.store.ts';
import { type AlarmReader, sendAlarmEmail } from './send-alarm-email.job.ts';

export type AlarmDeps = Pick<AppDeps, 'db' | 'jobs' | 'now'> & {
  /** Who is mailed; without any, the admins. */
  readonly alarmEmails: readonly string[];
  /** Whose disk is looked at. */
  readonly dataDir: string;
};

/**
 * Looks at what can go wrong without anybody seeing it, and mails what began and what is over. Call it every five minutes:
 * one process looks at what all share, and each at its own disk.
 */
export async function checkAlarms(deps: AlarmDeps, log: Log): Promise<void> {
  const { db, now } = deps;
  await noteAlarm(deps, log, 'disk-low', await isOwnDiskLow(deps.dataDir), os.hostname());
  if (!(await claimAlarmLook(db, now()))) return;
  const [figures, work, found, back, failedEvents] = await Promise.all([
    readFigures(db, now()),
    workFacts(db.kysely),
    eventFoundAt(db),
    databaseBackAt(db),
    countFailedEvents(db.kysely),
  ]);
  const wrong = activeConditions({
    ...work,
    now: now(),
    uptimeMs: process.uptime() * 1000,
    webhookVerifiedAt: figures.webhooks.verifiedAt,
    webhookRefusedAt: figures.webhooks.refusedAt,
    eventFoundAt: found,
    databaseBackAt: back,
    booksVerifiedAt: figures.books.verifiedAt,
    booksDifferences: figures.books.differences,
    providerDifferences: figures.books.providerDifferences,
    failedEvents,
  });
  for (const name of ALARMS) {
    if (name !== 'disk-low') await noteAlarm(deps, log, name, wrong.has(name));
  }
}

async function isOwnDiskLow(folder: string): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return isDiskLow(bavail * bsize, blocks * bsize);
}

/** @param host the machine that it is about, if it is about one */
export async function noteAlarm(
  { db, jobs, now, alarmEmails }: AlarmDeps,
  log: Log,
  alarm: AlarmName,
  isWrong: boolean,
  host?: string,
): Promise<void> {
  const at = now();
  const key = host === undefined ? alarm : `${alarm}@${host}`;
  const mail = await inTransaction(db, async (tx) => {
    const next = updateAlarm(await lockedAlarm(tx, key), isWrong, at);
    await saveAlarm(tx, key, next.state);
    if (next.mail === undefined) return undefined;
    const about = { alarm, change: next.mail, at: at.toISOString(), ...(host === undefined ? {} : { host }) };
    const readers: readonly AlarmReader[] =
      alarmEmails.length > 0
        ? alarmEmails.map((email) => ({ email }))
        : (await adminIds(tx)).map((userId) => ({ userId }));
    await jobs.enqueueAll(
      tx,
      sendAlarmEmail,
      readers.map((to) => ({ ...about, to })),
    );
    return next.mail;
  });
  // In the log too, as the mail may be what fails.
  if (mail === 'began') log.error({ alarm: key }, 'an alarm began: see docs/operations.md, Alarms');
  if (mail === 'over') log.info({ alarm: key }, 'an alarm is over');
}

export const alarmCheck = defineRecurringJob({
  name: 'check-alarms',
  firstMs: 3 * 60_000,
  everyMs: 5 * 60_000,
  isExclusive: false,
  run: (deps: AlarmDeps & { readonly log: Log }) => checkAlarms(deps, deps.log),
});
