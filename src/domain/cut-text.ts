import { charactersOf, sentencesOf } from './characters.ts';

/** Whole sentences are worth having where they fill at least this part of the room. */
const FULL_ENOUGH = 0.5;

/**
 * A text on one line, in at most `most` characters: all of it, or its first sentences where these fill half of the
 * room, or else its first words with an ellipsis. Never through the middle of a character.
 */
export function cutText(text: string, most: number): string {
  const line = onOneLine(text);
  if (charactersOf(line).length <= most) return line;
  const sentences = firstSentences(line, most);
  return charactersOf(sentences).length >= most * FULL_ENOUGH ? sentences : `${firstWords(line, most - 1)}…`;
}

/** A text whose blanks and line ends are single blanks. */
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

/** Without what joins a word to the next one: a comma before an ellipsis says nothing. */
function firstWords(line: string, most: number): string {
  const characters = charactersOf(line);
  const start = characters.slice(0, most).join('');
  const isBetweenWords = characters[most] === ' ';
  const words = isBetweenWords ? start : start.replace(/ \S*$/, '');
  return words.replace(/[\s,;:–—-]+$/, '');
}
