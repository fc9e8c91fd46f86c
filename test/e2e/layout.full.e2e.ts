// @spec 2.breakpoint 2.toast 2.donate-screen 9.breakpoint
import type { Locator, Page } from '@playwright/test';
import { fillCart } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';
import { signInAsEditor } from './support/new-fund.ts';

const HEIGHT = 900;

/** The name of the fund in the header. */
const fundName = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: 'City Climate Fund' }).locator('span');

const readBackgroundColor = (locator: Locator) =>
  locator.evaluate((element) => getComputedStyle(element).backgroundColor);

const isFullyVisible = (name: Locator) => name.evaluate((element) => element.scrollHeight <= element.clientHeight + 1);

test('at 577 pixels and wider, the header has its links and the calculator is centered; below that, the menu has the links', async ({
  page,
}) => {
  await page.goto(ORG);
  for (const width of [577, 640, 768, 960]) {
    await page.setViewportSize({ width, height: HEIGHT });
    const links = page.getByRole('banner').getByRole('navigation').getByRole('link');
    await expect(links).toHaveText(['Offsetters', 'Awardees', 'Installers', 'FAQ']);
    for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('banner').getByRole('link', { name: 'Donate' })).toBeInViewport({ ratio: 1 });
    expect(await isFullyVisible(fundName(page))).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const card = await page.getByRole('tabpanel').boundingBox();
    const { x = 0, width: cardWidth = 0 } = card ?? {};
    expect(Math.abs(x - (width - x - cardWidth))).toBeLessThanOrEqual(1);
  }
  await page.setViewportSize({ width: 576, height: HEIGHT });
  await expect(page.getByRole('banner').getByRole('link', { name: 'Donate' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('navigation')).toBeHidden();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Offsetters' })).toBeVisible();
});

test('in Spanish, with longer links, the header has the fund’s full name', async ({ page }) => {
  await page.goto(`/es${ORG}/about`);
  for (const width of [577, 640, 681, 768, 821, 961, 390, 320]) {
    await page.setViewportSize({ width, height: HEIGHT });
    expect(await isFullyVisible(fundName(page))).toBe(true);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Donar' })).toBeInViewport({ ratio: 1 });
  }
});

test('on the narrowest phone, the fund’s name isn’t broken within a word, even for an editor', async ({ page }) => {
  await signInAsEditor(page, 'narrow');
  await page.setViewportSize({ width: 320, height: HEIGHT });
  await page.goto(ORG);
  const wordBreaks = await fundName(page).evaluate((name) => {
    const text = name.firstChild as Text;
    const range = document.createRange();
    return [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1 ? [word] : [];
    });
  });
  expect(wordBreaks).toEqual([]);
});

test('on a phone, a story’s picture is as tall as its text, and stands out from its card while loading', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: HEIGHT });
  await page.route('**/media/**', () => undefined);
  await page.goto(`${ORG}/installers`);
  const card = page.getByRole('main').getByRole('article').first();
  const cardColor = await readBackgroundColor(card);
  expect([cardColor, 'rgba(0, 0, 0, 0)']).not.toContain(await readBackgroundColor(card.getByRole('img')));
  await card.getByRole('img').evaluate((photo: HTMLImageElement) => {
    photo.srcset = '';
    photo.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="100" height="2000"/>';
    return photo.decode();
  });
  expect((await card.boundingBox())?.height).toBeLessThan(300);
});

