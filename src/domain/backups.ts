const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Retention: all backups of the last two days, then the last one of each day, week, and month. */
const RETENTION = { days: 2, daily: 14, weekly: 8, monthly: 12 };

/** Minute of the day, in UTC, of the nightly backup: 03:30. */
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
    .flatMap((name) => ({ name, at: parseBackupTime(name)?.getTime() }))
    .filter((each): each is { name: string; at: number } => each.at !== undefined)
    .toSorted((a, b) => b.at - a.at);
  const namesToKeep = new Set<string>();
  for (const { name, at } of backups) if (at > now.getTime() - days * DAY) namesToKeep.add(name);
  const keepLastOfEach = (period: (at: number) => number | string, count: number) => {
    const lastNameByPeriod = new Map<number | string, string>();
    for (const { name, at } of backups) if (!lastNameByPeriod.has(period(at))) lastNameByPeriod.set(period(at), name);
    for (const name of [...lastNameByPeriod.values()].slice(0, count)) namesToKeep.add(name);
  };
  keepLastOfEach((at) => Math.floor(at / DAY), daily);
  // Unix time began on a Thursday.
  keepLastOfEach((at) => Math.floor((at / DAY + 3) / 7), weekly);
  keepLastOfEach((at) => new Date(at).toISOString().slice(0, 7), monthly);
  return backups.map(({ name }) => name).filter((name) => !namesToKeep.has(name));
}

/** Days for which a drill (`npm run drill`, recommended monthly) proves that backups can be restored. */
const DRILL_VALID_DAYS = 40;

/** @param succeededAt last restore without a difference; null if never */
export function hasRecentDrill(succeededAt: Date | null, now: Date): boolean {
  return succeededAt !== null && now.getTime() - succeededAt.getTime() < DRILL_VALID_DAYS * DAY;
}

/** When the nightly backup was last due. */
export function lastBackupDue(now: Date): Date {
  const dueToday = Math.floor(now.getTime() / DAY) * DAY + BACKUP_MINUTE * MINUTE;
  return new Date(dueToday <= now.getTime() ? dueToday : dueToday - DAY);
}
