// @spec decisions.5
import { RENDERED_PAGES } from '#contract/pages.ts';
import { expect, test } from './support/journey.ts';
import { findPictureProblems, measureShifts } from './support/picture-problems.ts';
import { VISITS } from './support/visits.ts';

test('on a phone, pictures reserve their space, load at the displayed width, and cause no layout shift', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await measureShifts(page);
  for (const name of RENDERED_PAGES) {
    await page.goto(VISITS[name].path(''));
    expect.soft(await findPictureProblems(page), name).toEqual([]);
  }
});

test('a story’s main photo loads first', async ({ page }) => {
  for (const name of ['offsetter-page', 'awardee-page', 'installer-page'] as const) {
    await page.goto(VISITS[name].path(''));
    const photo = page.locator('article img').first();
    await expect(photo).toHaveAttribute('fetchpriority', 'high');
    await expect(photo).toHaveAttribute('loading', 'eager');
  }
});
