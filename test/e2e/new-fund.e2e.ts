import type { Page } from '@playwright/test';
import { findingsOn } from './support/axe.ts';
import { expect, test } from './support/journey.ts';
import { adminEmail, newEmail, signInAs, tokenOf } from './support/signing-in.ts';

/** The address of a fund that has just begun: nobody has given, nothing was granted. */
async function newFund(page: Page): Promise<string> {
  await signInAs(page, adminEmail());
  const headers = { authorization: `Bearer ${await tokenOf(page)}`, 'x-requested-with': 'XMLHttpRequest' };
  const slug = `begun-${Date.now().toString(36)}`;
  const data = { name: 'Brook Climate Fund', slug, tag: 'Warm homes by the brook', email: newEmail('brook') };
  const { id }: { id: string } = await (await page.request.post('/api/orgs', { headers, data })).json();
  return `/orgs/${id}`;
}

test('a new fund says on every list that it is empty, and what to do about it', async ({ page, browser }) => {
  const asAdmin = await browser.newPage();
  const fund = await newFund(asAdmin);
  await asAdmin.close();
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
