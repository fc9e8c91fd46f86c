// @spec 7.create-checkout decisions.3 decisions.4
import { findAccessibilityProblems } from './support/axe.ts';
import { CARDS, GIVER_EMAIL, giveMonthly } from './support/giving.ts';
import { expect, LONG_TIMEOUT, waitUntilInteractive } from './support/journey.ts';
import { startSeparateSite, testOnSeparateSite } from './support/separate-site.ts';
import { readEmails } from './support/sign-in.ts';

/** Moving the clock would disturb other journeys. */
const test = testOnSeparateSite(() => startSeparateSite());

test('a monthly gift renews, its card fails, a new card pays, the donor stops it from its email, and the sandbox refunds it', async ({
  page,
}) => {
  test.setTimeout(LONG_TIMEOUT);
  const findEmailsWithSubject = async (subject: string) =>
    (await readEmails(GIVER_EMAIL)).filter((email) => email.subject.includes(subject));
  const awaitGiftLink = async (subject: string): Promise<string> => {
    await expect.poll(async () => (await findEmailsWithSubject(subject)).length).toBeGreaterThan(0);
    return /https?:\S+\/gifts\/[\w-]+(?=\s)/.exec((await findEmailsWithSubject(subject))[0]?.text ?? '')?.[0] ?? '';
  };
  const openGift = async (link: string) => {
    await page.goto(link);
    await waitUntilInteractive(page);
    await expect(page.getByRole('heading', { level: 1, name: 'Your recurring gift' })).toBeVisible();
  };
  const gift = page.getByRole('region', { name: 'Your recurring gift' });
  await (await giveMonthly(page, { coversFee: true })).close();

  // The sandbox works on a phone and with the keyboard.
  const dashboard = await page.context().newPage();
  await dashboard.setViewportSize({ width: 390, height: 800 });
  const payments = dashboard.getByRole('region', { name: 'Payments' }).getByRole('listitem');
  const moveClockOneMonth = async () => {
    await dashboard.goto('/sandbox');
    await dashboard.getByRole('button', { name: 'Move the clock 1 month' }).press('Enter');
  };
  for (const receiptCount of [2, 3, 4]) {
    await moveClockOneMonth();
    await expect(payments).toHaveCount(receiptCount);
    await expect.poll(async () => (await findEmailsWithSubject('receipt no.')).length).toBe(receiptCount);
  }

  await openGift(await awaitGiftLink('receipt no.'));
  await expect(gift).toContainText('Active');
  await expect(gift).toContainText('$26.06 every month, with $1.06 to cover the card fee');
  expect(await findAccessibilityProblems(page)).toEqual([]);

  // A new amount, charged starting with the next payment.
  await gift.getByRole('button', { name: 'Change your gift' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change your gift' });
  await expect(dialog.getByLabel('Amount per gift ($)')).toBeFocused();
  await dialog.getByLabel('Amount per gift ($)').fill('0');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('whole number of dollars');
  await dialog.getByLabel('Amount per gift ($)').fill('20');
  await expect(dialog).toContainText('With $0.91 for the card fee, you’ll be charged $20.91 every month.');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(gift).toContainText('$20.91 every month, with $0.91 to cover the card fee');
  await gift.getByRole('button', { name: 'Pause' }).click();
  await expect(gift).toContainText('Paused. We won’t charge you until you resume.');
  // Regression: disabling the busy buttons used to lose focus.
  await expect(gift.getByRole('button', { name: 'Resume' })).toBeFocused();
  await gift.getByRole('button', { name: 'Resume' }).click();
  await expect(gift).toContainText('The next charge will be around');

  // A card that can be saved but is declined at the renewal.
  await gift.getByRole('button', { name: 'Change the card' }).click();
  await page.waitForURL(/\/sandbox\/portal\//);
  await enterCard('4000 0000 0000 0341');
  await expect(gift).toContainText('Active');
  await moveClockOneMonth();
  const failedChargeLink = await awaitGiftLink('We couldn’t charge your card');
  await openGift(failedChargeLink);
  await expect(gift).toContainText('Past due');
  await expect(gift).toContainText('We’ll try again around');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await gift.getByRole('button', { name: 'Change the card' }).click();
  await page.waitForURL(/\/sandbox\/portal\//);
  await enterCard(CARDS.succeeds);
  await expect(gift).toContainText('Active');
  await expect.poll(async () => (await findEmailsWithSubject('receipt no.')).length).toBe(5);
  expect((await findEmailsWithSubject('receipt no.')).some(({ text }) => text.includes('Amount: $20.91'))).toBe(true);
  expect(
    (await findEmailsWithSubject('receipt no.')).filter(({ text }) => text.includes('Amount: $26.06')).length,
  ).toBe(4);

  await gift.getByRole('button', { name: 'Stop this gift' }).click();
  await page.getByRole('dialog', { name: 'Stop this gift?' }).getByRole('button', { name: 'Yes, stop it' }).click();
  await expect(gift).toContainText('This gift has ended. You won’t be charged again.');
  await expect(gift.getByRole('status')).toBeFocused();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await openGift(failedChargeLink);
  await expect(gift).toContainText('Ended');
  await expect(gift.getByRole('button')).toHaveCount(0);

  await dashboard.goto('/sandbox');
  const [newest, oldest] = [payments.first(), payments.last()];
  await newest.getByText('Refund or dispute').press('Enter');
  await newest.getByLabel('Amount to refund, in dollars').fill('5');
  await newest.getByRole('button', { name: 'Refund' }).press('Enter');
  await expect(newest).toContainText('Paid, $5.00 refunded');
  await oldest.getByText('Refund or dispute').click();
  await oldest.getByRole('button', { name: /^Dispute/ }).click();
  await oldest.getByText('Refund or dispute').click();
  expect(await findAccessibilityProblems(dashboard)).toEqual([]);
  await oldest.getByRole('button', { name: 'Lose the dispute' }).click();
  await expect(oldest).toContainText('dispute lost');

  async function enterCard(number: string): Promise<void> {
    await page.getByLabel(/card number/i).fill(number);
    await page.getByLabel(/expir/i).fill('12 / 40');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: /save|change|use/i }).click();
    await page.waitForURL(/\/gifts\//);
    await waitUntilInteractive(page);
  }
});
