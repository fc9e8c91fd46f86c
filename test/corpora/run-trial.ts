import { expect } from 'vitest';
import type { PackedLines } from './hostile-lines.ts';
import type { HostileCase, TestedPage } from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

const CONCURRENT_CALLS = 8;
/** Stops after this many findings, because each missing text takes a full timeout. */
const MAX_FINDINGS = 5;

/** A text that was sent, and its position. */
type PlantedText = { readonly lines: readonly string[]; readonly text: string; readonly position: number };

/** A page and the texts planted since the last check. */
type View = { readonly page: TestedPage; readonly uncheckedTexts: PlantedText[] };

/** Result: accepted texts, rejected lines, and elements that ran or could run. */
export type TrialResult = { acceptedTextCount: number; rejectedLineCount: number; readonly problems: string[] };

/**
 * Sends the texts and checks each page once it shows as many texts as it can. A rejected text is split in half until
 * only single lines remain. Lines that are too long are sent together, because all of them must be rejected.
 */
export async function runTrial(
  site: HostileSite,
  row: HostileCase,
  { texts, tooLongLines }: PackedLines,
): Promise<TrialResult> {
  const { send, pages } = await row.start(site);
  const pendingTexts: (readonly string[])[] = [...texts];
  const result: TrialResult = { acceptedTextCount: 0, rejectedLineCount: tooLongLines.length, problems: [] };
  const views = pages.map((page): View => ({ page, uncheckedTexts: [] }));
  const batchSize = Math.min(CONCURRENT_CALLS, ...pages.map(({ capacity }) => capacity));
  for (let batchStart = 0; pendingTexts.length > 0 && result.problems.length < MAX_FINDINGS; batchStart += batchSize) {
    const sentTexts = pendingTexts
      .splice(0, batchSize)
      .map((lines, index) => ({ lines, text: lines.join(row.separator), position: batchStart + index }));
    // Rate limits aren't tested here.
    await site.db.kysely.deleteFrom('rate_limits').execute();
    const statuses = await Promise.all(sentTexts.map(({ text, position }) => send(text, position)));
    const acceptedTexts = sentTexts.filter((_text, at) => statuses[at] === 200);
    result.acceptedTextCount += acceptedTexts.length;
    for (const { lines, text } of sentTexts.filter((sent) => !acceptedTexts.includes(sent))) {
      expect([text, ...statuses]).toEqual([text, ...statuses.map(() => expect.toSatisfy(isAcceptedOrRejected))]);
      if (lines.length === 1 || row.rejectsAll) result.rejectedLineCount += lines.length;
      else pendingTexts.push(...splitInHalf(lines));
    }
    for (const { page, uncheckedTexts } of views) {
      uncheckedTexts.push(...acceptedTexts);
      const [first] = uncheckedTexts;
      // The next batch would replace the first text on the page.
      const isFull =
        first && (batchStart + 2 * batchSize - first.position > page.capacity || pendingTexts.length === 0);
      if (isFull) result.problems.push(...(await checkPage(site, page, uncheckedTexts.splice(0))));
    }
  }
  if (tooLongLines.length > 0) expect(await send(tooLongLines.join(row.separator), 0)).toSatisfy(isRejection);
  return result;
}

function splitInHalf(lines: readonly string[]): (readonly string[])[] {
  const middle = Math.ceil(lines.length / 2);
  return [lines.slice(0, middle), lines.slice(middle)];
}

/** True if the content was rejected, not the sender or the request rate. */
const isRejection = (status: number) =>
  status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;

const isAcceptedOrRejected = (status: number) => status === 200 || isRejection(status);

async function checkPage(site: HostileSite, page: TestedPage, plantedTexts: readonly PlantedText[]): Promise<string[]> {
  const { sourceAt, method, expectedText, showsOneText = false, visibleCount = plantedTexts.length } = page;
  const expectedWords = (texts: readonly PlantedText[]) =>
    expectedText ? texts.map(({ text, position }) => expectedText(text, position)) : [];
  if (showsOneText && method === 'parse') {
    return site.parsePages(
      plantedTexts.map((plantedText) => ({
        path: sourceAt(plantedText.position),
        words: expectedWords([plantedText]),
      })),
    );
  }
  const path = sourceAt(plantedTexts.at(-1)?.position ?? 0);
  if (method === 'markup') return site.parseMarkup(path);
  const visit = { path, words: expectedWords(plantedTexts.slice(showsOneText ? -1 : -visibleCount)) };
  if (method === 'parse') return site.parsePages([visit]);
  return method === 'navigate' ? site.navigateTo(visit) : site.openPage(visit);
}
