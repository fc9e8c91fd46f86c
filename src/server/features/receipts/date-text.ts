/** "November 21, 2026", by the clock of UTC. */
export function dateText(date: Date): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
