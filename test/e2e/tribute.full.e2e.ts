// @spec 7.create-checkout
import { findAccessibilityProblems } from './support/axe.ts';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { awaitEmail, newEmail, readEmails, signInAs } from './support/sign-in.ts';

test('a gift in honor of someone appears on its card and receipt and in the donor’s and editors’ views', async ({
  page,
  browser,
}) => {
  const orgId = await openNewFund(page);
  const [donor, cardEmail] = [newEmail('dora'), newEmail('grace')];
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`/orgs/${orgId}/donate`);
  const main = visitor.getByRole('main');
  await visitor.getByText('$25', { exact: true }).click();
  const tributeCheckbox = visitor.getByLabel('Give in honor or memory of someone');
  await expect(tributeCheckbox).not.toBeChecked();
  await tributeCheckbox.check();
  await expect(visitor.getByLabel('Name of the person')).toBeVisible();
  await main.getByRole('button', { name: 'Donate $25', exact: true }).click();
  await expect(visitor.getByText('Please choose one of these.')).toBeVisible();
  await expect(visitor.getByLabel('In honor of', { exact: true })).toBeFocused();
  await visitor.getByLabel('In honor of', { exact: true }).check();
  await visitor.getByLabel('Name of the person').fill('Ada Lovelace');
  await visitor.getByLabel('Email a card about this gift').check();
  await visitor.getByLabel('Email address for the card').fill(cardEmail);
  await visitor.getByLabel('Who gets the card?').fill('Grace');
  const message = visitor.getByLabel('Your message');
  await message.fill('Thanks!\n'.repeat(13));
  await visitor.getByLabel('Signed').fill('Dora D.');
  await main.getByRole('button', { name: 'Donate $25', exact: true }).click();
  await expect(message).toBeFocused();
  await expect(visitor.getByText('The message can have at most 12 lines')).toBeVisible();
  expect(visitor.context().pages()).toHaveLength(1);
  expect(await findAccessibilityProblems(visitor)).toEqual([]);
  await message.fill('Dear Grace,\n\nfor your birthday: a warmer home for somebody, in Ada’s name.\nWith love');

  // Canceling restores the tribute with the cart. Only this browser knows its text.
  const canceledPage = await openPayment(visitor, 'Donate');
  await canceledPage
    .getByRole('link', { name: /back|cancel/i })
    .first()
    .click();
  await canceledPage.waitForURL(/\/orgs\/[^/?]+\/?(?:[?#].*)?$/);
  await expect(canceledPage.getByLabel('Name of the person')).toHaveValue('Ada Lovelace');
  await expect(canceledPage.getByLabel('Email address for the card')).toHaveValue(cardEmail);
  const paymentPage = await openPayment(canceledPage, 'Checkout');
  await payByCard(paymentPage, CARDS.succeeds, donor);
  await expect(paymentPage.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  await expect(paymentPage.getByText('In honor of Ada Lovelace', { exact: true })).toBeVisible();
  expect(await findAccessibilityProblems(paymentPage)).toEqual([]);
  expect(await paymentPage.evaluate(() => JSON.stringify(localStorage))).not.toContain(cardEmail);

  const card = await awaitEmail(cardEmail, 'in honor of Ada Lovelace');
  expect(card.text).toContain('> With love\n> – Dora D.');
  expect(card.text).not.toContain('$');
  await awaitEmail(donor, 'In honor of: Ada Lovelace');
  expect(await readEmails(cardEmail)).toHaveLength(1);

  await signInAs(visitor, donor);
  await visitor.goto('/user-home');
  await expect(visitor.getByText(`The card was emailed to ${cardEmail}.`)).toBeVisible();
  await visitor.context().close();

  await page.goto(`/orgs/${orgId}/editor/checkouts`);
  await page.getByRole('link', { name: /^Info/ }).first().click();
  const dialog = page.getByRole('dialog').first();
  await expect(dialog).toContainText('Ada Lovelace');
  await expect(dialog).toContainText(`The card was emailed to ${cardEmail}`);
  await dialog.getByRole('button', { name: 'Send the card to another address' }).click();
  const otherEmail = newEmail('other');
  const sendDialog = page.getByRole('dialog', { name: 'Send the card to another address' });
  await sendDialog.getByLabel('Send the card to').fill(otherEmail);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await sendDialog.getByRole('button', { name: 'Send the card', exact: true }).click();
  await expect(sendDialog).toBeHidden();
  await expect(dialog).toContainText(new RegExp(`The card (is on its way|was emailed) to ${otherEmail}\\.`));
  await awaitEmail(otherEmail, 'in honor of Ada Lovelace');
});