test('the donate page’s amounts are in view on a tablet, and the check dialog’s buttons at any width', async ({
  page,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  for (const prefix of ['/es', '']) {
    await page.goto(`${prefix}${ORG}/donate`);
    await expect(page.getByText('$250', { exact: true })).toBeInViewport({ ratio: 1 });
  }
  for (const [width, height] of [
    [1280, 900],
    [390, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Send Check' });
    const close = dialog.getByRole('button', { name: 'Close', exact: true });
    await expect(close).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole('button', { name: 'I’m sending a check' })).toBeInViewport({ ratio: 1 });
    await dialog.getByLabel('I’m sending a check for').focus();
    await expect(dialog.getByLabel('I’m sending a check for')).toBeInViewport({ ratio: 1 });
    await expect(close).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

test('a short page fills the window, and a long organization name stays within the header', async ({ page }) => {
  const banner = page.getByRole('banner');
  await page.setViewportSize({ width: 1280, height: 2600 });
  await page.goto(`${ORG}/about`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(2600);
  const footer = await page.getByRole('contentinfo').boundingBox();
  expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBe(2600);

  await fundName(page).evaluate((name) => {
    name.textContent = 'Greater Metropolitan Neighborhood Climate and Clean Air Fund of the Seven Lakes';
  });
  for (const width of [577, 860, 390]) {
    await page.setViewportSize({ width, height: HEIGHT });
    await expect(banner.getByRole('link', { name: 'Donate' })).toBeInViewport({ ratio: 1 });
    expect((await banner.boundingBox())?.height).toBeLessThanOrEqual(76);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('a very long one-word name doesn’t make a story wider than the window', async ({ page }) => {
  await page.goto(`${ORG}/awardees/haddad-family/`);
  await page.evaluate(() => {
    const names = document.querySelectorAll('h1, h3, nav[aria-label="Stories"] span > span:last-child');
    for (const name of names) name.textContent = 'Featherstonehaugh'.repeat(5);
  });
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: HEIGHT });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const steps = await page.getByRole('navigation', { name: 'Stories' }).getByRole('link').all();
    const overflows = await Promise.all(
      steps.map((step) => step.evaluate(({ scrollWidth, offsetWidth }: HTMLElement) => scrollWidth - offsetWidth)),
    );
    expect(overflows.length).toBe(3);
    for (const overflow of overflows) expect(overflow).toBeLessThanOrEqual(0);
    for (const card of await page.getByRole('article').all()) {
      expect(await card.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
  }
});

test('in a short window, such as one zoomed to 400%, the header scrolls with the page', async ({ page }) => {
  const banner = page.getByRole('banner');
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  await page.goto(`${ORG}/faqs`);
  await page.getByRole('heading', { name: 'How do I pay?' }).scrollIntoViewIfNeeded();
  await expect(banner).toBeInViewport();
  await page.setViewportSize({ width: 320, height: 225 });
  await page.getByRole('heading', { name: 'How do I pay?' }).scrollIntoViewIfNeeded();
  await expect(banner).not.toBeInViewport();
});

/** The text of each control that a toast covers. */
const findCoveredControls = (toast: Locator) =>
  toast.evaluate((element) => {
    const toastBox = element.getBoundingClientRect();
    const isCovered = (box: DOMRect) =>
      box.top < toastBox.bottom && box.bottom > toastBox.top && box.left < toastBox.right && box.right > toastBox.left;
    return [...document.querySelectorAll('a, button, input, select')]
      .filter((control) => !element.contains(control) && isCovered(control.getBoundingClientRect()))
      .map((control) => control.textContent);
  });

test('a toast stands out from the footer and moves away when a control appears underneath it', async ({ page }) => {
  await fillCart(page);
  await page.goto(`${ORG}/donate`);
  await page.getByText('$25', { exact: true }).click();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('button', { name: 'Go to your cart' }).click();
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Remove Donation/ }).click();
  const toast = page.locator('[popover]').filter({ hasText: 'Undo' });
  await expect.poll(() => findCoveredControls(toast), { intervals: [100] }).toEqual([]);
  const colors = await toast.evaluate((element) => {
    const { backgroundColor, borderTopColor } = getComputedStyle(element);
    return [backgroundColor, borderTopColor];
  });
  expect(colors).not.toContain(await readBackgroundColor(page.getByRole('contentinfo')));
  await page.mouse.move(0, 0);
  // A fixed control can't move aside, so the toast must.
  await toast.evaluate((element) => {
    const { left, top } = element.getBoundingClientRect();
    const control = document.createElement('button');
    control.textContent = 'below';
    control.style.cssText = `position: fixed; left: ${left}px; top: ${top}px`;
    document.querySelector('main')?.append(control);
  });
  await expect.poll(() => findCoveredControls(toast), { intervals: [100] }).toEqual([]);
});
