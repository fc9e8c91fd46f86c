const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Backups to keep: all of the last days, then the last one of each day, week, and month. */
export type KeepRule = {
  readonly days: number;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
};

export const USUAL_KEEP_RULE = '2 days, 14 daily, 8 weekly, 12 monthly';

const RULE = /^\s*(\d{1,4})\s*days?\s*,\s*(\d{1,4})\s*daily\s*,\s*(\d{1,4})\s*weekly\s*,\s*(\d{1,4})\s*monthly\s*$/i;

/** @param text such as "2 days, 14 daily, 8 weekly, 12 monthly" @returns undefined for any other text */
export function keepRuleOf(text: string): KeepRule | undefined {
  const [, days, daily, weekly, monthly] = (RULE.exec(text) ?? []).map(Number);
  if (days === undefined || daily === undefined || weekly === undefined || monthly === undefined) return undefined;
  return { days, daily, weekly, monthly };
}

const NAME = /^fund-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.backup$/;

/** File name of a backup that began at this time. */
export function backupName(startedAt: Date): string {
  return `fund-${startedAt.toISOString().replaceAll(/[-:.]/g, '')}.backup`;
}

/** Start time of a backup by its file name; undefined for any other file. */
export function backupTime(name: string): Date | undefined {
  const [, year, month, day, hour, minute, second, ms] = NAME.exec(name) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * Backups that the rule no longer keeps. Never includes the newest backup or other files. Days, weeks, and months are in
 * UTC, and weeks begin on Monday.
 */
export function outdatedBackups(names: readonly string[], rule: KeepRule, now: Date): string[] {
  const backups = names
    .flatMap((name) => ({ name, at: backupTime(name)?.getTime() }))
    .filter((each): each is { name: string; at: number } => each.at !== undefined)
    .toSorted((a, b) => b.at - a.at);
  const keptNames = new Set(backups.slice(0, 1).map(({ name }) => name));
  for (const { name, at } of backups) if (at > now.getTime() - rule.days * DAY) keptNames.add(name);
  const keepLastOfEach = (period: (at: number) => number | string, count: number) => {
    const lastNameByPeriod = new Map<number | string, string>();
    for (const { name, at } of backups) if (!lastNameByPeriod.has(period(at))) lastNameByPeriod.set(period(at), name);
    for (const name of [...lastNameByPeriod.values()].slice(0, count)) keptNames.add(name);
  };
  keepLastOfEach((at) => Math.floor(at / DAY), rule.daily);
  // Unix time began on a Thursday.
  keepLastOfEach((at) => Math.floor((at / DAY + 3) / 7), rule.weekly);
  keepLastOfEach((at) => new Date(at).toISOString().slice(0, 7), rule.monthly);
  return backups.map(({ name }) => name).filter((name) => !keptNames.has(name));
}

/** Days for which a drill (`npm run drill`, recommended monthly) proves that backups can be restored. */
const PROVEN_DAYS = 40;

/** @param succeededAt last restore without a difference; null if never */
export function isRestoreProven(succeededAt: Date | null, now: Date): boolean {
  return succeededAt !== null && now.getTime() - succeededAt.getTime() < PROVEN_DAYS * DAY;
}

/** Minute of the day in UTC for a time such as "03:30"; undefined for any other text. */
export function minuteOfDay(text: string): number | undefined {
  const [, hour, minute] = /^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/.exec(text) ?? [];
  return hour === undefined || minute === undefined ? undefined : Number(hour) * 60 + Number(minute);
}

/** Last time that a backup was due. @param minute of the day, in UTC */
export function lastDue(minute: number, now: Date): Date {
  const today = Math.floor(now.getTime() / DAY) * DAY + minute * MINUTE;
  return new Date(today <= now.getTime() ? today : today - DAY);
}
