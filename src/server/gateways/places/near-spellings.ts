const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');
/** In a shorter word a slip makes another word; a longer one is seldom a name, and has too many spellings to try. */
const SHORTEST = 5;
const LONGEST = 16;

/** The spellings one slip of the hand away: a letter swapped with the next, left out, put in, or another. */
export function nearSpellings(key: string): string[] {
  if (key.length < SHORTEST || key.length > LONGEST) return [];
  const spellings = new Set<string>();
  for (let at = 0; at <= key.length; at++) {
    const before = key.slice(0, at);
    const [letter = '', next = ''] = key.slice(at);
    spellings.add(before + next + letter + key.slice(at + 2));
    spellings.add(before + key.slice(at + 1));
    for (const other of LETTERS) {
      spellings.add(before + other + key.slice(at));
      spellings.add(before + other + key.slice(at + 1));
    }
  }
  spellings.delete(key);
  return [...spellings];
}
