/**
 * Things in a row, as a sentence of American English names them: "a, b, and c". The language's own list format says the
 * same, and takes a browser a hundred times longer to make than a page has for it.
 */
export function listed(things: readonly string[]): string {
  const [last = '', ...others] = things.toReversed();
  if (others.length === 0) return last;
  return `${others.toReversed().join(', ')}${others.length > 1 ? ',' : ''} and ${last}`;
}
