import { splitCharacters, splitSentences } from './characters.ts';

/** Prefer whole sentences that fill at least this share of the limit. */
const MIN_FILL_RATIO = 0.5;

/**
 * Shortens text to one line of at most `limit` characters: all of it, its first sentences if they fill half of the
 * limit, or its first words with an ellipsis.
 */
export function truncateText(text: string, limit: number): string {
  const line = joinLines(text);
  if (splitCharacters(line).length <= limit) return line;
  const sentences = firstSentences(line, limit);
  return splitCharacters(sentences).length >= limit * MIN_FILL_RATIO ? sentences : `${firstWords(line, limit - 1)}…`;
}

export function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function firstSentences(line: string, limit: number): string {
  let result = '';
  for (const sentence of splitSentences(line)) {
    if (splitCharacters((result + sentence).trimEnd()).length > limit) break;
    result += sentence;
  }
  return result.trimEnd();
}

/** Cuts at a space, and removes punctuation before the ellipsis. */
function firstWords(line: string, limit: number): string {
  const characters = splitCharacters(line);
  const start = characters.slice(0, limit).join('');
  const isBetweenWords = characters[limit] === ' ';
  const words = isBetweenWords ? start : start.replace(/ \S*$/, '');
  return words.replace(/[\s,;:–—-]+$/, '');
}
