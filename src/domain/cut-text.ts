import { charactersOf, sentencesOf } from './characters.ts';

/** Whole sentences are preferred if they fill at least this part of the limit. */
const FULL_ENOUGH = 0.5;

/**
 * A text on one line of at most `most` characters: all of it, or its first sentences if they fill half of the limit, or
 * its first words with an ellipsis.
 */
export function cutText(text: string, most: number): string {
  const line = onOneLine(text);
  if (charactersOf(line).length <= most) return line;
  const sentences = firstSentences(line, most);
  return charactersOf(sentences).length >= most * FULL_ENOUGH ? sentences : `${firstWords(line, most - 1)}…`;
}

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function firstSentences(line: string, most: number): string {
  let taken = '';
  for (const sentence of sentencesOf(line)) {
    if (charactersOf((taken + sentence).trimEnd()).length > most) break;
    taken += sentence;
  }
  return taken.trimEnd();
}

/** Without punctuation before the ellipsis. */
function firstWords(line: string, most: number): string {
  const characters = charactersOf(line);
  const start = characters.slice(0, most).join('');
  const isBetweenWords = characters[most] === ' ';
  const words = isBetweenWords ? start : start.replace(/ \S*$/, '');
  return words.replace(/[\s,;:–—-]+$/, '');
}
