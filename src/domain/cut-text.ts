import { charactersOf, sentencesOf } from './characters.ts';

/** Prefer whole sentences that fill at least this share of the limit. */
const FULL_ENOUGH = 0.5;

/**
 * Shortens a text to one line of at most `limit` characters: all of it, its first sentences if they fill half of the
 * limit, or its first words with an ellipsis.
 */
export function cutText(text: string, limit: number): string {
  const line = onOneLine(text);
  if (charactersOf(line).length <= limit) return line;
  const sentences = firstSentences(line, limit);
  return charactersOf(sentences).length >= limit * FULL_ENOUGH ? sentences : `${firstWords(line, limit - 1)}…`;
}

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function firstSentences(line: string, limit: number): string {
  let result = '';
  for (const sentence of sentencesOf(line)) {
    if (charactersOf((result + sentence).trimEnd()).length > limit) break;
    result += sentence;
  }
  return result.trimEnd();
}

/** Removes punctuation before the ellipsis. */
function firstWords(line: string, limit: number): string {
  const characters = charactersOf(line);
  const start = characters.slice(0, limit).join('');
  const isBetweenWords = characters[limit] === ' ';
  const words = isBetweenWords ? start : start.replace(/ \S*$/, '');
  return words.replace(/[\s,;:–—-]+$/, '');
}
