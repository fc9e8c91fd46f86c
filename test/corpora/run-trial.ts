import { expect } from 'vitest';
import type { Packed } from './hostile-lines.ts';
import type { HostileRow, ShownPage } from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

/** Number of concurrent calls. */
const CONCURRENT_CALLS = 8;
/** Findings after which to stop, since each missing text costs a wait. */
const MAX_FINDINGS = 5;

/** A text that was sent, and its position. */
type PlantedText = { readonly lines: readonly string[]; readonly text: string; readonly place: number };

/** A page and the texts planted since the last check. */
type View = { readonly page: ShownPage; readonly unseen: PlantedText[] };

/** Result: accepted texts, rejected lines, and elements that ran or could run. */
export type TrialResult = { texts: number; refused: number; readonly found: string[] };

/**
 * Sends the texts, and checks their pages as soon as each shows as many as it can. A rejected text is split in half
 * until only single lines remain. Lines that are too long are sent together, because they must be rejected anyway.
 */
export async function runTrial(site: HostileSite, row: HostileRow, { texts, tooLong }: Packed): Promise<TrialResult> {
  const { send, pages } = await row.begin(site);
  const waiting: (readonly string[])[] = [...texts];
  const passed: TrialResult = { texts: 0, refused: tooLong.length, found: [] };
  const views = pages.map((page): View => ({ page, unseen: [] }));
  const step = Math.min(CONCURRENT_CALLS, ...pages.map(({ holds }) => holds));
  for (let place = 0; waiting.length > 0 && passed.found.length < MAX_FINDINGS; place += step) {
    const sentLines = waiting
      .splice(0, step)
      .map((lines, at) => ({ lines, text: lines.join(row.between), place: place + at }));
    // Rate limits aren't tested here.
    await site.db.kysely.deleteFrom('attempts').execute();
    const statuses = await Promise.all(sentLines.map(({ text, place: at }) => send(text, at)));
    const acceptedLines = sentLines.filter((_one, at) => statuses[at] === 200);
    passed.texts += acceptedLines.length;
    for (const { lines, text } of sentLines.filter((one) => !acceptedLines.includes(one))) {
      expect([text, ...statuses]).toEqual([text, ...statuses.map(() => expect.toSatisfy(isTakenOrRefused))]);
      if (lines.length === 1 || row.refusesAll) passed.refused += lines.length;
      else waiting.push(...halvesOf(lines));
    }
    for (const { page, unseen } of views) {
      unseen.push(...acceptedLines);
      const [first] = unseen;
      // The next text would replace the first.
      const isFull = first && (place + 2 * step - first.place > page.holds || waiting.length === 0);
      if (isFull) passed.found.push(...(await checkPage(site, page, unseen.splice(0))));
    }
  }
  if (tooLong.length > 0) expect(await send(tooLong.join(row.between), 0)).toSatisfy(isRefusal);
  return passed;
}

function halvesOf(lines: readonly string[]): (readonly string[])[] {
  const middle = Math.ceil(lines.length / 2);
  return [lines.slice(0, middle), lines.slice(middle)];
}

/** Checks on content, not on senders or frequency. */
const isRefusal = (status: number) =>
  status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;

const isTakenOrRefused = (status: number) => status === 200 || isRefusal(status);

async function checkPage(site: HostileSite, page: ShownPage, planted: readonly PlantedText[]): Promise<string[]> {
  const { what, how, shows, isOfOne = false, last = planted.length } = page;
  const wordsOf = (those: readonly PlantedText[]) => (shows ? those.map(({ text, place }) => shows(text, place)) : []);
  if (isOfOne && how === 'read') {
    return site.readOver(planted.map((one) => ({ path: what(one.place), words: wordsOf([one]) })));
  }
  const path = what(planted.at(-1)?.place ?? 0);
  if (how === 'markup') return site.readMarkup(path);
  const visit = { path, words: wordsOf(planted.slice(isOfOne ? -1 : -last)) };
  if (how === 'read') return site.readOver([visit]);
  return how === 'reached' ? site.comeTo(visit) : site.lookAt(visit);
}
