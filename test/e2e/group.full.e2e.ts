import { expect, ORG, test } from './support/journey.ts';

test('a wedding is estimated row by row, shared by link, printed, and paid as one', async ({ page, browser }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await page.goto(ORG);
  await page.getByRole('tab', { name: 'Quick' }).click();
  await page.getByRole('link', { name: 'Estimate for a group' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Estimate for a group' })).toBeVisible();
  await page.getByRole('button', { name: 'A wedding' }).click();
  await expect(page.getByText('These numbers are examples. Replace them with yours.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'A wedding' })).toContainText('$498.56');
  await page.getByLabel('Name of this estimate').fill('Ada and Tom’s wedding');
  const flights = page.getByRole('region', { name: 'Guests who fly' });
  await flights.getByLabel('Travelers').fill('120');
  await flights.getByLabel('Average miles, one way').fill('1,500');
  await expect(flights).toContainText('201,600 lbs · $2,520.00');
  await flights.getByText('How is this computed?').click();
  await expect(flights).toContainText('120 travelers × 1,500 miles × 0.56 lb × 2 (round trip) = 201,600.00 lb');
  const drives = page.getByRole('region', { name: 'Guests who drive' });
  await drives.getByLabel('Cars').fill('many');
  await expect(drives).toContainText('Enter the cars as a number');
  await drives.getByLabel('Cars').fill('40');
  await drives.getByLabel('Average miles, one way').fill('60');
  await page.getByRole('button', { name: 'Add energy' }).click();
  await page.getByRole('button', { name: 'Remove row 3' }).click();
  const total = page.getByRole('region', { name: 'Ada and Tom’s wedding' });
  await expect(total).toContainText('$2,614.27');
  await expect(total).toContainText('209,142 lbs of carbon');

  // Anyone with the link gets the whole estimate. This browser remembers it too.
  const link = page.url();
  await page.reload();
  await expect(total).toContainText('$2,614.27');
  const otherBrowser = await browser.newContext();
  const guest = await otherBrowser.newPage();
  await guest.goto(link);
  await expect(guest.getByRole('region', { name: 'Ada and Tom’s wedding' })).toContainText('$2,614.27');
  await otherBrowser.close();
  await page.goto(`${ORG}/group`);
  await expect(total).toContainText('$2,614.27');
  await page.goto(`${ORG}/group#group=%00nothing`);
  await expect(total).toContainText('$2,614.27');

  await total.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes');
  await total.getByRole('button', { name: 'Add to cart' }).click();
  await total.getByRole('link', { name: 'Go to the cart' }).click();
  const cart = page.getByRole('tabpanel');
  await expect(cart).toContainText('Ada and Tom’s wedding: Guests who fly');
  await expect(cart).toContainText('Ada and Tom’s wedding: Guests who drive');
  await expect(cart).toContainText('$2,614.27');

  // An edited estimate replaces the one in the cart.
  await cart.getByRole('link', { name: /^Edit Car travel/ }).click();
  await page.getByRole('button', { name: 'Remove Guests who drive' }).click();
  await flights.getByLabel('Travelers').fill('100');
  await page.reload();
  await total.getByRole('button', { name: 'Update in cart' }).click();
  await expect(total.getByRole('link', { name: 'Go to the cart' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(cart).not.toContainText('Car travel');
  await expect(cart.getByText('$2,100.00', { exact: true }).last()).toBeVisible();

  await page.goto(`${ORG}/group`);
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('button', { name: 'Add energy' }).click();
  await expect(page.getByText('“Row 1” still needs: Bills like this and an amount of energy.')).toBeVisible();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByRole('button', { name: 'A wedding' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'A wedding' })).toBeVisible();
});
