const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Retention: all backups from the last two days, then the last one of each day, week, and month. */
const RETENTION = { days: 2, daily: 14, weekly: 8, monthly: 12 };

/** Start of the nightly backup, in minutes after midnight UTC: 03:30. */
const BACKUP_MINUTE = 210;

const NAME_PATTERN = /^fund-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.backup$/;

/** File name of a backup that began at this time. */
export function backupName(startedAt: Date): string {
  return `fund-${startedAt.toISOString().replaceAll(/[-:.]/g, '')}.backup`;
}

/** Parses a backup's start time from its file name; undefined for any other file. */
export function parseBackupTime(name: string): Date | undefined {
  const [, year, month, day, hour, minute, second, ms] = NAME_PATTERN.exec(name) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * Lists the backups to delete, never the newest backup or other files. Days, weeks, and months are in UTC, and weeks begin
 * on Monday.
 */
export function outdatedBackups(names: readonly string[], now: Date): string[] {
  const { days, daily, weekly, monthly } = RETENTION;
  const backups = names
    .flatMap((name) => ({ name, startedAt: parseBackupTime(name)?.getTime() }))
    .filter((backup): backup is { name: string; startedAt: number } => backup.startedAt !== undefined)
    .toSorted((a, b) => b.startedAt - a.startedAt);
  const namesToKeep = new Set<string>();
  for (const { name, startedAt } of backups) if (startedAt > now.getTime() - days * DAY) namesToKeep.add(name);
  const keepLastOfEach = (getPeriod: (time: number) => number | string, count: number) => {
    const lastNameByPeriod = new Map<number | string, string>();
    for (const { name, startedAt } of backups) {
      const period = getPeriod(startedAt);
      if (!lastNameByPeriod.has(period)) lastNameByPeriod.set(period, name);
    }
    for (const name of [...lastNameByPeriod.values()].slice(0, count)) namesToKeep.add(name);
  };
  keepLastOfEach((time) => Math.floor(time / DAY), daily);
  // Unix time began on a Thursday.
  keepLastOfEach((time) => Math.floor((time / DAY + 3) / 7), weekly);
  keepLastOfEach((time) => new Date(time).toISOString().slice(0, 7), monthly);
  return backups.map(({ name }) => name).filter((name) => !namesToKeep.has(name));
}

/** Days after which another drill is due. Running `npm run drill` monthly is recommended. */
const DRILL_VALID_DAYS = 40;

/** @param succeededAt last restore without a difference; null if never */
export function hasRecentDrill(succeededAt: Date | null, now: Date): boolean {
  return succeededAt !== null && now.getTime() - succeededAt.getTime() < DRILL_VALID_DAYS * DAY;
}

/** Time when the last nightly backup was due. */
export function lastBackupDue(now: Date): Date {
  const dueToday = Math.floor(now.getTime() / DAY) * DAY + BACKUP_MINUTE * MINUTE;
  return new Date(dueToday <= now.getTime() ? dueToday : dueToday - DAY);
}
