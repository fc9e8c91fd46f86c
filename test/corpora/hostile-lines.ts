import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LIST_FILE = path.join(
  process.env.CORPORA_DIR ?? path.join(tmpdir(), 'no-corpora'),
  'xss-list',
  'xss-payload-list.txt',
);

/** The full list takes over half an hour, so only a sample runs unless CORPORA_ALL=1. */
const RUNS_ALL_LINES = process.env.CORPORA_ALL === '1';
const SAMPLE_INTERVAL = RUNS_ALL_LINES ? 1 : 20;
/** Maximum packed texts per call in a sample. A short field would need hundreds, each sent as a separate request. */
const MAX_SAMPLED_TEXTS = 60;

/** Lines of the list of script injections; empty if the list is missing. */
export const HOSTILE_LINES: readonly string[] = existsSync(LIST_FILE)
  ? readFileSync(LIST_FILE, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .filter((_line, index) => index % SAMPLE_INTERVAL === 0)
  : [];

export type PackingOptions = {
  /** Maximum characters in one text. */
  readonly maxLength: number;
  /** Separators between two lines in a text. */
  readonly separator: string;
  /** Puts each line in its own text, so no line ends up inside another line's open markup. */
  readonly oneLinePerText?: boolean;
};

export type PackedLines = {
  readonly texts: readonly string[][];
  /** Lines too long for any text. */
  readonly tooLongLines: readonly string[];
};

/**
 * Packs the lines into as few texts as possible: longest line first, each into the fullest text with room. In a sample,
 * the number of texts is limited.
 */
export function packLines(
  lines: readonly string[],
  { maxLength, separator, oneLinePerText = false }: PackingOptions,
): PackedLines {
  const uniqueLines = [...new Set(lines)];
  const tooLongLines = uniqueLines.filter((line) => line.length > maxLength);
  const texts: { readonly lines: string[]; room: number }[] = [];
  for (const line of uniqueLines.filter(({ length }) => length <= maxLength).toSorted((a, b) => b.length - a.length)) {
    const length = line.length + separator.length;
    const textWithRoom = oneLinePerText ? undefined : texts.findLast(({ room }) => room >= length);
    if (textWithRoom) {
      textWithRoom.lines.push(line);
      textWithRoom.room -= length;
    } else texts.push({ lines: [line], room: maxLength - line.length });
    texts.sort((a, b) => b.room - a.room);
  }
  const packedTexts = texts.map((text) => text.lines);
  return { texts: oneLinePerText || RUNS_ALL_LINES ? packedTexts : sampleTexts(packedTexts), tooLongLines };
}

/** Picks texts at regular intervals if there are too many. */
function sampleTexts(texts: readonly string[][]): readonly string[][] {
  const interval = Math.max(1, Math.ceil(texts.length / MAX_SAMPLED_TEXTS));
  return texts.filter((_text, index) => index % interval === 0);
}
