/**
 * What English and most of its neighbors are written with: each of these is a character by itself, next to any other.
 * The segmenter knows of all the rest, and takes a browser longer to make than a whole page takes it.
 */
const PLAIN = /^[\n\u0020-\u007E\u00A0-\u02FF\u2010-\u2027]*$/;

const segmenters = new Map<'grapheme' | 'sentence', Intl.Segmenter>();

/** What a person sees as the characters of a text: a flag or a family is one, however it is encoded. */
export function charactersOf(text: string): string[] {
  return PLAIN.test(text) ? text.split('') : Array.from(segments(text, 'grapheme'), ({ segment }) => segment);
}

/** The beginning of a text, of at most so many characters. */
export function firstCharacters(text: string, most: number): string {
  if (PLAIN.test(text.slice(0, most + 1))) return text.slice(0, most);
  let count = 0;
  for (const { index } of segments(text, 'grapheme')) {
    if (count === most) return text.slice(0, index);
    count += 1;
  }
  return text;
}

/** The sentences of an English text, each with the blanks after it. */
export function sentencesOf(text: string): string[] {
  return Array.from(segments(text, 'sentence'), ({ segment }) => segment);
}

function segments(text: string, granularity: 'grapheme' | 'sentence'): Intl.Segments {
  const segmenter = segmenters.get(granularity) ?? new Intl.Segmenter('en', { granularity });
  segmenters.set(granularity, segmenter);
  return segmenter.segment(text);
}
