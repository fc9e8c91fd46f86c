// @spec 7.create-checkout
import { findAccessibilityProblems } from './support/axe.ts';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, test, waitUntilInteractive } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { awaitEmail, newEmail, signInAs } from './support/sign-in.ts';

test('a donor covers the card fee; the donate page, cart, payment page, receipt, and editor pages show it', async ({
  page,
  browser,
}) => {
  const orgId = await openNewFund(page);
  await page.goto(`/orgs/${orgId}/donate`);
  await page.getByText('$100', { exact: true }).click();
  const feeCheckbox = page.getByRole('checkbox', { name: 'Add $3.30 to cover the card fee' });
  await expect(feeCheckbox).not.toBeChecked();
  await page.getByLabel('About the card fee').click();
  await expect(page.getByText('Typical U.S. card fee (2.9% + 30¢)')).toBeVisible();
  await page.getByLabel('About the card fee').click();
  await feeCheckbox.press('Space');
  await expect(page.getByRole('button', { name: 'Donate $103.30', exact: true })).toBeVisible();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByText('Monthly', { exact: true }).click();
  await expect(page.getByRole('checkbox', { name: /card fee/ })).toHaveAccessibleName(
    'Add $3.30 each time to cover the card fee',
  );
  await page.getByText('One time', { exact: true }).click();
  const firstPayment = await openPayment(page, 'Donate');
  await expect(firstPayment.getByRole('listitem').filter({ hasText: 'Card fee' })).toContainText('$3.30');
  expect(await findAccessibilityProblems(firstPayment)).toEqual([]);
  await firstPayment.getByRole('link', { name: /Cancel and go back/ }).click();

  // The restored cart includes the fee choice.
  await waitUntilInteractive(firstPayment);
  const cart = firstPayment.getByRole('tabpanel');
  await expect(cart).toContainText('Total $103.30');
  await expect(cart.getByRole('checkbox', { name: /card fee/ })).toBeChecked();
  expect(await findAccessibilityProblems(firstPayment)).toEqual([]);
  await cart.getByRole('checkbox', { name: /card fee/ }).press('Space');
  await expect(cart).toContainText('Total $100.00');
  await cart.getByRole('checkbox', { name: /card fee/ }).press('Space');
  await cart.getByRole('combobox').selectOption({ label: 'Monthly' });
  await expect(cart).toContainText('$103.30 today, then $103.30 every month');
  await cart.getByRole('combobox').selectOption({ label: 'One time' });
  const payment = await openPayment(firstPayment, 'Checkout');
  const email = newEmail('covers');
  await payByCard(payment, CARDS.succeeds, email);
  const gift = payment.getByRole('region', { name: 'Your gift' });
  await expect(gift).toContainText('Added to cover the card fee$3.30Total$103.30');
  expect(await findAccessibilityProblems(payment)).toEqual([]);
  const receiptEmail = await awaitEmail(email, 'Added to cover the card fee: $3.30');
  expect(receiptEmail.text).toContain('Amount: $103.30');
  expect(receiptEmail.text).toContain('Donation to carbon offset program: $100.00');

  // The editor's dialog and export.
  await page.goto(`/orgs/${orgId}/editor/checkouts`);
  await page.getByRole('link', { name: /^Info ?: Ada Giver/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Includes $3.30 to cover the card fee · Fee $3.30 · Net $100.00');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Added to cover the card fee' }).first()).toContainText(
    '$3.30',
  );
  expect(await findAccessibilityProblems(dialog.page())).toEqual([]);

  const donorPage = await (await browser.newContext()).newPage();
  await signInAs(donorPage, email);
  await donorPage.goto('/user-home');
  await expect(donorPage.getByText('Includes $3.30 to cover the card fee')).toBeVisible();
  await expect(donorPage.getByText('$103.30', { exact: true })).toBeVisible();
  await donorPage.context().close();
});
