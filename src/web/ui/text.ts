/** "November 21, 2026", by the clock of UTC, as a receipt has it. */
export function dayText(time: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));
}

/**
 * Things in a row, as a sentence of American English names them: "a, b, and c". The language's own list format says the
 * same, and takes a browser a hundred times longer to make than a page has for it.
 */
export function listed(things: readonly string[]): string {
  const [last = '', ...others] = things.toReversed();
  if (others.length === 0) return last;
  return `${others.toReversed().join(', ')}${others.length > 1 ? ',' : ''} and ${last}`;
}
