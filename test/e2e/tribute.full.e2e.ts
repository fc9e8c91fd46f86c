// @spec 7.create-checkout
import { problemsOn } from './support/axe.ts';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { awaitMail, mailsTo, newEmail, signInAs } from './support/signing-in.ts';

test('a gift in honor of someone shows its card, its receipt, and the donor’s and editors’ views', async ({
  page,
  browser,
}) => {
  const orgid = await openNewFund(page);
  const [donor, reader] = [newEmail('dora'), newEmail('grace')];
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`/orgs/${orgid}/donate`);
  const main = visitor.getByRole('main');
  await visitor.getByText('$25', { exact: true }).click();
  const wish = visitor.getByLabel('Give in honor or memory of someone');
  await expect(wish).not.toBeChecked();
  await wish.check();
  await expect(visitor.getByLabel('Name of the person')).toBeVisible();
  await main.getByRole('button', { name: 'Donate $25', exact: true }).click();
  await expect(visitor.getByText('Please choose one of these.')).toBeVisible();
  await expect(visitor.getByLabel('In honor of', { exact: true })).toBeFocused();
  await visitor.getByLabel('In honor of', { exact: true }).check();
  await visitor.getByLabel('Name of the person').fill('Ada Lovelace');
  await visitor.getByLabel('Email a card about this gift').check();
  await visitor.getByLabel('Email address for the card').fill(reader);
  await visitor.getByLabel('Who gets the card?').fill('Grace');
  const message = visitor.getByLabel('Your message');
  await message.fill('Thanks!\n'.repeat(13));
  await visitor.getByLabel('Signed').fill('Dora D.');
  await main.getByRole('button', { name: 'Donate $25', exact: true }).click();
  await expect(message).toBeFocused();
  await expect(visitor.getByText('The message can have at most 12 lines')).toBeVisible();
  expect(visitor.context().pages()).toHaveLength(1);
  expect(await problemsOn(visitor)).toEqual([]);
  await message.fill('Dear Grace,\n\nfor your birthday: a warmer home for somebody, in Ada’s name.\nWith love');

  // Canceling restores the tribute with the cart. Only this browser knows its text.
  const canceled = await openPayment(visitor, 'Donate');
  await canceled
    .getByRole('link', { name: /back|cancel/i })
    .first()
    .click();
  await canceled.waitForURL(/\/orgs\/[^/?]+\/?(?:[?#].*)?$/);
  await expect(canceled.getByLabel('Name of the person')).toHaveValue('Ada Lovelace');
  await expect(canceled.getByLabel('Email address for the card')).toHaveValue(reader);
  const paying = await openPayment(canceled, 'Checkout');
  await payByCard(paying, CARDS.pays, donor);
  await expect(paying.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  await expect(paying.getByText('In honor of Ada Lovelace', { exact: true })).toBeVisible();
  expect(await problemsOn(paying)).toEqual([]);
  expect(await paying.evaluate(() => JSON.stringify(localStorage))).not.toContain(reader);

  const card = await awaitMail(reader, 'in honor of Ada Lovelace');
  expect(card.text).toContain('> With love\n> – Dora D.');
  expect(card.text).not.toContain('$');
  await awaitMail(donor, 'In honor of: Ada Lovelace');
  expect(await mailsTo(reader)).toHaveLength(1);

  await signInAs(visitor, donor);
  await visitor.goto('/user-home');
  await expect(visitor.getByText(`The card was emailed to ${reader}.`)).toBeVisible();
  await visitor.context().close();

  await page.goto(`/orgs/${orgid}/editor/checkouts`);
  await page.getByRole('link', { name: /^Info/ }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Ada Lovelace');
  await expect(dialog).toContainText(`The card was emailed to ${reader}`);
  await dialog.getByRole('button', { name: 'Send the card to another address' }).click();
  const otherEmail = newEmail('other');
  await dialog.getByLabel('Send the card to').fill(otherEmail);
  expect(await problemsOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send the card', exact: true }).click();
  await expect(dialog).toContainText(new RegExp(`The card (is on its way|was emailed) to ${otherEmail}\\.`));
  await awaitMail(otherEmail, 'in honor of Ada Lovelace');
});
