import { RENDERED_PAGES } from '#contract/pages.ts';
import { expect, test } from './support/journey.ts';
import { VISITS } from './support/visits.ts';

/** How often too many pixels may come: the widths of a picture lie this far apart. */
const WIDTH_STEP = 2.1;

for (const width of [1280, 390]) {
  test(`pictures reserve their space, load at the width shown, and shift nothing, at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(() => {
      Reflect.set(window, 'shifted', 0);
      const add = (value: unknown) =>
        Reflect.set(window, 'shifted', Number(Reflect.get(window, 'shifted')) + Number(value));
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) add(Reflect.get(entry, 'value'));
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const name of RENDERED_PAGES) {
      await page.goto(VISITS[name].path(''), { waitUntil: 'networkidle' });
      const wrong = await page.evaluate(
        ({ step }) =>
          [...document.querySelectorAll('main img')].flatMap((picture) => {
            if (!(picture instanceof HTMLImageElement)) return [];
            const { top, width: shown } = picture.getBoundingClientRect();
            const isDrawn = picture.currentSrc.endsWith('.svg');
            const hasRoom =
              (picture.hasAttribute('width') && picture.hasAttribute('height')) ||
              getComputedStyle(picture.parentElement ?? picture).position === 'absolute';
            const widths = [...picture.srcset.matchAll(/ (\d+)w/g)].map(([, each]) => Number(each));
            const best = widths.find((each) => each >= shown) ?? widths.at(-1) ?? 0;
            const came = Number(/\/(\d+)\.webp$/.exec(picture.currentSrc)?.[1] ?? 0);
            const problems = [
              !hasRoom && 'has no space reserved',
              !picture.hasAttribute('alt') && 'is not described',
              !isDrawn && came > best * step && `came ${came} wide, shown ${shown}`,
              !isDrawn && came !== 0 && came < best && `came ${came} wide only, shown ${shown}`,
              top > window.innerHeight * 2 && picture.loading !== 'lazy' && 'is far below, and fetched at once',
            ];
            return problems.filter(Boolean).map((problem) => `${picture.currentSrc} ${problem}`);
          }),
        { step: WIDTH_STEP },
      );
      expect.soft(wrong, name).toEqual([]);
      const inVain = await page.evaluate(() => {
        const used = new Set([...document.images].map(({ currentSrc }) => currentSrc));
        return performance
          .getEntriesByType('resource')
          .filter((entry) => Reflect.get(entry, 'initiatorType') === 'link' && /\/(?:media|img)\//.test(entry.name))
          .flatMap((entry) => (used.has(entry.name) ? [] : [entry.name]));
      });
      expect.soft(inVain, `fetched ahead for ${name}, and not shown`).toEqual([]);
      const shift = await page.evaluate(() => Number(Reflect.get(window, 'shifted')));
      expect.soft(shift, name).toBeLessThanOrEqual(0.01);
    }
  });
}

for (const name of ['offsetter-page', 'awardee-page', 'installer-page'] as const) {
  test(`the main photo of the ${name} loads first`, async ({ page }) => {
    await page.goto(VISITS[name].path(''));
    const photo = page.locator('article img').first();
    await expect(photo).toHaveAttribute('fetchpriority', 'high');
    await expect(photo).toHaveAttribute('loading', 'eager');
  });
}
