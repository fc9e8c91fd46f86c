import type { Page } from '@playwright/test';

/** Description of the focused element. */
type FocusStop = {
  /** Position among the elements that Tab should reach, in reading order. */
  readonly index: number;
  readonly label: string;
  /** True if the element is in view and no fixed element covers it. */
  readonly isVisible: boolean;
  readonly hasRing: boolean;
};

/** Numbers everything that Tab should reach, in reading order, and returns the count. A radio group is one stop. */
async function markStops(page: Page): Promise<number> {
  return page.evaluate(() => {
    const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const groups = new Set<string>();
    const stops = [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => {
      if (element.matches(':disabled, [tabindex="-1"]') || element.closest('noscript')) return false;
      if (!element.checkVisibility({ visibilityProperty: true })) return false;
      if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
      const checkedInput = document.querySelector<HTMLInputElement>(`input[name="${element.name}"]:checked`) ?? element;
      const isNew = !groups.has(element.name) && checkedInput === element;
      if (isNew) groups.add(element.name);
      return isNew;
    });
    for (const [stopIndex, element] of stops.entries()) element.setAttribute('data-stop', String(stopIndex));
    return stops.length;
  });
}

/** Makes the page record the focused element after each Tab. */
async function recordStops(page: Page): Promise<void> {
  await page.evaluate(() => {
    const stops: FocusStop[] = [];
    Object.assign(window, { stops });
    document.addEventListener('keyup', ({ key }) => {
      if (key !== 'Tab') return;
      const element = document.activeElement;
      if (!(element instanceof HTMLElement)) return;
      // For styled radios, the visible element is the label; a card's link stretches over the card.
      const label = element.closest('label') ?? element;
      const { left, top, width, height } = label.getBoundingClientRect();
      const topElement = document.elementFromPoint(left + width / 2, top + height / 2);
      // The focus ring may be drawn on a wrapper.
      const ringElements = [element, label, element.parentElement, element.closest('article')];
      stops.push({
        index: Number(element.getAttribute('data-stop') ?? -1),
        label: (element.innerText || element.getAttribute('aria-label') || element.id).trim(),
        isVisible: topElement !== null && (label.contains(topElement) || topElement.contains(label)),
        hasRing: ringElements.some(
          (ringElement) => ringElement && getComputedStyle(ringElement).outlineStyle !== 'none',
        ),
      });
    });
  });
}

/** Moves through the whole page with one key. @returns problems along the way */
async function tabThrough(page: Page, key: 'Tab' | 'Shift+Tab', expected: readonly number[]): Promise<string[]> {
  for (const _stopIndex of expected) await page.keyboard.press(key);
  const stops = await page.evaluate(() => (window as unknown as { stops: FocusStop[] }).stops.splice(0));
  const problems = stops.flatMap(({ index: stopIndex, label, isVisible, hasRing }, index) => [
    ...(stopIndex === expected[index]
      ? []
      : [`${key} focuses stop ${stopIndex} "${label}" instead of ${expected[index]}`]),
    ...(isVisible ? [] : [`"${label}" has focus but is hidden`]),
    ...(hasRing ? [] : [`"${label}" has focus but no focus ring`]),
  ]);
  return stops.length === expected.length
    ? problems
    : [...problems, `${stops.length} of ${expected.length} stops were reached`];
}

/** Presses Tab through the page, then Shift+Tab back if requested. @returns focus problems */
export async function findFocusProblems(page: Page, { goesBack }: { readonly goesBack: boolean }): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const stopIndexes = Array.from({ length: await markStops(page) }, (_, index) => index);
  await recordStops(page);
  const tooFewStops = stopIndexes.length > 5 ? [] : [`only ${stopIndexes.length} stops`];
  const forwardProblems = await tabThrough(page, 'Tab', stopIndexes);
  const backwardProblems = goesBack ? await tabThrough(page, 'Shift+Tab', stopIndexes.toReversed().slice(1)) : [];
  return [...tooFewStops, ...forwardProblems, ...backwardProblems];
}
