import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { RUNS_ALL } from '#scripts/test/test-selection.ts';

/** Source code of axe, which is evaluated in the page. */
const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const OPTIONS: RunOptions = { resultTypes: ['violations'] };

/** Time for a page to adapt to its window, in milliseconds. */
const OVERFLOW_TIMEOUT = 10_000;

/** Finds a page's accessibility violations with their elements. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  // A personal page's content appears after its frame.
  await expect(page.locator('main > [aria-busy="true"]')).toHaveCount(0);
  // While content loads slowly, a placeholder replaces the page, including its heading.
  await expect(page.locator('main > div > output', { hasText: 'Loading…' })).toHaveCount(0);
  // A dialog is briefly translucent while it opens, which lowers its text contrast.
  await page.evaluate(async () => {
    const animations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(animations.map(({ finished }) => finished.catch(() => {})));
  });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE_SOURCE);
  // Evaluates axe directly. Its driver takes 50% longer because it supports frames, which the pages don't have.
  const { violations } = await page.evaluate(
    async (options): Promise<AxeResults> => Reflect.get(window, 'axe').run(options),
    OPTIONS,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

type WindowSize = { readonly width: number; readonly height: number };

/** A desktop, a tablet, a phone, and a desktop window zoomed to 400%. */
const WINDOW_SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 256 },
] as const;

const PHONE = WINDOW_SIZES[2];

/** Finds axe violations in the current window, and reports if the page is wider than a phone. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  return [...(await findAxeViolations(page)), ...(await findOverflow(page, [PHONE]))];
}

/** Runs in the page. @returns the innermost element that reaches farthest to the right, with its text */
function describeWidestElement(): string {
  const elements = [...document.querySelectorAll('body *')];
  const right = Math.max(...elements.map((element) => element.getBoundingClientRect().right));
  const widest = elements.findLast((element) => element.getBoundingClientRect().right === right);
  return `${widest?.localName}.${widest?.className} at ${Math.round(right)}: ${widest?.textContent?.slice(0, 60)}`;
}

/**
 * Finds windows that are too narrow for the page. Restores the original window at the end.
 * @param windows a phone by default; all windows in `npm run test:all`
 */
export async function findOverflow(
  page: Page,
  windows: readonly WindowSize[] = RUNS_ALL ? WINDOW_SIZES : [PHONE],
): Promise<string[]> {
  const initialSize = page.viewportSize();
  const problems: string[] = [];
  for (const size of windows) {
    await page.setViewportSize(size);
    // Drawings that depend on the width are redrawn a moment after the window is resized.
    const fitsWindow = page.waitForFunction((width) => document.documentElement.scrollWidth <= width, size.width, {
      timeout: OVERFLOW_TIMEOUT,
    });
    await fitsWindow.catch(async () => {
      problems.push(`wider than ${size.width}: ${await page.evaluate(describeWidestElement)}`);
    });
  }
  if (initialSize) await page.setViewportSize(initialSize);
  return problems;
}
