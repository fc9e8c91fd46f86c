// @spec 1.parent 2.home-screen 2.cart-tab
import { expect, ORG, test } from './support/journey.ts';

test('each calculator waits for its inputs, estimates while typing, and keeps its entries', async ({ page }) => {
  await page.goto(ORG);
  const calculate = page.getByRole('button', { name: 'Calculate Offset' });
  const panel = page.getByRole('tabpanel');

  await expect(calculate).toBeDisabled();
  await page.getByRole('textbox', { name: 'Trip mileage' }).fill('3,450');
  await expect(panel).toContainText('$24.15');
  await expect(panel).toContainText('1,932 lbs');
  await expect(calculate).toBeEnabled();
  await page.getByRole('textbox', { name: 'Travelers' }).fill('0');
  await expect(calculate).toBeDisabled();
  await page.getByRole('textbox', { name: 'Travelers' }).fill('2');

  await page.getByRole('tab', { name: 'Car', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Miles per gallon' })).toHaveValue('25');
  await expect(calculate).toBeDisabled();
  await page.getByRole('textbox', { name: 'Trip mileage' }).fill('100');
  await page.getByRole('textbox', { name: 'Miles per gallon' }).fill('');
  await expect(panel).toContainText('157 lbs');
  await expect(calculate).toBeEnabled();

  await page.getByRole('tab', { name: 'Home', exact: true }).click();
  await expect(calculate).toBeDisabled();
  await page.getByRole('textbox', { name: /propane/i }).fill('10');
  await expect(calculate).toBeEnabled();
  await expect(panel).toContainText('122 lbs');
  // Entries are saved a moment after typing.
  await page.waitForFunction(() => Object.values(localStorage).some((text) => String(text).includes('"propane":"10"')));
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Trip mileage' })).toHaveValue('3,450');
  await expect(page.getByRole('textbox', { name: 'Travelers' })).toHaveValue('2');
  await page.getByRole('tab', { name: 'Home', exact: true }).click();
  await expect(page.getByRole('textbox', { name: /propane/i })).toHaveValue('10');

  await page.getByRole('tab', { name: 'Quick', exact: true }).click();
  await expect(page.getByRole('group', { name: 'What to offset?' }).getByRole('radio').first()).toBeChecked();
  await expect(
    page.getByRole('group', { name: 'For what period?' }).getByRole('radio', { name: /year/i }),
  ).toBeChecked();
  await expect(calculate).toBeEnabled();
});

test('a visitor reads about the city, its stories, and the parent organization, and tries an example', async ({
  page,
}) => {
  await page.goto(ORG);
  const main = page.getByRole('main');
  for (const [column, path] of [
    ['Offsetters', 'offsetters'],
    ['Installers', 'installers'],
    ['Awardees', 'awardees'],
  ] as const) {
    await expect(main.getByRole('heading', { name: column, exact: true })).toBeVisible();
    await expect(main.locator(`a[href="${ORG}/${path}"]`).first()).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'Where a grant goes' })).toBeVisible();
  await expect(page.getByText('Lbs CO₂ Offset')).toBeVisible();
  await expect(page.getByText('$ in offsets raised')).toBeVisible();
  await expect(page.getByText('Grants awarded')).toBeVisible();
  // The stories in the three columns line up.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const cards = await main.getByRole('article').all();
  const boxes = await Promise.all(cards.map((card) => card.boundingBox()));
  expect(boxes.length).toBe(6);
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(2);
  expect(new Set(boxes.map((box) => box && box.y + box.height)).size).toBe(2);

  await expect(main.getByText('Ithaca, New York', { exact: true })).toBeVisible();
  await expect(main.getByText(/^\d+ grants to homes so far$/)).toBeVisible();
  await expect(main.getByText('Tax-deductible: a program of Sample Civic Organization, a 501(c)(3)')).toBeVisible();
  const price =
    /\$\d+\.\d\d/.exec((await main.getByText('New York to Los Angeles and back').textContent()) ?? '')?.[0] ?? '';
  await main.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByRole('button', { name: 'From' })).toContainText('New York City');
  await expect(page.getByRole('button', { name: 'From' })).toBeFocused();
  await expect(page.getByRole('button', { name: /^To/ })).toContainText('Los Angeles');
  await expect(page.getByRole('checkbox', { name: 'Round trip' })).toBeChecked();
  await expect(page.getByRole('tabpanel')).toContainText(price);
  await page.getByRole('checkbox', { name: 'Round trip' }).uncheck();
  await expect(page.getByRole('tabpanel')).not.toContainText(price);

  await expect(page.getByRole('contentinfo')).toContainText('is a program of Sample Civic Organization');
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click();
  await expect(main).toContainText(
    /501\(?c\)?\(?3\)?.* promotes responsible citizenship and open democratic processes/,
  );
});

test('an empty cart explains how to add an item, and a cart below the $5 minimum offers a donation to reach it', async ({
  page,
}) => {
  await page.goto(ORG);
  await page.getByRole('tab', { name: 'Cart' }).click();
  const panel = page.getByRole('tabpanel');
  await expect(panel).toContainText('No items in cart');
  await expect(panel).toContainText('Click on a carbon emission icon above to calculate your offset.');

  await page.getByRole('tab', { name: 'Air', exact: true }).click();
  await page.getByRole('textbox', { name: 'Trip mileage' }).fill('100');
  await page.getByRole('button', { name: 'Calculate Offset' }).click();
  await expect(panel).toContainText('Air travel');
  await expect(panel).toContainText('56.00 lbs');
  await expect(panel).toContainText('$0.70');
  await expect(panel).toContainText('$5 minimum to checkout');
  await expect(panel.getByRole('button', { name: 'Checkout' })).toBeDisabled();

  await panel.getByRole('button', { name: 'Add a $5 donation' }).click();
  await expect(panel.getByText('$5.70', { exact: true })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Checkout' })).toBeEnabled();
  const [first, second] = await panel.getByRole('combobox').all();
  await first?.selectOption({ label: 'Monthly' });
  await expect(panel).toContainText('(recurring: monthly)');
  await second?.selectOption({ label: 'Yearly' });
  await expect(panel).toContainText('Monthly and yearly gifts can’t be paid together.');
  await expect(panel.getByRole('button', { name: 'Checkout' })).toBeDisabled();

  await page.reload();
  await page.getByRole('tab', { name: /Cart/ }).click();
  await panel.getByRole('button', { name: /remove.*Air travel/i }).click();
  await expect(panel).not.toContainText('Air travel');
  await expect(panel.getByRole('button', { name: 'Checkout' })).toBeEnabled();
});
