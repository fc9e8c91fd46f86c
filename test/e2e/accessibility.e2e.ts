import { findingsOn } from './support/axe.ts';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';

const WIDTHS = [1280, 390];

for (const width of WIDTHS) {
  test(`axe finds nothing in the calculator, the dialogs and the drawer at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(ORG);
    for (const tab of ['Car', 'Home', 'Cart', 'Quick']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      expect(await findingsOn(page), tab).toEqual([]);
    }
    await page.getByRole('button', { name: 'Calculate Offset' }).click();
    await expect(page.getByRole('tabpanel')).toContainText('Car travel');
    expect(await findingsOn(page), 'a cart with an item').toEqual([]);
    await page.getByRole('tab', { name: 'Air' }).click();
    await page.getByRole('button', { name: /^From/ }).click();
    await page.getByRole('dialog').getByLabel('City').fill('ithaca');
    await page.getByRole('dialog').getByRole('button', { name: 'Search' }).click();
    await expect(
      page
        .getByRole('dialog')
        .getByText(/^Ithaca, .*New York/)
        .first(),
    ).toBeVisible();
    expect(await findingsOn(page), 'the city picker').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /menu/i }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await findingsOn(page), 'the drawer').toEqual([]);
    await page.goto(`${ORG}/donate`);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Send Check' })).toBeVisible();
    expect(await findingsOn(page), 'the check dialog').toEqual([]);
  });

  test(`axe finds nothing on the payment page, the checkout page and its form at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${ORG}/donate`);
    await page.getByText('$50', { exact: true }).click();
    const payment = await openPayment(page, 'Donate');
    expect(await findingsOn(payment), 'the payment page').toEqual([]);
    await payByCard(payment, CARDS.pays);
    await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
    expect(await findingsOn(payment), 'the checkout page').toEqual([]);
  });
}
