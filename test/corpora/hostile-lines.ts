import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LIST_FILE = path.join(
  process.env.CORPORA_DIR ?? path.join(tmpdir(), 'no-corpora'),
  'xss-list',
  'xss-payload-list.txt',
);

/** The full list takes over half an hour, so only a sample runs unless CORPORA_ALL=1. */
const SAMPLE_INTERVAL = process.env.CORPORA_ALL === '1' ? 1 : 20;

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

/** Packs the lines into as few texts as possible: longest line first, each into the fullest text with room. */
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
  return { texts: texts.map((text) => text.lines), tooLongLines };
}
