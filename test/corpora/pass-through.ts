import { expect } from 'vitest';
import type { Packed } from './hostile-lines.ts';
import type { HostileRow, ShownPage } from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

/** How many calls are under way at once. */
const AT_ONCE = 8;

type Planted = { readonly text: string; readonly place: number };

/** What came of it: how many texts were taken, how many lines are refused, and what ran or could run. */
export type Passed = { texts: number; refused: number; readonly found: string[] };

/**
 * Sends the texts, and looks at their pages whenever as many are planted as these hold. A text that is refused is
 * halved, down to single lines; lines that are too long are sent together, as they are refused anyway.
 */
export async function passThrough(site: HostileSite, row: HostileRow, { texts, tooLong }: Packed): Promise<Passed> {
  const { send, pages } = await row.begin(site);
  const waiting = [...texts];
  const passed: Passed = { texts: 0, refused: 0, found: [] };
  const unseen = new Map<ShownPage, Planted[]>(pages.map((page) => [page, []]));
  const step = Math.min(AT_ONCE, ...pages.map(({ holds }) => holds));
  let place = 0;
  while (waiting.length > 0) {
    const sent = waiting.splice(0, step).map((lines) => {
      place += 1;
      return { lines, text: lines.join(row.between), place: place - 1 };
    });
    const answers = await Promise.all(sent.map(async (one) => ({ ...one, status: await send(one.text, one.place) })));
    for (const { lines, text, place: at, status } of answers) {
      if (status === 200) {
        passed.texts += 1;
        for (const planted of unseen.values()) planted.push({ text, place: at });
        continue;
      }
      expect([text, status]).toEqual([text, expect.toSatisfy(isRefusal)]);
      if (lines.length === 1 || row.refusesAll) passed.refused += lines.length;
      else waiting.push(lines.slice(0, lines.length / 2), lines.slice(lines.length / 2));
    }
    for (const [page, planted] of unseen) {
      const [first] = planted;
      const isFull = first && (place + step - first.place > page.holds || waiting.length === 0);
      if (isFull) passed.found.push(...(await look(site, page, planted.splice(0))));
    }
  }
  if (tooLong.length > 0) expect(await send(tooLong.join(row.between), place)).toSatisfy(isRefusal);
  passed.refused += tooLong.length;
  return passed;
}

const isRefusal = (status: number) =>
  status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;

async function look(site: HostileSite, page: ShownPage, planted: readonly Planted[]): Promise<string[]> {
  const { what, how, shows, isOfOne = false, last = planted.length } = page;
  const wordsOf = (those: readonly Planted[]) => (shows ? those.map(({ text, place }) => shows(text, place)) : []);
  if (isOfOne && how === 'read') {
    return site.readOver(planted.map((one) => ({ path: what(one.place), words: wordsOf([one]) })));
  }
  const path = what(planted.at(-1)?.place ?? 0);
  if (how === 'markup') return site.readMarkup(path);
  const reading = { path, words: wordsOf(planted.slice(isOfOne ? -1 : -last)) };
  return how === 'opened' ? site.lookAt(reading) : site.readOver([reading]);
}
