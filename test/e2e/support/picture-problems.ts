import type { Page } from '@playwright/test';

/** Maximum ratio of an image's width to the width needed, based on the steps between its available widths. */
const WIDTH_STEP = 2.1;
/** Maximum layout shift of a page, as browsers measure it. One line may wrap differently until its font arrives. */
const MAX_SHIFT = 0.02;

/** Measures layout shifts on every page opened from now on, and records the shifted elements. */
export async function measureShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & {
      readonly value: number;
      readonly sources: readonly {
        readonly node: Node | null;
        readonly previousRect: DOMRectReadOnly;
        readonly currentRect: DOMRectReadOnly;
      }[];
    };
    Reflect.set(window, 'shifted', 0);
    Reflect.set(window, 'shiftedParts', []);
    const describeNode = (node: Node | null) =>
      node instanceof Element
        ? `<${node.localName} class="${node.className}">`
        : `“${node?.textContent?.slice(0, 40)}”`;
    const formatRect = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        Reflect.set(window, 'shifted', Number(Reflect.get(window, 'shifted')) + value);
        for (const { node, previousRect, currentRect } of sources)
          Reflect.get(window, 'shiftedParts').push(
            `${describeNode(node)} from ${formatRect(previousRect)} to ${formatRect(currentRect)}`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Problems with the pictures of a page that was just opened at this width. */
export async function findPictureProblems(page: Page): Promise<string[]> {
  const wrongPictures = await page.evaluate(
    ({ step }) =>
      [...document.querySelectorAll('main img')].flatMap((picture) => {
        if (!(picture instanceof HTMLImageElement)) return [];
        const { top, width: displayedWidth } = picture.getBoundingClientRect();
        const isSvg = picture.currentSrc.endsWith('.svg');
        const hasReservedSpace =
          (picture.hasAttribute('width') && picture.hasAttribute('height')) ||
          getComputedStyle(picture.parentElement ?? picture).position === 'absolute';
        const widths = [...picture.srcset.matchAll(/ (\d+)w/g)].map(([, width]) => Number(width));
        const bestWidth = widths.find((width) => width >= displayedWidth) ?? widths.at(-1) ?? 0;
        const loadedWidth = Number(/\/(\d+)\.webp$/.exec(picture.currentSrc)?.[1] ?? 0);
        const problems = [
          !hasReservedSpace && 'has no space reserved',
          !picture.hasAttribute('alt') && 'has no alt text',
          !isSvg && loadedWidth > bestWidth * step && `loaded ${loadedWidth} wide, shown ${displayedWidth}`,
          !isSvg &&
            loadedWidth !== 0 &&
            loadedWidth < bestWidth &&
            `loaded ${loadedWidth} wide, shown ${displayedWidth}`,
          top > window.innerHeight * 2 && picture.loading !== 'lazy' && 'is far below the window but isn’t lazy',
        ];
        return problems.filter(Boolean).map((problem) => `${picture.currentSrc} ${problem}`);
      }),
    { step: WIDTH_STEP },
  );
  const unusedPreloads = await page.evaluate(() => {
    const usedSources = new Set([...document.images].map(({ currentSrc }) => currentSrc));
    return performance
      .getEntriesByType('resource')
      .filter((entry) => Reflect.get(entry, 'initiatorType') === 'link' && /\/(?:media|img)\//.test(entry.name))
      .flatMap((entry) => (usedSources.has(entry.name) ? [] : [entry.name]));
  });
  const shift = await page.evaluate(() => Number(Reflect.get(window, 'shifted')));
  const shiftedParts = await page.evaluate((): string[] => Reflect.get(window, 'shiftedParts'));
  return [
    ...wrongPictures,
    ...unusedPreloads.map((address) => `${address} was preloaded but isn't shown`),
    ...(shift > MAX_SHIFT ? [`the page shifted by ${shift}: ${shiftedParts.join(', ')}`] : []),
  ];
}
