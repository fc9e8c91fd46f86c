import { expect } from 'vitest';
import type { PackedLines } from './hostile-lines.ts';
import type { HostileRow, ShownPage } from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

const CONCURRENT_CALLS = 8;
/** Stops after this many findings, because each missing text takes a full timeout. */
const MAX_FINDINGS = 5;

/** A text that was sent, and its position. */
type PlantedText = { readonly lines: readonly string[]; readonly text: string; readonly place: number };

/** A page and the texts planted since the last check. */
type View = { readonly page: ShownPage; readonly unchecked: PlantedText[] };

/** Result: accepted texts, rejected lines, and elements that ran or could run. */
export type TrialResult = { texts: number; rejected: number; readonly problems: string[] };

/**
 * Sends the texts and checks each page once it shows as many texts as it can. A rejected text is split in half until
 * only single lines remain. Lines that are too long are sent together, because they must be rejected anyway.
 */
export async function runTrial(
  site: HostileSite,
  row: HostileRow,
  { texts, tooLong }: PackedLines,
): Promise<TrialResult> {
  const { send, pages } = await row.start(site);
  const pendingTexts: (readonly string[])[] = [...texts];
  const result: TrialResult = { texts: 0, rejected: tooLong.length, problems: [] };
  const views = pages.map((page): View => ({ page, unchecked: [] }));
  const batchSize = Math.min(CONCURRENT_CALLS, ...pages.map(({ capacity }) => capacity));
  for (let place = 0; pendingTexts.length > 0 && result.problems.length < MAX_FINDINGS; place += batchSize) {
    const sentLines = pendingTexts
      .splice(0, batchSize)
      .map((lines, index) => ({ lines, text: lines.join(row.separator), place: place + index }));
    // Rate limits aren't tested here.
    await site.db.kysely.deleteFrom('rate_limits').execute();
    const statuses = await Promise.all(sentLines.map(({ text, place: position }) => send(text, position)));
    const acceptedLines = sentLines.filter((_sent, at) => statuses[at] === 200);
    result.texts += acceptedLines.length;
    for (const { lines, text } of sentLines.filter((sent) => !acceptedLines.includes(sent))) {
      expect([text, ...statuses]).toEqual([text, ...statuses.map(() => expect.toSatisfy(isAcceptedOrRejected))]);
      if (lines.length === 1 || row.rejectsAll) result.rejected += lines.length;
      else pendingTexts.push(...splitInHalf(lines));
    }
    for (const { page, unchecked } of views) {
      unchecked.push(...acceptedLines);
      const [first] = unchecked;
      // The next batch would replace the first text on the page.
      const isFull = first && (place + 2 * batchSize - first.place > page.capacity || pendingTexts.length === 0);
      if (isFull) result.problems.push(...(await checkPage(site, page, unchecked.splice(0))));
    }
  }
  if (tooLong.length > 0) expect(await send(tooLong.join(row.separator), 0)).toSatisfy(isRejection);
  return result;
}

function splitInHalf(lines: readonly string[]): (readonly string[])[] {
  const middle = Math.ceil(lines.length / 2);
  return [lines.slice(0, middle), lines.slice(middle)];
}

/** Rejected because of the content, not because of the sender or rate. */
const isRejection = (status: number) =>
  status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;

const isAcceptedOrRejected = (status: number) => status === 200 || isRejection(status);

async function checkPage(site: HostileSite, page: ShownPage, planted: readonly PlantedText[]): Promise<string[]> {
  const { addressAt, method, expectedText, showsOneText = false, visibleCount = planted.length } = page;
  const expectedWords = (texts: readonly PlantedText[]) =>
    expectedText ? texts.map(({ text, place }) => expectedText(text, place)) : [];
  if (showsOneText && method === 'parse') {
    return site.parsePages(
      planted.map((plantedText) => ({ path: addressAt(plantedText.place), words: expectedWords([plantedText]) })),
    );
  }
  const path = addressAt(planted.at(-1)?.place ?? 0);
  if (method === 'markup') return site.parseMarkup(path);
  const visit = { path, words: expectedWords(planted.slice(showsOneText ? -1 : -visibleCount)) };
  if (method === 'parse') return site.parsePages([visit]);
  return method === 'navigate' ? site.navigateTo(visit) : site.openPage(visit);
}
