import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The program that looks for findings, as it comes with its driver. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);
/** What the driver runs in the page before each look, where the program is there already: nothing. */
const NOTHING = ';';

/** What keeps a page from being used by everybody, each with the element it is about. */
export async function findingsOn(page: Page): Promise<string[]> {
  // A page that is each person's own comes after its frame.
  await expect(page.locator('main > [aria-busy="true"]')).toHaveCount(0);
  // Where that is slow, its place says so, without the page's heading.
  await expect(page.locator('main > div > output', { hasText: 'Loading…' })).toHaveCount(0);
  // An opening dialog is half-transparent for a moment, and its words then too pale.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(ending.map(({ finished }) => finished.catch(() => {})));
  });
  // By itself the driver sends half a megabyte into the page, twice for each look.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  // What is well is not listed, and there are no frames of other sites: both would take longer than the rules do.
  const { violations } = await new AxeBuilder({ page, axeSource: NOTHING })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** The same on a desk and on a telephone, and whether the page is wider than either. */
export async function findingsAtBothWidths(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    if (widest > width) findings.push(`${widest} wide at ${width}`);
    findings.push(...(await findingsOn(page)).map((finding) => `at ${width} ${finding}`));
  }
  return findings;
}
