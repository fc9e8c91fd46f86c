/**
 * Text in which every code unit is a visible character. Other text needs a segmenter; creating one in a browser takes
 * longer than rendering a whole page.
 */
const PLAIN_TEXT = /^[\n\u0020-\u007E\u00A0-\u02FF\u2010-\u2027]*$/;

const segmenters = new Map<'grapheme' | 'sentence', Intl.Segmenter>();

/** Splits text into visible characters. An emoji is one character, however it is encoded. */
export function splitCharacters(text: string): string[] {
  return PLAIN_TEXT.test(text) ? text.split('') : Array.from(segmentText(text, 'grapheme'), ({ segment }) => segment);
}

export function takeCharacters(text: string, limit: number): string {
  if (PLAIN_TEXT.test(text.slice(0, limit + 1))) return text.slice(0, limit);
  let count = 0;
  for (const { index } of segmentText(text, 'grapheme')) {
    if (count === limit) return text.slice(0, index);
    count += 1;
  }
  return text;
}

/** Sentences of an English text, each with the space after it. */
export function splitSentences(text: string): string[] {
  return Array.from(segmentText(text, 'sentence'), ({ segment }) => segment);
}

function segmentText(text: string, granularity: 'grapheme' | 'sentence'): Intl.Segments {
  const segmenter = segmenters.get(granularity) ?? new Intl.Segmenter('en', { granularity });
  segmenters.set(granularity, segmenter);
  return segmenter.segment(text);
}
