import { expect, ORG, test } from './support/journey.ts';

test('what is pressed and typed before the program is there is done once it is', async ({ page }) => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(ORG, { waitUntil: 'commit' });
  await page.getByLabel('Trip mileage').fill('1200');
  await page.getByText('Round trip').click();
  // Neither a press of a button nor the Enter key loads the page anew.
  await page.getByLabel('Trip mileage').press('Enter');
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await page.evaluate(() => 'earlyInput' in window)).toBe(true);

  letGo();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'About' })).toBeVisible();
  expect(await page.evaluate(() => 'earlyInput' in window)).toBe(false);
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Trip mileage')).toHaveValue('1200');
  await expect(page.getByLabel('Round trip')).toBeChecked();
  // The estimate is made of both: 1,200 miles there and back for one traveler.
  await expect(page.getByText('1,344 lbs of carbon')).toBeVisible();
});
