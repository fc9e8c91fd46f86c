/** "November 21, 2026", by the clock of UTC, as a receipt has it. */
export function dayText(time: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));
}
