import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const FILE = path.join(
  process.env.CORPORA_DIR ?? path.join(tmpdir(), 'no-corpora'),
  'xss-list',
  'xss-payload-list.txt',
);

/** The lines of the list of script injections; none where it is not there. */
export const LINES: readonly string[] = existsSync(FILE)
  ? readFileSync(FILE, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
  : [];

export type Packing = {
  /** The most characters of one text. */
  readonly most: number;
  /** What stands between two lines in a text. */
  readonly between: string;
  /** Each line is a text of its own, so that none is within what another one leaves open. */
  readonly alone?: boolean;
};

export type Packed = {
  readonly texts: readonly string[][];
  /** Lines that no text has room for, whatever they say. */
  readonly tooLong: readonly string[];
};

/** The lines in as few texts as hold them: the longest lines first, each in the fullest text that has room for it. */
export function packed(lines: readonly string[], { most, between, alone = false }: Packing): Packed {
  const meant = [...new Set(lines)];
  const tooLong = meant.filter((line) => line.length > most);
  const texts: { readonly lines: string[]; room: number }[] = [];
  for (const line of meant.filter(({ length }) => length <= most).toSorted((a, b) => b.length - a.length)) {
    const needed = line.length + between.length;
    const fitting = alone ? undefined : texts.findLast(({ room }) => room >= needed);
    if (fitting) {
      fitting.lines.push(line);
      fitting.room -= needed;
    } else texts.push({ lines: [line], room: most - line.length });
    texts.sort((a, b) => b.room - a.room);
  }
  return { texts: texts.map((text) => text.lines), tooLong };
}
