import type { Page } from '@playwright/test';
import type { PageName } from '#contract/pages.ts';
import { expect, ORG, test } from './support/journey.ts';
import { visitsBy } from './support/visits.ts';

/** What a page says of the element that has the focus. */
type Stop = {
  /** Its place among all that the keyboard reaches, in the order in which the page is read. */
  readonly place: number;
  readonly words: string;
  /** Whether nothing that stays in its place lies over it, and the window shows it. */
  readonly isSeen: boolean;
  readonly hasRing: boolean;
};

/** Everything that Tab should reach, in the page's own order: of a group of radio buttons one. */
async function markStops(page: Page): Promise<number> {
  return page.evaluate(() => {
    const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const groups = new Set<string>();
    const stops = [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => {
      if (element.matches(':disabled, [tabindex="-1"]') || element.closest('noscript')) return false;
      if (!element.checkVisibility({ visibilityProperty: true })) return false;
      if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
      const chosen = document.querySelector<HTMLInputElement>(`input[name="${element.name}"]:checked`) ?? element;
      const isNew = !groups.has(element.name) && chosen === element;
      if (isNew) groups.add(element.name);
      return isNew;
    });
    for (const [place, element] of stops.entries()) element.setAttribute('data-stop', String(place));
    return stops.length;
  });
}

async function stopNow(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return { place: -1, words: '', isSeen: false, hasRing: false };
    // A radio button that looks like a button is seen in its label; a card is pressed by the one link in it.
    const shown = element.closest('label') ?? element;
    const { left, top, width, height } = shown.getBoundingClientRect();
    const over = document.elementFromPoint(left + width / 2, top + height / 2);
    // A field shows it around itself and what is beside it.
    const withRing = [element, shown, element.parentElement, element.closest('article')].filter((one) => one !== null);
    return {
      place: Number(element.getAttribute('data-stop') ?? -1),
      words: (element.innerText || element.getAttribute('aria-label') || element.id).trim(),
      isSeen: over !== null && (shown.contains(over) || over.contains(shown)),
      hasRing: withRing.some((one) => getComputedStyle(one).outlineStyle !== 'none'),
    };
  });
}

/** Goes over the whole page by one key, and says what went wrong on the way. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab', expected: readonly number[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const place of expected) {
    await page.keyboard.press(key);
    const stop = await stopNow(page);
    if (stop.place !== place) wrong.push(`${key} comes to ${stop.place} "${stop.words}" and not to ${place}`);
    if (!stop.isSeen) wrong.push(`"${stop.words}" has the focus, and is not seen`);
    if (!stop.hasRing) wrong.push(`"${stop.words}" has the focus, and does not show it`);
  }
  return wrong;
}

/** The others have nothing that these do not have: on a phone only their header is different. */
const MOST_DIFFERENT: readonly PageName[] = ['home-page', 'donate-page', 'offsetter-page', 'login-page'];

for (const width of [1280, 390]) {
  const pages = width === 390 ? 'the pages that differ most' : 'every page';
  test(`at ${width} Tab moves through ${pages} from top to bottom, with a visible focus, and Shift+Tab back`, async ({
    page,
  }) => {
    test.slow();
    await page.setViewportSize({ width, height: 800 });
    for (const { name, path, leadsTo } of visitsBy('anybody')) {
      const isMostDifferent = MOST_DIFFERENT.includes(name);
      if (leadsTo || (width === 390 && !isMostDifferent)) continue;
      await page.goto(path(''));
      await page.waitForLoadState('networkidle');
      const places = Array.from({ length: await markStops(page) }, (_, place) => place);
      expect(places.length, name).toBeGreaterThan(5);
      expect.soft(await walk(page, 'Tab', places), name).toEqual([]);
      if (isMostDifferent) expect.soft(await walk(page, 'Shift+Tab', places.toReversed().slice(1)), name).toEqual([]);
    }
  });
}

test('arrow keys choose an amount, which fills the field; typing another amount clears the choice', async ({
  page,
}) => {
  await page.goto(`${ORG}/donate`);
  const group = page.getByRole('group', { name: 'Choose an amount' });
  const amount = page.getByLabel('Amount', { exact: true });
  await expect(group.getByRole('radio')).toHaveCount(5);
  await expect(group.getByRole('radio', { checked: true })).toHaveCount(0);
  await group.getByRole('radio', { name: '$25 1 ton' }).focus();
  await page.keyboard.press('Space');
  await expect(amount).toHaveValue('25');
  await page.keyboard.press('ArrowRight');
  await expect(group.getByRole('radio', { name: '$50 2 tons' })).toBeFocused();
  await expect(amount).toHaveValue('50');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(amount).toHaveValue('500');
  await page.keyboard.press('Tab');
  await expect(amount).toBeFocused();
  await page.keyboard.type('70');
  await expect(group.getByRole('radio', { checked: true })).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('100');
  await expect(group.getByRole('radio', { name: '$100 4 tons' })).toBeChecked();
});

test('the check dialog traps and restores the focus; a refused amount says why next to its field', async ({ page }) => {
  await page.goto(`${ORG}/donate`);
  const check = page.getByRole('button', { name: 'Check', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Send Check' });
  await check.press('Enter');
  await expect(dialog).toBeVisible();
  for (let pressed = 0; pressed < 12; pressed += 1) {
    await page.keyboard.press('Tab');
    const isOutside = await page.evaluate(() => {
      const { activeElement: element, body } = document;
      return element !== null && element !== body && !element.closest('dialog');
    });
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(check).toBeFocused();

  const amount = page.getByLabel('Amount', { exact: true });
  await page.getByRole('main').getByRole('button', { name: 'Donate', exact: true }).press('Enter');
  await expect(amount).toBeFocused();
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await expect(amount).toHaveAccessibleDescription(/\w/);
});

test('adding to the cart and removing from it are announced', async ({ page }) => {
  await page.goto(ORG);
  await page.getByLabel('Trip mileage').fill('1000');
  await page.getByRole('button', { name: 'Calculate Offset' }).press('Enter');
  const status = page.getByRole('status');
  await expect(status.filter({ hasText: 'Air travel is in your cart, which now has 1 item.' })).toHaveCount(1);
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: /^Remove/ })
    .press('Enter');
  await expect(status.filter({ hasText: 'Air travel was removed from your cart.' })).toHaveCount(1);
});

test('nothing moves for readers who prefer reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const path of ['', '/offsetters', '/donate']) {
    await page.goto(ORG + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element);
          return animationName !== 'none' || transitionDuration.split(', ').some((time) => time !== '0s');
        })
        .map(({ tagName, className }) => `${tagName} ${String(className)}`),
    );
    expect(moving, path).toEqual([]);
  }
});
