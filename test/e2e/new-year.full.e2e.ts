import { fileURLToPath } from 'node:url';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, ORG } from './support/journey.ts';
import { startSeparateSite, testOnSeparateSite } from './support/separate-site.ts';
import { awaitEmail, newEmail } from './support/sign-in.ts';

const YEAR = new Date().getUTCFullYear();
/** New Year's Eve, 7:05 pm in New York, where the sample fund is. In UTC it's already the next year. */
const STARTS_AT = `${YEAR + 1}-01-01T00:05:00Z`;
const SHIFTED_CLOCK = fileURLToPath(new URL('./support/shifted-clock.ts', import.meta.url));

const test = testOnSeparateSite(() => startSeparateSite({ STARTS_AT, NODE_OPTIONS: `--import=${SHIFTED_CLOCK}` }));

test('a gift at 7:05 pm on December 31 counts for that year', async ({ page }) => {
  const donor = newEmail('eve');
  await page.goto(`${ORG}/donate`);
  await page.getByText('$50', { exact: true }).click();
  const payment = await openPayment(page, 'Donate');
  await payByCard(payment, CARDS.succeeds, donor);
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  const { text } = await awaitEmail(donor, 'Receipt number');
  expect(text).toContain(`Date of gift: December 31, ${YEAR}`);
  expect(text).not.toContain(`January 1, ${YEAR + 1}`);
  // In UTC the receipt was issued in the next year. In New York it was the same day, which isn't printed twice.
  expect(text).not.toContain('Issued');
});
