import { findingsOn } from './support/axe.ts';
import { expect, test } from './support/journey.ts';

test('a new fund’s lists say they are empty and what to do about it', async ({ page, fund }) => {
  await page.goto(fund);
  await expect(page.getByText('Every grant will light a window below.')).toBeVisible();
  await expect(page.getByText('Stories are coming soon.')).toHaveCount(3);
  const lists = [
    ['offsetters', 'Be the first', fund],
    ['awardees', 'Help with the first one', `${fund}/donate`],
    ['installers', 'Read how it works', `${fund}/faqs`],
  ] as const;
  for (const [list, invitation, to] of lists) {
    await page.goto(`${fund}/${list}`);
    await expect(page.getByRole('main').getByRole('link', { name: invitation })).toHaveAttribute('href', to);
    expect(await findingsOn(page), list).toEqual([]);
  }
});
