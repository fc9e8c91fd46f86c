/** A calendar day in UTC: "2026-03-14". */
export type Day = string;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
export const DAY_MS = 24 * 60 * 60_000;

export function dayOf(time: Date): Day {
  return time.toISOString().slice(0, 10);
}

export function startOf(day: Day): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

export function endOf(day: Day): Date {
  return new Date(startOf(day).getTime() + DAY_MS);
}

/** False for days that do not exist, such as February 30. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const time = startOf(text);
  return !Number.isNaN(time.getTime()) && dayOf(time) === text;
}
