import { findAxeViolations } from './support/axe.ts';
import { expect, test } from './support/journey.ts';

test('a new fund’s empty lists explain what to do next', async ({ page, fund }) => {
  await page.goto(fund);
  await expect(page.getByText('Every grant will light a window below.')).toBeVisible();
  await expect(page.getByText('Stories are coming soon.')).toHaveCount(3);
  const lists = [
    ['offsetters', 'Be the first', fund],
    ['awardees', 'Help with the first one', `${fund}/donate`],
    ['installers', 'Read how it works', `${fund}/faqs`],
  ] as const;
  for (const [list, invitation, href] of lists) {
    await page.goto(`${fund}/${list}`);
    await expect(page.getByRole('main').getByRole('link', { name: invitation })).toHaveAttribute('href', href);
  }
  expect(await findAxeViolations(page)).toEqual([]);
});
