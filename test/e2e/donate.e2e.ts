// @spec 1.visitors 2.donate-screen 5.donate decisions.3
// Slow because each journey pays on the hosted page or goes through the check dialog.
import { CARDS, fillCart, openPayment, payByCard } from './support/giving.ts';
import { expect, ORG, openMailbox, test } from './support/journey.ts';
import { awaitEmail, newEmail } from './support/sign-in.ts';

test('a monthly gift is paid in the sandbox, and the receipt shows that it recurs', async ({ page, fund }) => {
  await page.goto(`${fund}/donate`);
  await expect(page.getByRole('radio', { name: 'One time' })).toBeChecked();
  await page.getByLabel('Amount').fill('40');
  await page.getByText('Monthly', { exact: true }).click();
  const payment = await openPayment(page, 'Donate');
  await expect(payment.getByText(/month/i).first()).toBeVisible();
  const email = newEmail('monthly');
  await payByCard(payment, CARDS.succeeds, email);
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  await awaitEmail(email, 'recurring: monthly');

  // The browser must log no warning about the email in the mailbox's frame.
  await openMailbox(page);
  await page.getByRole('link', { name: email }).click();
  const emailFrame = page.frameLocator('iframe');
  await expect(emailFrame.getByText('You will be charged $40.00 every month until you stop it.')).toBeVisible();
  await expect(emailFrame.getByText(/^The next charge will be around \w+ \d+, \d{4}\.$/)).toBeVisible();
});

test('the form shows a household, the effect of the gift, and each charge, and the cart shows each charge', {
  tag: '@full',
}, async ({ page }) => {
  await fillCart(page);
  await page.goto(`${ORG}/donate`);
  const home = page.getByRole('complementary', { name: 'A home helped by a grant' });
  await expect(home.getByRole('img')).toBeVisible();
  await expect(home.getByRole('link', { name: /^Read more about/ })).toBeVisible();
  const form = page.getByRole('form', { name: 'Donation' });
  await form.getByText('$100', { exact: true }).click();
  await expect(form.getByText('$100 funds about 4 tons of grant work.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Donate $100', exact: true })).toBeVisible();
  await form.getByRole('button', { name: 'More intervals' }).click();
  await form.getByRole('combobox', { name: 'How often?' }).selectOption({ label: 'Every 2 months' });
  await expect(form.getByRole('button', { name: 'Donate $100 every 2 months', exact: true })).toBeVisible();
  await form.locator('label').getByText('Monthly', { exact: true }).click();
  await form.getByText(/cover the card fee/).click();
  await expect(form.getByRole('button', { name: 'Donate $103.30 monthly', exact: true })).toBeVisible();
  const chargeSentence =
    'You’ll pay $103.30 today, then $103.30 every month. Stop anytime from your receipt email or My giving.';
  await expect(form.getByText(chargeSentence)).toBeVisible();
  // The charge isn't shown for an amount below the minimum.
  await form.getByLabel('Amount').fill('4');
  await expect(form.getByText('You’ll pay')).toBeHidden();

  await form.getByText('$25', { exact: true }).click();
  await form.getByText(/cover the card fee/).click();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await form.locator('label').getByText('One time', { exact: true }).click();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('button', { name: 'Go to your cart' }).click();
  const cart = page.getByRole('tabpanel');
  await cart
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await expect(cart.getByText('$50.00 today, then $25.00 every month')).toBeVisible();
  await cart.getByRole('combobox').first().selectOption({ label: 'Yearly' });
  await expect(cart.getByText('$50.00 today, then $25.00 every year')).toBeVisible();
  await cart.getByRole('combobox').first().selectOption({ label: 'One time' });
  await expect(cart.getByText('today, then')).toBeHidden();
});
