// @spec 7.create-checkout
import { problemsOn } from './support/axe.ts';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, test, waitUntilInteractive } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { awaitMail, newEmail, signInAs } from './support/signing-in.ts';

test('a donor covers the card fee, shown on the donate page, cart, payment page, receipt, and for editors', async ({
  page,
  browser,
}) => {
  const orgid = await openNewFund(page);
  await page.goto(`/orgs/${orgid}/donate`);
  await page.getByText('$100', { exact: true }).click();
  const covers = page.getByRole('checkbox', { name: 'Add $3.30 to cover the card fee' });
  await expect(covers).not.toBeChecked();
  await page.getByLabel('About the card fee').click();
  await expect(page.getByText('Typical US card fee (2.9% + 30¢)')).toBeVisible();
  await page.getByLabel('About the card fee').click();
  await covers.press('Space');
  await expect(page.getByRole('button', { name: 'Donate $103.30', exact: true })).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  await page.getByText('Monthly', { exact: true }).click();
  await expect(page.getByRole('checkbox', { name: /card fee/ })).toHaveAccessibleName(
    'Add $3.30 each time to cover the card fee',
  );
  await page.getByText('One time', { exact: true }).click();
  const first = await openPayment(page, 'Donate');
  await expect(first.getByRole('listitem').filter({ hasText: 'Card fee' })).toContainText('$3.30');
  await first.getByRole('link', { name: /Cancel and go back/ }).click();

  // The cart comes back with the choice.
  await waitUntilInteractive(first);
  const cart = first.getByRole('tabpanel');
  await expect(cart).toContainText('Total $103.30');
  await expect(cart.getByRole('checkbox', { name: /card fee/ })).toBeChecked();
  expect(await problemsOn(first)).toEqual([]);
  await cart.getByRole('checkbox', { name: /card fee/ }).press('Space');
  await expect(cart).toContainText('Total $100.00');
  await cart.getByRole('checkbox', { name: /card fee/ }).press('Space');
  await cart.getByRole('combobox').selectOption({ label: 'Monthly' });
  await expect(cart).toContainText('$103.30 today, then $103.30 every month');
  await cart.getByRole('combobox').selectOption({ label: 'One time' });
  const payment = await openPayment(first, 'Checkout');
  const email = newEmail('covers');
  await payByCard(payment, CARDS.pays, email);
  const gift = payment.getByRole('region', { name: 'Your gift' });
  await expect(gift).toContainText('Added to cover the card fee$3.30Total$103.30');
  expect(await problemsOn(payment)).toEqual([]);
  const mail = await awaitMail(email, 'Added to cover the card fee: $3.30');
  expect(mail.text).toContain('Amount: $103.30');
  expect(mail.text).toContain('Donation to carbon offset program: $100.00');

  // The editor's dialog and export.
  await page.goto(`/orgs/${orgid}/editor/checkouts`);
  await page.getByRole('link', { name: /^Info ?: Ada Giver/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('$3.30 of it added to cover the card fee · Fee $3.30 · Net $100.00');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Added to cover the card fee' }).first()).toContainText(
    '$3.30',
  );
  expect(await problemsOn(dialog.page())).toEqual([]);

  const donor = await (await browser.newContext()).newPage();
  await signInAs(donor, email);
  await donor.goto('/user-home');
  await expect(donor.getByText('With $3.30 to cover the card fee')).toBeVisible();
  await expect(donor.getByText('$103.30', { exact: true })).toBeVisible();
  await donor.context().close();
});
