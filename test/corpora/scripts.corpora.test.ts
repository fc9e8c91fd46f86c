import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOSTILE_CALLS, type HostileCall } from './hostile-calls.ts';
import { type HostileSite, openHostileSite } from './hostile-site.ts';

const FILE = path.join(
  process.env.CORPORA_DIR ?? path.join(tmpdir(), 'no-corpora'),
  'xss-list',
  'xss-payload-list.txt',
);
const lines = existsSync(FILE)
  ? readFileSync(FILE, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
  : [];
if (lines.length === 0) console.log('Skipped: no scripts. Set CORPORA_DIR to a folder that has "xss-list" in it.');

/** All lines through a call, and their pages opened, take minutes. */
const MOST_MS = 60 * 60_000;

let site: HostileSite;
beforeAll(async () => {
  if (lines.length > 0) site = await openHostileSite();
}, 300_000);
afterAll(() => site?.close(), 60_000);

/** Texts of at most so many characters, of as many lines as fit; a line that is longer stands alone, to be refused. */
function textsOf({ most, between }: Pick<HostileCall, 'most' | 'between'>): string[][] {
  const texts: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    length += between.length + line.length;
    const last = texts.at(-1);
    if (last && length <= most) last.push(line);
    else {
      texts.push([line]);
      length = line.length;
    }
  }
  return texts;
}

/** Sends lines as one text; where that is refused, the halves of it, down to single lines. @returns the lines refused */
async function plant(call: HostileCall, text: readonly string[], place: number): Promise<number> {
  const status = await call.send(site, text.join(call.between), place);
  if (status === 200) return 0;
  expect([text.join(call.between), status]).toEqual([expect.any(String), expect.toSatisfy(isRefusal)]);
  if (text.length === 1) return 1;
  const half = Math.ceil(text.length / 2);
  const refused = await plant(call, text.slice(0, half), place);
  expect(await look(call, place)).toEqual([]);
  return refused + (await plant(call, text.slice(half), place));
}

const isRefusal = (status: number) => status >= 400 && status < 500;

/** @param place how many texts were planted before */
async function look({ shownAt, openEach = 1 }: HostileCall, place: number): Promise<string[]> {
  const found: string[] = [];
  for (const address of shownAt) {
    const path = address.replace('{installer}', site.installers[0] ?? '');
    found.push(...(await (place % openEach === 0 ? site.lookAt(path) : site.readOver(path))));
  }
  return found;
}

test.skipIf(lines.length === 0).each(HOSTILE_CALLS.map((call) => [call.call, call.most, call] as const))(
  'no line runs that goes through %s, in texts of %i characters',
  async (_name, _most, call) => {
    const texts = textsOf(call);
    let refused = 0;
    for (const [place, text] of texts.entries()) {
      refused += await plant(call, text, place);
      const isFull = (place + 1) % call.atOnce === 0 || place === texts.length - 1;
      if (isFull) expect(await look(call, place)).toEqual([]);
    }
    console.log(`${call.call}: ${lines.length} lines in ${texts.length} texts, ${refused} of them refused`);
    expect(refused).toBeLessThan(lines.length);
  },
  MOST_MS,
);
